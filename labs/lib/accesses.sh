# accesses.sh: the part of grading.sh that reads lists of accesses to memory.
# shellcheck shell=bash disable=SC2154 # OUT and LIST are of questions.sh

# address NAME: the number that the program printed as `# NAME: 0x...`, without leading zeros.
address() {
    local line hex
    while IFS= read -r line; do
        [[ $line == "# $1: 0x"* ]] || continue
        hex=${line#*0x}
        [[ ! $hex =~ ^[0-9a-f]{1,18}$ ]] || { echo "${hex#"${hex%%[!0]*}"}" && return; }
    done <"$OUT"
}

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
    local kept=$LIST.${1-}.${2-}
    [ -e "$kept" ] || list_intervals "$@" >"$kept"
    cat "$kept"
}
list_intervals() {
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
            if (!why && others > 3 * steps + 40) why = others " other accesses in " steps " steps: its variables are in memory"
            if (why) print why
        }' "$1" "$2"
}

# pages_read WHAT PAGESIZE REFS: of a program that prints a row of the printed lab for each number of pages, and reads the
# first byte of each page: WHAT is what is asked about its loads between two readings of the clock, and what is wrong is
# printed. `loads`: there are as many as references, wherever they lead. `bytes`: they lead to the first bytes of the
# pages and nowhere else, from one page to the next. `rounds`: to each as often as there are whole rounds. `written`: each was written before.
# `base`: prints the address of the first page.
pages_read() {
    [ -e "$LIST.pages" ] || examine_pages "$2" "$3" >"$LIST.pages"
    awk -v what="$1" '$1 == what { sub(/^[^ ]* /, ""); print; exit }' "$LIST.pages"
}
examine_pages() {
    awk -F '[\t ,]+' -v size="$1" -v refs="$2" "$hexadecimal"'
        FILENAME == ARGV[1] { if ($1 ~ /^[0-9]+$/) { rows++; pages[rows] = $1; if ($1 > most) most = $1 } next }
        /^SYSCALL.*(clock_gettime|gettimeofday|getrusage|sys_times?) *\(/ {
            if (readings++) finish()
            all = again = 0
            at = ""
            split("", loads)
            next
        }
        $1 == "L" && $3 == 1 { loads[$2]++; all++; again += $2 == at; at = $2; next }
        $1 ~ /^[SM]$/ && !row { stored[++stores] = $2; width[stores] = $3 }
        # The interval that ends here is a row when its loads of a byte are many.
        function finish(   place) {
            if (all <= refs / 2 || row == rows) return
            total[++row] = all
            in_a_row[row] = again
            for (place in loads) { count++; where[count] = number_of(place); times[count] = loads[place]; of[count] = row }
        }
        function number_of(hex) { sub(/^0+/, "", hex); return number(hex) }
        function look_at(r,   rounds, n, k, at, got) {
            rounds = int(refs / pages[r])
            if (pages[r] > 1 && in_a_row[r] > rounds) print "bytes " pages[r] " pages: " in_a_row[r] " loads of the page before; a round goes over all pages"
            if (total[r] < rounds * pages[r]) print "loads " pages[r] " pages: " total[r] " loads, not " rounds * pages[r]
            for (k = 1; k <= count; k++) {
                if (of[k] != r) continue
                at = where[k] - base
                got[at] = times[k]
                if ((at < 0 || at % size || at >= pages[r] * size) && times[k] > 2)
                    print "bytes " pages[r] " pages: it loads byte " at " of the memory"
            }
            for (n = 0; n < pages[r]; n++) {
                if (!(n * size in got)) print "bytes " pages[r] " pages: byte " n * size " of the memory is not loaded"
                if (got[n * size] != rounds) print "rounds " pages[r] " pages: " got[n * size] + 0 " loads of page " n ", not " rounds
            }
        }
        END {
            # The address that the first row reads most often is that of the first page; of equal ones the lowest.
            for (k = 1; k <= count; k++) if (of[k] == 1 && times[k] > best) best = times[k]
            for (k = 1; k <= count; k++) if (of[k] == 1 && times[k] > best / 2 && (base == "" || where[k] < base)) base = where[k]
            why = row + 0 " of " rows + 0 " rows read memory between two readings of the clock as often as they should"
            if (!rows || row < rows) { print "loads " why "\nbytes " why "\nrounds " why "\nwritten " why; exit }
            print "base " base
            for (r = 1; r <= rows; r++) look_at(r)
            for (k = 1; k <= stores; k++) {
                first = number_of(stored[k]) - base
                for (n = int((first + size - 1) / size) * size; n >= 0 && n < first + width[k] && n < most * size; n += size)
                    if (!(n in touched)) { touched[n]; writes++ }
            }
            if (writes < most) print "written " writes + 0 " of " most " pages were written"
        }' "$OUT" <(sed 's/^ //' "$LIST")
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
            else if (each(most, pages[1]) - each(least, pages[rows]) < 1 / pages[1] - 1 / pages[rows])
                printf "%.2f instructions for each reference in the row of %d, %.2f in that of %d: is the loop over the pages in a loop over the rounds?\n",
                    each(most, pages[1]), pages[1], each(least, pages[rows]), pages[rows]
        }
        function each(instructions, pages) { return instructions / (refs - refs % pages) }'
}

# follows BYTES NODES LOADS WHAT: between the last two readings of the clock there were LOADS loads of nodes, which have so
# many BYTES, one after the other along a chain of NODES of them; WHAT `more`: a quarter of them, or more. Prints what is wrong.
follows() {
    intervals "$(address nodes)" "$1" | awk -v nodes="$2" -v loads="$3" -v what="$4" '
        $1 == "interval" { count = stores = 0; next }
        $1 == "others" { others = $2; next }
        $1 == "store" { stores++; next }
        { at[++count] = $2 }
        END {
            for (period = 1; period < count && at[period + 1] != at[1]; period++);
            for (k = period + 1; k <= count && at[k] == at[k - period]; k++);
            if (what != "more" && count != loads) print count + 0 " loads along the chain, not " loads
            else if (count < loads / 4) print count + 0 " loads of nodes between two readings of the clock, not " loads
            else if (period < nodes && period < count) print "byte " at[1] " again after " period " loads, in a chain of " nodes " nodes"
            else if (k <= count) print "load " k " is of byte " at[k] ", not of " at[k - period] " as a round before"
            else if (stores) print stores " stores to nodes while loads are timed"
            else if (others > loads + 40) print others " other accesses in " loads " loads: a variable of the loop is in memory"
        }'
}
