#!/usr/bin/env bash
# architecture.t: families and modules include from each other only as src/README.md says.
. "${0%/*}/../tap.sh"
plain_linux_alone
cd "$ROOT" || exit 2

# shellcheck disable=SC2016 # of sed
modules() {
    sed -n 's/^| `\([a-z]*\/[a-z]*\)\/` |.*/\1/p' src/README.md
}

# Lines "FAMILY OTHER": FAMILY may include from OTHER.
families() {
    awk -F '|' '/^\| `[a-z]*` \|.*\|.*\|.*\|/ {
        gsub(/[` ]/, "", $2); n = split($5, other, ","); print $2, $2
        for (i = 1; i <= n; i++) { gsub(/[` ]/, "", other[i]); if (other[i] != "") print $2, other[i] }
    }' src/README.md
}

# Lines "FILE MODULE OTHER" for each include between modules; a program counts as FAMILY/.
includes() {
    grep -HE '#include "[^"]*/' src/*/*.[ch] src/*/*/*.[ch] | awk -F '[:"]' '{
        n = split($1, from, "/"); m = split($3, to, "/")
        print $1, from[2] "/" (n == 4 ? from[3] : ""), m == 3 ? to[1] "/" to[2] : "common/" to[1]
    }'
}

# Includes of a module from one that is listed further down, or not listed.
upwards() {
    includes | awk -v list="$(modules)" '
        BEGIN { n = split(list, name, "\n"); for (i = 1; i <= n; i++) place[name[i]] = i }
        $1 ~ /\/runtime\// { if ($3 != "trace/format") print; next }
        !($3 in place) { print; next }
        $2 !~ /\/$/ && place[$3] > place[$2] { print }'
}

# Includes from a family that src/README.md does not allow.
strangers() {
    includes | awk -v list="$(families)" '
        BEGIN { n = split(list, pair, "\n"); for (i = 1; i <= n; i++) allowed[pair[i]] = 1 }
        { split($2, from, "/"); split($3, to, "/") }
        to[1] != "common" && !((from[1] " " to[1]) in allowed) { print }'
}

same 'src/README: its first table lists the families, and no others' \
    "$(find src -mindepth 1 -maxdepth 1 -type d -exec basename {} \; | sort)" "$(families | cut -d ' ' -f 1 | sort -u)"
same 'src/README: its table of modules lists all of them, and no others' \
    "$(find src -mindepth 2 -maxdepth 2 -type d ! -name runtime | cut -c5- | sort)" "$(modules | sort)"
same 'src: a module includes from its own folder or one listed above it' '' "$(upwards)"
same 'src: a family includes from itself, from common and from those that src/README names' '' "$(strangers)"
same 'src/platform: includes nothing of the other families' '' "$(grep -n '#include ".*/' src/platform/*.[ch])"
same 'src: no program includes another' '' "$(grep -n '#include "[^/]*"$' src/*/*.c | grep -v '^src/platform/\|platform\.h')"

programs=$(find src -mindepth 2 -maxdepth 2 -name '*.c' ! -path 'src/platform/*' -exec basename -s .c {} \; | sort)
# shellcheck disable=SC2016 # of sed
same 'README: its table has every program' "$programs" \
    "$(sed -n '/^## The programs/,$s/^| \(`[^|]*\)|.*/\1/p' README.md | grep -o '[a-z]*' | grep -xF "$programs" | sort -u)"
# shellcheck disable=SC2016 # of grep
same 'src/README: the files to read first are there' '' \
    "$(grep -oE '^[0-9]+\. `[^`]*`' src/README.md | cut -d '`' -f 2 | while read -r file; do
        [ -f "src/$file" ] || echo "$file"; done)"
# Files named in comments, except prog.c, an example name.
named_in_comments() {
    grep -noE '^( \*|/\*|.*//) .*' src/*/*.[ch] src/*/*/*.[ch] | grep -oE '\b[a-z0-9_]+\.[ch]\b' |
        grep -vx prog.c | sort -u
}
same 'comments: no file is named that is not there' '' \
    "$(named_in_comments | grep -vxF "$(find src tests labs -name '*.[ch]' -exec basename {} \;)")"
finish_tests
