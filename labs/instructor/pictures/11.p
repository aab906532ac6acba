# One node on each page, as many in adjacent lines, and the difference.
least = "awk -F '\\t' '/^[0-9]/ { k = $1 FS $2; if (!(k in ns) || $5 < ns[k]) ns[k] = $5; size[$1] } \
    END { for (n in size) print n FS ns[n FS \"page\"] FS ns[n FS \"packed\"] }' recorded.dat | sort -n"
set title "As many nodes: one to a page, and packed" noenhanced
set xlabel "nodes"
set ylabel "ns per load, the shortest of three passes"
set datafile nocolumnheaders
set logscale x 2
set logscale y 10
set yrange [0.08:200]
above(ns) = ns > 0.1 ? ns : 0.1
set label "0.1 ns or less" at 16, 0.14 tc rgb "#666666"
plot "< ".least using 1:2 with linespoints title "page", \
     "< ".least using 1:3 with linespoints title "packed", \
     "< ".least using 1:(above($2 - $3)) with linespoints title "page minus packed: translation"
