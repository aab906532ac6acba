# accesses.sh: the part of grading.sh that reads lists of accesses to memory.
# shellcheck shell=bash disable=SC2154 # OUT and LIST are of questions.sh

# address NAME: the number that the program printed as `# NAME: 0x...`, without leading zeros.
address() { sed -n "s/^# $1: 0x0*\([0-9a-f]\{1,16\}\)\$/\1/p" "$OUT" | head -n 1; }

# The part of awk programs that reads hexadecimal numbers.
# shellcheck disable=SC2016 # it is awk
hexadecimal='
    function number(hex,   k, value) {
        for (k = 1; k <= length(hex); k++) value = 16 * value + index("123456789abcdef", substr(hex, k, 1))
        return value
    }'

# window FROM BYTES [STAGE]: the accesses from address FROM on, while the program's variable `stage` is STAGE (1):
# lines `load OFFSET` and `store OFFSET`; and as the last one `others N`, how many went elsewhere.
window() {
    awk -v stage="$(address stage)" -v from="$1" -v bytes="$2" -v wanted="${3:-1}" "$hexadecimal"'
        BEGIN { from = number(from); if (stage == "") exit }
        {
            split($2, at, ",")
            sub(/^0+/, "", at[1])
        }
        $1 == "S" && at[1] == stage { now++; next }
        now != wanted { next }
        {
            at[1] = number(at[1]) - from
            if (at[1] < 0 || at[1] >= bytes) { others++; next }
            if ($1 != "S") print "load " at[1]
            if ($1 != "L") print "store " at[1]
        }
        END { print "others " others + 0 }' "$LIST"
}

# same_accesses WANTED GOT STEPS: the file GOT of `window` has the lines of WANTED, and few others for each step. With
# variables in memory, as without optimisation, a loop has more than three others a step. Prints what is wrong.
same_accesses() {
    awk -v steps="$3" '
        FILENAME == ARGV[1] { wanted[++count] = $0; next }
        $1 == "others" { others = $2; next }
        { got++; if (!why && $0 != wanted[got]) why = "access " got " is a " $0 (got > count ? ", after the last" : ", not a " wanted[got]) }
        END {
            if (!why && got < count) why = got + 0 " accesses, not " count
            if (!why && others > 3 * steps + 40) why = others " accesses beside them in " steps " steps: its variables are in memory"
            if (why) print why
        }' "$1" "$2"
}
