# slowdown.awk: turns tables of tests/bench/trace into the data of slowdown.p; it follows table.awk.
#
# Writes the title and the largest slow-down, `most`, and rows:
# workload, slow-down with accesses recorded, with misses recorded.

{
    need("workload", "tests/bench/trace")
    need("slowdown")
    mode = text("mode")
    times = number("slowdown")
    if (times == "" || (mode != "accesses" && mode != "misses")) next
    name = text("workload")
    if (!(name in seen)) { seen[name] = 1; names[++workloads] = name }
    value[name, mode] = times
    if (times > most) most = times
}

END {
    if (broken) exit 2
    if (!workloads) bad("no rows")
    put_title("Slow-down of a traced program")
    put("most", most)
    print "workload\taccesses\tmisses"
    for (k = 1; k <= workloads; k++)
        print names[k] "\t" shown(names[k], "accesses") "\t" shown(names[k], "misses")
}

function shown(name, mode) { return (name, mode) in value ? value[name, mode] : "-" }
