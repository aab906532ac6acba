# fleet.awk: turns boundaries of several hosts into the data of fleet.p; it follows table.awk.
#
# Writes the title, ranges (hosts, entries) and the number of `hosts`, and `widest`, the letters of the longest name of
# one; a curve is a level. Then blocks with two blank lines between them: for each level of each structure: the row of
# a host from the top, `-`, entries, or the middle of a range alone, the least and the most that they may be, and
# whether there is a number; then the hosts: row, name.

{
    need("host", "detect --by host")
    need("structure")
    need("entries")
    add_boundary()
}

END {
    if (!curves) bad("no boundary of any host has a number of entries or a range")
    put_title("Levels of " hosts (hosts == 1 ? " host" : " hosts"))
    put_ranges()
    put("hosts", hosts)
    put("widest", widest)
    for (l = 1; l <= curves; l++) print "row\t" name[l] "\tentries\tlow\thigh\tknown\n" text_of[l] "\n"
    print "row\thost"
    for (h = 1; h <= hosts; h++) print h "\t" host_name[h]
}

# TLBs before caches, as detect writes them.
function add_boundary(   host, entries, low, high, key) {
    host = text("host") == "" ? "no name" : text("host")
    if (!(host in row)) {
        row[host] = ++hosts
        host_name[hosts] = host
        if (length(host) > widest) widest = length(host)
    }
    entries = number("entries")
    low = number("entries_min") == "" ? entries : number("entries_min")
    if (low == "" || low <= 0) return
    high = number("entries_max") != "" ? number("entries_max") : entries == "" ? 2 * low : entries # more than low
    key = text("structure") (text("level") == "" ? "" : " " text("level"))
    if (!(key in level)) { level[key] = ++curves; name[curves] = legend(key) }
    text_of[level[key]] = text_of[level[key]] row[host] "\t-\t" (entries == "" ? sqrt(low * high) : entries) "\t" low "\t" high "\t" (entries != "") "\n"
    note_ranges(row[host], low, high)
}
