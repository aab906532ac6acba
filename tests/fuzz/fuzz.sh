# fuzz.sh: how tests/fuzz/tables and traces break their inputs, and try programs on them. Sourced with
# $inputs and $seed; "" is any seed.
# shellcheck shell=bash disable=SC2154 # what sources it sets awkward and inputs

set -u
export LC_ALL=C
ROOT=$(cd "${0%/*}/../.." && pwd -P) || exit 2
OUT=$(cd "${OUT:-$ROOT/bin}" && pwd -P) || exit 2
PATH="$OUT:$PATH"
seed=${seed:-$(($(date +%s) % 32768))}
RANDOM=$seed
# A sanitizer ends a program with 1, unless its options name a status that no program of ours has.
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99 LSAN_OPTIONS=exitcode=99
work=$(mktemp -d "${TMPDIR:-/tmp}/tlblab-fuzz.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
runs=0 failed=0

# between MOST: a random number from 0 to MOST in $chosen.
between() {
    chosen=$(((RANDOM * 32768 + RANDOM) % ($1 + 1)))
}

# mutate FILE TO: one random change, of bytes, of a line, or of a column. The words in $awkward are of the format.
mutate() {
    local size at length word line
    size=$(wc -c <"$1")
    between "$size" && at=$chosen
    between 40 && length=$chosen
    between "$((${#awkward[@]} - 1))" && word=${awkward[chosen]}
    between "$(wc -l <"$1")" && line=$((chosen + 1))
    between 11
    case $chosen in
    0) # another byte
        between 255
        # shellcheck disable=SC2059 # an octal escape
        head -c "$at" "$1" && printf "\\$(printf %03o "$chosen")" && tail -c "+$((at + 2))" "$1"
        ;;
    1) head -c "$at" "$1" && tail -c "+$((at + length))" "$1" ;;
    2) head -c "$((at + length))" "$1" && tail -c "+$((at + 1))" "$1" ;;
    3) head -c "$at" "$1" ;;
    4 | 5) # another field of a line
        sed "${line}s|[^[:blank:],]\{1,\}|${word//\\/\\\\}|$((length % 9 + 1))" "$1"
        ;;
    6) # a line more
        # shellcheck disable=SC2059
        head -n "$((line - 1))" "$1" && printf -- "${word%\\n}\n" && tail -n "+$line" "$1"
        ;;
    7 | 8 | 9) # another column, or one that is in all rows the word, or not there
        awk -F '\t' -v OFS='\t' -v word="$word" -v at="$at" -v other="$length" -v how="$chosen" '
            /^#/ || !/\t/ { print; next }
            { to = at % NF + 1; from = other % NF + 1; was = $to }
            how == 7 { $to = $from; $from = was }
            how == 8 && rows++ { $to = word }
            how == 9 { for (k = to; k < NF; k++) $k = $(k + 1); NF-- }
            { print }' "$1"
        ;;
    10) sed "${line}"'!d; s/$/\r/' "$1" && head -c -1 "$1" ;; # a line first, without the end of the last one
    *)
        # shellcheck disable=SC2059
        head -c "$at" "$1" && printf -- "$word" && tail -c "+$((at + 1))" "$1"
        ;;
    esac >"$2"
}

# damage FILE: it with one to four changes, as "$work/broken".
damage() {
    local left
    cp "$1" "$work/broken"
    between 3
    for ((left = chosen; left >= 0; left--)); do
        mutate "$work/broken" "$work/next" && mv "$work/next" "$work/broken"
    done
}

# try COMMAND...: runs it on the broken input; its status must be 0, 1 or 2, and it must know its options.
try() {
    local status=0
    runs=$((runs + 1))
    timeout 20 "$@" <"$work/broken" >/dev/null 2>"$work/err" || status=$?
    if [ "$status" -gt 2 ] || grep -q 'unknown option' "$work/err"; then
        failed=$((failed + 1))
        kept=$(mktemp "${TMPDIR:-/tmp}/tlblab-broken.XXXXXX") && cp "$work/broken" "$kept"
        echo "exit status $status: $* <$kept"
        head -n 20 "$work/err"
    fi
}

# The last line of a fuzzer.
finish_fuzzing() {
    echo "$inputs ${0##*/}, $runs runs, $failed failed (seed $seed)"
    [ "$failed" -eq 0 ] && [ "$runs" -gt 0 ]
    exit
}
