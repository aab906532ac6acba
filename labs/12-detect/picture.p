# The cost of translation: of the machine of noisy.tsv, each sample and the median of five; of mine, the shortest, what
# my program finds in it, and what `detect` finds.
set xlabel "nodes"
set logscale x 2
set datafile nocolumnheaders
if (mine) {
    set title "page minus packed, and what is found in it: mine" noenhanced
    set ylabel "ns per load, the shortest of all samples"
    entries(file) = "< awk -F '\t' '".columns."$1 == \"dtlb\" { print $at[\"entries\"] }' ".file
    is_there(file) = system("grep -c '^dtlb' ".file) + 0 > 0
    stats both("sweep.dat") skip 1 using ($2 - $3) nooutput
    high = STATS_max > 11 ? 1.1 * STATS_max : 12
    set yrange [-2:high]
    plot both(recorded("noisy.tsv")) skip 1 using 1:($2 - $3) with lines lt 9 title "expected of the machine of noisy.tsv", \
         both("sweep.dat") skip 1 using 1:($2 - $3) with linespoints lt 1 title "page minus packed", \
         for [k = 1 : is_there("found.dat")] entries("found.dat") using 1:(0):(0):(high) with vectors nohead \
            lt 2 title "my program", \
         for [k = 1 : is_there("ours.dat")] entries("ours.dat") using 1:(0):(0):(high) with vectors nohead \
            lt 3 title "detect"
} else {
    set title "page minus packed, simulated: 88 and 1536 translations" noenhanced
    set ylabel "ns per load"
    set yrange [-2:12]
    costs = "awk -F '\\t' '$2 == \"page\" { ns[$1, $4] = $5 } \
        $2 == \"packed\" { printf \"%d\\t%.3f\\n\", $1, ns[$1, $4] - $5 }' noisy.tsv | sort -k1,1n -k2,2g"
    medians = costs." | awk -F '\\t' '{ if ($1 != n && k) { print n FS ns[int((k + 1) / 2)]; k = 0 } \
        n = $1; ns[++k] = $2 } END { print n FS ns[int((k + 1) / 2)] }'"
    plot "< ".costs using 1:2 with points lc rgb "#999999" pt 7 ps 0.3 title "a sample", \
         "< ".medians using 1:2 with lines lt 1 title "the median of five"
}
