# hint.sh: what `./hint` of an exercise does: it prints one of three steps for a hole, from a nudge to nearly the
# code. The steps are on stdin: `= NAME` begins those of a hole, and `1`, `2`, `3` at the start of a line a step.
# shellcheck shell=bash
hint() {
    local status=0
    case ${1-} in -h | --help) echo 'Usage: ./hint [HOLE [1|2|3]]' && exit 0 ;; esac
    HOLE=${1-} STEP=${2:-1} awk '
        BEGIN { name = ENVIRON["HOLE"]; step = ENVIRON["STEP"] }
        /^= / { hole = $2; names = names (names ? ", " : "") hole; found += hole == name; next }
        /^[123] / { at = $1; sub(/^[123] /, "") }
        hole == name && at == step { print; said = 1 }
        END {
            if (name == "") print "Holes: " names ". ./hint HOLE gives a nudge, ./hint HOLE 2 more, ./hint HOLE 3 nearly all."
            else if (!found) print "hint: no hole " name "; there are: " names >"/dev/stderr"
            else if (!said) print "hint: no step " step " of " name ": 1, 2 or 3" >"/dev/stderr"
            else if (step < 3) print "(more: ./hint " name " " step + 1 ")"
            exit name == "" || said ? 0 : 2
        }' || status=$?
    return "$status"
}
