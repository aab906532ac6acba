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

# intervals [FROM BYTES]: what the program did between two readings of a clock: for each such interval a line
# `interval N INSTRUCTIONS`, and then the accesses as `window` has them, of the addresses from FROM on, if they are given.
intervals() {
    awk -v from="${1-}" -v bytes="${2-0}" "$hexadecimal"'
        BEGIN { from = number(from) }
        /^SYSCALL.*(clock_gettime|gettimeofday|getrusage|sys_times?) *\(/ {
            if (n++) {
                print "interval", n - 1, $2 - since
                for (i = 1; i <= count; i++) print line[i]
                print "others " others + 0
            }
            since = $2
            others = count = 0
        }
        !n || !/^ [LSM]/ { next }
        {
            split($2, at, ",")
            sub(/^0+/, "", at[1])
            at[1] = number(at[1]) - from
            if (!bytes || at[1] < 0 || at[1] >= bytes) { others++; next }
            if ($1 != "S") line[++count] = "load " at[1]
            if ($1 != "L") line[++count] = "store " at[1]
        }' "$LIST"
}

# same_accesses WANTED GOT STEPS [more]: the file GOT of `window` has the lines of WANTED, with `more` perhaps others
# after them; and few go elsewhere for each step. With variables in memory, as without optimisation, a loop has more
# than three of these a step. Prints what is wrong.
same_accesses() {
    awk -v steps="$3" -v more="${4-}" '
        FILENAME == ARGV[1] { wanted[++count] = $0; next }
        $1 == "others" { others = $2; next }
        { got++; if (!why && $0 != wanted[got] && (got <= count || !more)) why = "access " got " is a " $0 (got > count ? ", after the last" : ", not a " wanted[got]) }
        END {
            if (!why && got < count) why = got + 0 " accesses, not " count
            if (!why && others > 3 * steps + 40) why = others " accesses beside them in " steps " steps: its variables are in memory"
            if (why) print why
        }' "$1" "$2"
}

# pages_read WHAT PAGESIZE REFS: of a program that prints a row of the printed lab for each number of pages, and reads the
# first byte of each page: WHAT is what is asked about its loads between two readings of the clock, and what is wrong is
# printed. `loads`: there are as many as references, wherever they lead. `bytes`: they lead to the first bytes of the
# pages and nowhere else. `rounds`: to each as often as there are whole rounds. `written`: each was written before.
# BASE then has the address of the first page, if that is known.
pages_read() {
    awk -F '[\t ,]+' -v what="$1" -v size="$2" -v refs="$3" -v at="$WORK/base" "$hexadecimal"'
        FILENAME == ARGV[1] { if ($1 ~ /^[0-9]+$/) { rows++; pages[rows] = $1; if ($1 > most) most = $1 } next }
        /^SYSCALL.*(clock_gettime|gettimeofday|getrusage|sys_times?) *\(/ { if (readings++) finish(); else { all = 0; split("", loads) } }
        $4 != 1 && $3 ~ /^[0-9a-f]+$/ { if ($2 != "L") store($3, $4); next }
        $2 == "L" && $4 == 1 { loads[$3]++; all++ }
        $2 == "S" || $2 == "M" { store($3, $4) }
        # The interval that ends here is a row when its loads of a byte are many.
        function finish(   place, first) {
            if (all > refs / 2 && row < rows) {
                row++
                total[row] = all
                for (place in loads) { count++; where[count] = number_of(place); times[count] = loads[place]; of[count] = row }
            }
            all = 0
            split("", loads)
        }
        function number_of(hex) { sub(/^0+/, "", hex); return number(hex) }
        function store(hex, bytes) { if (!row) stored[++stores] = number_of(hex) "," bytes }
        END {
            if (!rows) { print "no table"; exit }
            # The address that every row reads most often is that of the first page.
            base = -1
            for (k = 1; k <= count; k++) if (of[k] == 1 && times[k] > best) { best = times[k]; base = where[k] }
            for (k = 1; k <= count; k++) if (of[k] == 1 && times[k] > best / 2 && where[k] < base) base = where[k]
            print base >at
            if (row < rows) { print row + 0 " of " rows " rows read memory between two readings of the clock as often as they should"; exit }
            for (r = 1; r <= rows; r++) {
                rounds = int(refs / pages[r])
                if (what == "loads" && total[r] < rounds * pages[r]) { print pages[r] " pages: " total[r] " loads, not " rounds * pages[r]; exit }
                split("", got)
                for (k = 1; k <= count; k++) if (of[k] == r) got[where[k] - base] = times[k]
                for (place in got) if (what == "bytes" && (place + 0 < 0 || place % size || place + 0 >= pages[r] * size) && got[place] > 2) {
                    print pages[r] " pages: it loads byte " place " of the memory"; exit
                }
                for (n = 0; n < pages[r] && what ~ /^(bytes|rounds)$/; n++) {
                    if (what == "bytes" && !(n * size in got)) { print pages[r] " pages: byte " n * size " of the memory is not loaded"; exit }
                    if (what == "rounds" && got[n * size] != rounds) { print pages[r] " pages: " got[n * size] + 0 " loads of page " n ", not " rounds; exit }
                }
            }
            if (what != "written") exit
            for (k = 1; k <= stores; k++) {
                split(stored[k], to, ",")
                for (n = int((to[1] - base) / size) * size; n < to[1] - base + to[2]; n += size)
                    if (n >= to[1] - base && !(n in touched)) { touched[n]; if (n < most * size) writes++ }
            }
            if (writes < most) print writes + 0 " of " most " pages were written"
        }' "$OUT" <(sed 's/^ / /' "$LIST")
}

# nested REFS: of such a program that loads nothing: its instructions between two readings of the clock are those of a
# loop in a loop: as many as references at least, and more where the outer loop goes round more often. A formula takes
# none. Prints what is wrong.
nested() {
    { column "$OUT" pages && intervals; } | awk -v refs="$1" '
        /^[0-9]+$/ { pages[++rows] = $1 }
        $1 == "interval" && $3 > 3 * refs { seen++; if (seen == 1) most = $3; least = $3 }
        END {
            if (!rows || seen != rows) print seen + 0 " of " rows + 0 " rows have loops between two readings of the clock"
            else if (most - least < refs * (1 / pages[1] - 1 / pages[rows]))
                print most " instructions with " pages[1] " pages, " least " with " pages[rows] ": where is the outer loop?"
        }'
}

# follows BYTES LOADS WHAT: between the last two readings of the clock there were LOADS loads of the nodes, which have so
# many BYTES, one after the other along a chain; WHAT `more`: a quarter of them, or more. Prints what is wrong.
follows() {
    intervals "$(address nodes)" "$1" | awk -v loads="$2" -v what="$3" '
        $1 == "interval" { count = stores = 0; next }
        $1 == "others" { others = $2; next }
        $1 == "store" { stores++; next }
        { at[++count] = $2 }
        END {
            for (period = 1; period < count && at[period + 1] != at[1]; period++);
            for (k = period + 1; k <= count && at[k] == at[k - period]; k++);
            if (what != "more" && count != loads) print count + 0 " loads along the chain, not " loads
            else if (count < loads / 4) print count + 0 " loads of nodes between two readings of the clock, not " loads
            else if (k <= count) print "load " k " is of byte " at[k] ", not of " at[k - period] " as a round before"
            else if (stores) print stores " stores to nodes while loads are timed"
            else if (others > 3 * loads + 40) print others " other accesses in " loads " loads: its variables are in memory"
        }'
}
