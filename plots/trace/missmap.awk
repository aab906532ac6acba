# missmap.awk: turns the text of a trace of misses into the data of missmap.p; it follows table.awk.
#
# Writes the title, the `seconds`, and the numbers of `strips` and of `misses`, and rows: seconds, strip,
# whether it is a write. Addresses are not drawn to scale: regions of 1 MiB that have misses lie on
# one another in strips, so that heap, libraries and stack fit into one picture.

{
    need("op", "tlbsim --to table")
    need("address")
    op = text("op")
    if (op != "read" && op != "write" && op != "execute") next
    ns = number("time_ns")
    if (ns == "") ns = misses
    if (begin == "") begin = ns
    address = text("address")
    if (address !~ /^0x[0-9a-f]+$/) bad("column 'address': not hexadecimal: " address)
    page = substr("0000000000000000" substr(address, 3), length(address) - 1) # 16 digits
    region = substr(page, 1, 11)
    regions[region] = 1
    misses++
    at[misses] = (ns - begin) / 1e9
    where[misses] = region
    digits = substr(page, 12, 5)
    within[misses] = hex(digits) / 1048576
    wrote[misses] = op == "write"
    if (at[misses] > longest) longest = at[misses]
}

function hex(digits,   k, value) {
    for (k = 1; k <= length(digits); k++)
        value = 16 * value + index("0123456789abcdef", substr(digits, k, 1)) - 1
    return value
}

END {
    if (broken) exit 2
    if (!misses) bad("no misses")
    for (region in regions) list[++n] = region
    sort(list, n)
    for (k = 1; k <= n; k++) strip[list[k]] = k - 1
    put_title("Misses by address and time")
    put("seconds", longest)
    put("strips", n)
    put("misses", misses)
    print "seconds\tstrip\twrite"
    for (k = 1; k <= misses; k++) {
        place = strip[where[k]] + within[k]
        dot = int(longest > 0 ? 250 * at[k] / longest : 0) SUBSEP int(150 * place / n) SUBSEP wrote[k]
        if (!(dot in drawn)) printf "%.9g\t%.6g\t%d\n", at[k], place, wrote[k]
        drawn[dot] = 1
    }
}
