# nodes.awk: turns the table of scripts/nodes into the data of nodes.p; it follows table.awk.
#
# Writes what matrix.gp reads: nodes with cores are rows, those with memory columns, and the text of a cell
# is the time and the rate.

{
    need("core_node")
    need("memory_node")
    need("ns")
    note_machine()
    from = number("core_node")
    to = number("memory_node")
    time = number("ns")
    if (from == "" || to == "" || time == "") next
    if (time <= 0) bad("column 'ns': not above 0")
    if (!(from in row)) core[row[from] = ++cores] = from
    if (!(to in column_of)) memory[column_of[to] = ++memories] = to
    ns[from, to] = time
    rate[from, to] = number("gb_per_s")
    note_ranges(0, time, time)
}

END {
    if (least == "") bad("no pair of nodes has a time (scripts/nodes)")
    put_title(sprintf("Latency and bandwidth between %d node%s with cores and %d with memory", cores, \
        (cores > 1 ? "s" : ""), memories))
    put_ranges()
    put("rows", list_of(core, cores))
    put("columns", list_of(memory, memories))
    print "from\tto\tns\ttext\tdark\tsentence"
    for (i = 1; i <= cores; i++)
        for (k = 1; k <= memories; k++)
            if ((core[i], memory[k]) in ns) put_cell(i, k, ns[core[i], memory[k]], rate[core[i], memory[k]])
}

function put_cell(i, k, time, gb_per_s) {
    print i "\t" k "\t" time "\t" sprintf("%.0f ns", time) \
        (gb_per_s == "" ? "" : sprintf(dumb ? ", %.0f GB/s" : "\\n%.0f GB/s", gb_per_s)) "\t" \
        is_dark(time) "\t" sprintf("from the cores of node %s to the memory of node %s: %.0f ns%s", core[i], memory[k], \
        time, gb_per_s == "" ? "" : sprintf(", %.0f GB/s", gb_per_s))
}
