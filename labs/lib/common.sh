# common.sh: what the scripts of labs/ and scripts/ share. One that has set `called` if its usage calls it otherwise,
# and `script` if its messages do, sources it:
#
#     [ $# -gt 0 ] || die_usage 'which file?'
#     make_work "${TMPDIR:-/tmp}/tlblab-page"
#     sort <"$file" >"$work/sorted" || die "$file: cannot be sorted"
# shellcheck shell=bash disable=SC2154

# clean: replaces control characters that a terminal would obey: ASCII's, and C2 80 to C2 9F in UTF-8. By bash alone:
# a message comes out where no other tool is found.
clean() {
    local LC_ALL=C line
    while IFS= read -r line || [ -n "$line" ]; do
        line=${line%$'\r'}
        line=${line//$'\xc2'[$'\x80'-$'\x9f']/?}
        printf '%s\n' "${line//[$'\001'-$'\010'$'\013'-$'\037'$'\177']/?}"
    done
}

# say MESSAGE: in one line, whatever a file's name contains.
say() { printf '%s\n' "${script:-${0##*/}}: ${*//$'\n'/ }" | clean >&2; }

die() {
    say "$@"
    exit 2
}

die_usage() {
    say "$@"
    echo "Try '${called:-${script:-${0##*/}}} --help'." >&2
    exit 2
}

# need_programs PROGRAM...: of ours; ends the script where one is not there.
need_programs() {
    local program
    for program; do command -v "$program" >/dev/null || die "$program is missing: run make first"; done
}

# put LINE...: writes to stdout, or ends the script.
put() { printf '%s\n' "$@" 2>/dev/null || die 'cannot write the output'; }

# put_file FILE: the same with what is in it; without a message where the reader has closed the pipe.
put_file() {
    local why status
    { why=$(cat "$1" 2>&1 >&3); } 3>&1 && return
    status=$?
    [ "$status" -le 128 ] || exit "$status"
    die "cannot write the output: ${why##*: }"
}

# print COMMAND...: writes what it prints, or ends the script. Of an option: `-h | --help) print usage && exit 0 ;;`
print() {
    local text
    text=$("$@") || exit
    put "$text"
}

# header_usage: prints the usage that the script's comment has.
header_usage() { sed -n '/^# Usage/,/^[^#]*$/s|^# \{0,1\}||p' "$0"; }

# make_work PATH: makes the folder PATH.XXXXXX, whose name is then in `work`. It is removed at the end.
make_work() {
    work=$(mktemp -d "$1.XXXXXX" 2>&1) || die "cannot write to ${1%/*}: ${work##*: }"
    trap leave_work EXIT
    trap 'exit 130' INT TERM HUP
}

# A script that fails because there is no space says so, whatever failed first: a reason that was to be kept in
# the folder is lost with it.
leave_work() {
    local status=$? why
    if [ "$status" -eq 2 ] && ! why=$({ head -c 65536 /dev/zero >"$work/space"; } 2>&1); then
        (die "cannot write to ${work%/*}: ${why##*: }")
    fi
    rm -rf "$work"
}

# did_you_mean WORD: of the names that begin the lines of stdin after two blanks the one most like WORD, with the
# words of a question, as base/choice.c finds it; nothing where none is: a third of the letters may be wrong, missing,
# added or swapped. So a script with a function `usage` says so of an option:
#
#     die_usage "unknown option $1$(usage | did_you_mean "$1")"
did_you_mean() {
    WORD=${1%%=*} awk '
        function least(a, b) { return a < b ? a : b }
        # row[i, j]: from the first i letters of a to the first j of b.
        function distance(a, b,   i, j, row) {
            for (j = 0; j <= length(b); j++) row[0, j] = j
            for (i = 1; i <= length(a); i++) {
                row[i, 0] = i
                for (j = 1; j <= length(b); j++) {
                    row[i, j] = least(row[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1)), \
                        least(row[i - 1, j], row[i, j - 1]) + 1)
                    if (i > 1 && j > 1 && substr(a, i - 1, 2) == substr(b, j, 1) substr(b, j - 1, 1))
                        row[i, j] = least(row[i, j], row[i - 2, j - 2] + 1)
                }
            }
            return row[length(a), length(b)]
        }
        BEGIN { word = ENVIRON["WORD"]; dashes = sub(/^--/, "", word); closest = int((length(word) + 2) / 3) + 1 }
        /^  [a-z-]/ && dashes == sub(/^--/, "", $1) {
            sub(/,$/, "", $1)
            here = distance(word, $1)
            if (here < closest) { closest = here; found = (dashes ? "--" : "") $1 }
        }
        END { if (found != "") printf ": did you mean \047%s\047?", found }'
}
