# The cost of translation on my machine, what my program finds in it, and what `detect` finds.
set title "page minus packed, and what is found in it: mine" noenhanced
set xlabel "nodes"
set ylabel "ns per load, the shortest of all samples"
set logscale x 2
entries(file) = "< awk -F '\t' '".columns."$1 == \"dtlb\" { print $at[\"entries\"] }' ".file
is_there(file) = system("grep -c '^dtlb' ".file) + 0 > 0
set datafile nocolumnheaders
stats both("sweep.dat") skip 1 using ($2 - $3) nooutput
high = STATS_max > 11 ? 1.1 * STATS_max : 12
set yrange [-2:high]
plot both(recorded."noisy.tsv") skip 1 using 1:($2 - $3) with lines lt 9 title "expected of the machine of noisy.tsv", \
     both("sweep.dat") skip 1 using 1:($2 - $3) with linespoints lt 1 title "page minus packed", \
     for [k = 1 : is_there("found.dat")] entries("found.dat") using 1:(0):(0):(high) with vectors nohead \
        lt 2 title "my program", \
     for [k = 1 : is_there("ours.dat")] entries("ours.dat") using 1:(0):(0):(high) with vectors nohead \
        lt 3 title "detect"
