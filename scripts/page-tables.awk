# page-tables.awk: splits the tables that scripts/page has joined into files WORK/table.1, …, and writes WORK/list:
# for each its number, its kind, the number of its file, the first command in that file, which samples share
# with what was found in them, and the file's name, tab-separated.

BEGIN { FS = OFS = "\t"; work = ENVIRON["WORK"] }

/^# page-file: / {
    begin()
    file = substr($0, 14)
    files++
    line = 0
    command = "-"
    next
}

{ line++ }

# A table ends where metadata follow its rows.
/^#/ {
    if (rows) begin()
    held = held $0 "\n"
    if (/\t/) header = $0
    if (command == "-" && /^# command: ./) command = substr($0, 12)
    next
}

/^[ \t]*$/ { next }

!rows++ {
    named = /^[ \t]*[A-Za-z]/
    if (!named && header == "") bad("no header line")
    table = work "/table." ++tables
    printf "%s", held > table
    if (!named) print substr(header, 2) > table
    type = kind(named ? $0 : header)
}

# Samples of caches are in layout local.
rows == 2 && type == "samples" && layout && $layout == "local" { type = "caches" }

{ print > table }

END {
    if (!broken && !tables) bad("no table in the input")
    if (broken) exit 2
    begin()
}

function begin() {
    gsub(/\t/, " ", command)
    if (rows) print tables, type, files, command, file > (work "/list")
    if (table != "") close(table)
    held = header = ""
    rows = 0
}

function kind(names,   name, k, has) {
    sub(/^#/, "", names)
    layout = 0
    for (k = split(names, name, "\t"); k > 0; k--) {
        gsub(/^ +| +$/, "", name[k])
        has[name[k]] = 1
        if (name[k] == "layout") layout = k
    }
    return "question" in has ? "explain" \
         : "penalty_ns" in has ? "penalties" \
         : "relation" in has ? "organisation" \
         : "idle_cycles" in has ? "latencies" \
         : "gb_per_s" in has && "op" in has ? "rates" \
         : "misses" in has && "share" in has ? "misses" \
         : "before" in has && "change_percent" in has ? "changes" \
         : "core_a" in has ? "pairs" \
         : "core_node" in has ? "nodes" \
         : "method" in has && "structure" in has ? "boundaries" \
         : "pages" in has && "ns" in has ? "samples" \
         : "pages" in has && ("proc" in has || "proc_s" in has) ? "lab" : "table"
}

function bad(what) {
    printf "page: %s%s: %s\n", file, line ? ":" line : "", what > "/dev/stderr"
    broken = 1
    exit 2
}
