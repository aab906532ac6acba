# Latency curves; of xeon.tsv its slope and the sizes that the system claims, of mine where four methods put the ends
# of the caches.
set xlabel "bytes"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
set xrange [4096:1.2e9]
if (mine) {
    set title "Loads a line apart, and where the caches end: mine" noenhanced
    set ylabel "ns per load, the shortest of all samples"
    bytes(file, name) = "< awk -F '\t' '".columns."$at[\"".name."\"] + 0 > 0 { print $at[\"".name."\"] }' ".file
    rows(file) = system("grep -cE '^(cache|[0-9])' ".file) + 0 > 0
    set datafile nocolumnheaders
    stats least("line.dat", "line", "") skip 1 using 2 nooutput
    high = STATS_max > 200 ? 10 * STATS_max : 2000
    set yrange [0.5:high]
    plot least(recorded("xeon-line.tsv"), "", "") skip 1 using ($1 * 64):2 with points lt 9 title "expected", \
         least(recorded("xeon.tsv"), "", "") skip 1 using ($1 * 64):2 with lines lt 9 title "", \
         least("line.dat", "line", "") skip 1 using ($1 * 64):2 with points lt 1 title "every line at random", \
         least("local.dat", "local", "") skip 1 using ($1 * 64):2 with lines lt 3 title "page after page", \
         for [k = 1 : rows("own.dat")] bytes("own.dat", "bytes") using 1:(0.5):(0):(high) with vectors nohead \
            lt 2 title "my program", \
         for [k = 1 : rows("caches.dat")] bytes("caches.dat", "bytes_max") using 1:(0.5):(0):(high) with vectors nohead \
            lt 5 title "detect, its upper end"
} else {
    set title "Loads a line apart: the curve, and how steep it is" noenhanced
    set ylabel "ns per load"
    set y2label "slope"
    set ytics nomirror
    set y2tics out
    set yrange [1:2000]
    set y2range [0:12]
    claim(k) = word("49152 2097152 503316480", k) + 0
    do for [k = 1 : 3] {
        set arrow from claim(k), 1 to claim(k), 100 nohead dt 3 lc rgb "#666666"
        set label (k == 1 ? "claimed: " : "").word("L1 L2 L3", k) at claim(k), 130 center tc rgb "#666666"
    }
    bytes = 64
    plot "xeon-line.tsv" using (column("pages") * bytes):"ns" with points title "every line at random", \
         "xeon.tsv" using (column("pages") * bytes):"ns" smooth unique with lines lt 1 lc 3 title "page after page", \
         "slope.dat" using 1:3 axes x1y2 with lines lt 2 title "its slope (right)"
}
