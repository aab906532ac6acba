# My latency curves, and where four methods put the ends of the caches.
set title "Loads a line apart, and where the caches end: mine" noenhanced
set xlabel "bytes"
set ylabel "ns per load, the shortest of all samples"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
bytes(file, name) = "< awk -F '\t' '".columns."$at[\"".name."\"] + 0 > 0 { print $at[\"".name."\"] }' ".file
rows(file) = system("grep -cE '^(cache|[0-9])' ".file) + 0 > 0
set datafile nocolumnheaders
stats least("line.dat", "line", "") skip 1 using 2 nooutput
high = STATS_max > 200 ? 10 * STATS_max : 2000
set xrange [4096:1.2e9]
set yrange [0.5:high]
plot least(recorded."xeon-line.tsv", "", "") skip 1 using ($1 * 64):2 with points lt 9 title "expected", \
     least(recorded."xeon.tsv", "", "") skip 1 using ($1 * 64):2 with lines lt 9 title "", \
     least("line.dat", "line", "") skip 1 using ($1 * 64):2 with points lt 1 title "every line at random", \
     least("local.dat", "local", "") skip 1 using ($1 * 64):2 with lines lt 3 title "page after page", \
     for [k = 1 : rows("own.dat")] bytes("own.dat", "bytes") using 1:(0.5):(0):(high) with vectors nohead \
        lt 2 title "my program", \
     for [k = 1 : rows("caches.dat")] bytes("caches.dat", "bytes_max") using 1:(0.5):(0):(high) with vectors nohead \
        lt 5 title "detect, its upper end"
