# The cost of translation of each sample, and the medians.
costs = "awk -F '\\t' '$2 == \"page\" { ns[$1, $4] = $5 } \
    $2 == \"packed\" { printf \"%d\\t%.3f\\n\", $1, ns[$1, $4] - $5 }' noisy.tsv | sort -k1,1n -k2,2g"
medians = costs." | awk -F '\\t' '{ if ($1 != n && k) { print n FS ns[int((k + 1) / 2)]; k = 0 } \
    n = $1; ns[++k] = $2 } END { print n FS ns[int((k + 1) / 2)] }'"
set title "page minus packed, simulated: 88 and 1536 translations" noenhanced
set xlabel "nodes"
set ylabel "ns per load"
set datafile nocolumnheaders
set logscale x 2
set yrange [-2:12]
plot "< ".costs using 1:2 with points lc rgb "#999999" pt 7 ps 0.3 title "a sample", \
     "< ".medians using 1:2 with lines lt 1 title "the median of five"
