# nasty.sh: texts as strangers choose them, for every script that takes names, tables or answers of theirs; tap.sh
# is sourced before it. A shell, sed, awk, gnuplot or make that takes one of them for a part of a command runs
# `pwned`, which is in PATH.
# shellcheck shell=bash disable=SC1003,SC2016,SC2034 # nothing here is to be expanded; the tests use them

# None has a slash, so each can be the name of a file, or a newline, which `two_lines` has.
nasty=("it's" '"q"' "'; pwned; '" '"; pwned; "' '$(pwned)' '`pwned`' 'a;pwned;b' 'a|pwned' '|pwned' 'x|;s|.*|pwned|e;s|^|'
    'x&y' 'back\\slash\tand\x41' 'ends\' '%s%d%n' '-n' '--help' 'a[$(pwned)]' 'a=b' '@ARG1@' '#hash' '*' 'x,y;z' '{x_2^3}'
    '=cmd|'"' _C calc'"'!A0' '+1+cmd' '-2+3' '@SUM(1)' "'quoted" $'\303\251t\303\251 \346\227\245' ' blanks ')
two_lines=$'two\nlines`pwned`'

mkdir "$TAP_FOLDER/bin"
PWNED=$TAP_FOLDER/pwned
printf '#!/bin/sh\necho "$PWD" >>"%s"\n' "$PWNED" >"$TAP_FOLDER/bin/pwned"
chmod 755 "$TAP_FOLDER/bin/pwned"
: >"$PWNED"
chmod 666 "$PWNED" # for ordinary users too
export PATH="$TAP_FOLDER/bin:$PATH"

# harmless NAME: nothing has run `pwned` since the last time.
harmless() {
    same "$1: nothing of a name runs" '' "$(cat "$PWNED")"
    : >"$PWNED"
}

# A user without rights, where the test has them all: root would not see what stops him.
user=()
if [ "$(id -u)" -eq 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups test -r "$ROOT/Makefile" 2>/dev/null; then
    user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
    chmod 711 "$TAP_FOLDER"
    chmod 777 "$TMP"
fi
