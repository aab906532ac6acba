# fleet.awk: turns boundaries of several hosts into the data of fleet.p; it follows table.awk.
#
# Writes the title, ranges (hosts, entries) and the number of `hosts`, and `widest`, the letters of the longest name of
# one; a curve is a level. Then blocks with two blank lines between them: for each level of each structure: the row of
# a host from the top, entries, the least and the most that they may be; then the hosts: row, name.

{
    need("host", "detect --by host")
    need("structure")
    need("entries")
    add_boundary()
}

END {
    if (!curves) bad("no boundary of any host has a number of entries")
    put_title("Levels of " hosts (hosts == 1 ? " host" : " hosts"))
    put_ranges()
    put("hosts", hosts)
    put("widest", widest)
    for (l = 1; l <= curves; l++) print "row\t" name[l] "\tlow\thigh\n" text_of[l] "\n"
    print "row\thost"
    for (h = 1; h <= hosts; h++) print h "\t" host_name[h]
}

# TLBs before caches, as detect writes them.
function add_boundary(   host, entries, low, high, key) {
    host = text("host") == "" ? "?" : text("host")
    if (!(host in row)) {
        row[host] = ++hosts
        host_name[hosts] = host
        if (length(host) > widest) widest = length(host)
    }
    entries = number("entries")
    if (entries == "" || entries <= 0) return
    low = number("entries_min") == "" ? entries : number("entries_min")
    high = number("entries_max") == "" ? entries : number("entries_max")
    key = text("structure") (text("level") == "" ? "" : " " text("level"))
    if (!(key in level)) { level[key] = ++curves; name[curves] = legend(key) }
    text_of[level[key]] = text_of[level[key]] row[host] "\t" entries "\t" low "\t" high "\n"
    note_ranges(row[host], low, high)
}
