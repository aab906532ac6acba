# hierarchy.awk: turns what one run of a machine measured into the data of hierarchy.p; it follows table.awk.
#
# Reads latencies (latency(1)), rates (bandwidth(1)) and the row of the disk (scripts/hierarchy --disk). A step
# is a level: registers, the caches, memory, the disk. The time of registers is a cycle of ghz_estimated. A
# step's rate is the best of the reads of one thread whose working set lies within the level. A rise after the third
# cache is no end of a fourth one, of which processors that have it say so (l4_bytes), but memory's: of its pages, or of
# a share of the third cache. Where no sample was as large as the cache that is claimed, what is beyond those found may
# be that one, too.
#
# Writes the title, the number of `steps`, and the least and the most ns and GB/s, and rows: name, size, ns, GB/s, then
# labels for both; `-` is what was not measured.

{ note_machine() }
meta["ghz_estimated"] > 0 { ghz = meta["ghz_estimated"] }

has("structure") && has("idle_cycles") { add_latency(); next }
has("op") && has("gb_per_s") { add_rate(); next }
has("structure") && text("structure") == "disk" {
    disk_ns = number("ns")
    disk_rate = number("gb_per_s")
    next
}
{ bad("neither latencies, nor rates, nor a disk") }

END {
    nothing = dumb ? "-" : "not measured"
    if (!tables) bad("no tables")
    if (!levels) bad("no latencies of a cache or of memory")
    add_step("registers", "", ghz > 0 ? 1 / ghz : "", "")
    for (k = 1; k <= levels; k++) add_step(name[k], holds[k], ns_of[k], best_rate(k))
    add_step("disk", "", disk_ns, disk_rate)
    put_title("From registers to the disk")
    put("steps", steps)
    put("least_ns", least_ns + 0)
    put("most_ns", most_ns)
    put("least_rate", least_rate + 0)
    put("most_rate", most_rate)
    print "step\tsize\tns\tgb_per_s\tns_label\trate_label"
    for (k = 1; k <= steps; k++) print step[k]
}

# Loads that wait for one another alone are latency.
function add_latency(   level) {
    if (text("kernel") != "read" || number("chains") > 1) return
    if (text("structure") != "cache" && text("structure") != "memory") return
    level = number("level")
    if (level > 3 && !(meta["l4_bytes"] > 0)) return
    is_memory[++levels] = text("structure") == "memory"
    name[levels] = is_memory[levels] ? "memory" : "L" level
    if (is_memory[levels] && text("note") ~ /below_claimed_cache/) name[levels] = "L" last_claimed() " or memory"
    ns_of[levels] = number("ns")
    from[levels] = number("bytes_min")
    to[levels] = number("bytes_max")
    holds[levels] = is_memory[levels] || to[levels] == "" ? "" : "to " size(to[levels])
}

function last_claimed() { return meta["l4_bytes"] > 0 ? 4 : meta["l3_bytes"] > 0 ? 3 : 2 }

function add_rate() {
    if (text("op") != "read" || number("threads") > 1 || number("spacing_bytes") > 8) return
    if (number("gb_per_s") == "" || number("bytes") == "" || number("delay_ns") != "") return
    rate_bytes[++rates] = number("bytes")
    rate_of[rates] = number("gb_per_s")
}

function best_rate(k,   i, best) {
    for (i = 1; i <= rates; i++)
        if (from[k] != "" && rate_bytes[i] >= from[k] && (rate_bytes[i] <= to[k] || is_memory[k]) &&
            (best == "" || rate_of[i] > best)) best = rate_of[i]
    return best
}

function add_step(what, holds, ns, rate) {
    if (ns != "" && ns <= 0) ns = ""
    if (rate != "" && rate <= 0) rate = ""
    if (ns != "" && (least_ns == "" || ns < least_ns)) least_ns = ns
    if (ns != "" && ns > most_ns) most_ns = ns
    if (rate != "" && (least_rate == "" || rate < least_rate)) least_rate = rate
    if (rate != "" && rate > most_rate) most_rate = rate
    step[++steps] = what "\t" (holds == "" ? " " : holds) "\t" (ns == "" ? "-" : ns) "\t" \
        (rate == "" ? "-" : rate) "\t" (ns == "" ? nothing : time_text(ns)) "\t" \
        (rate == "" ? nothing : sprintf("%.3g GB/s", rate))
}

function time_text(ns) {
    return ns < 1000 ? sprintf("%.3g ns", ns) : ns < 1e6 ? sprintf("%.3g us", ns / 1e3) : sprintf("%.3g ms", ns / 1e6)
}
