# The share of misses of the hottest pages, as my program computes it.
set title "A breadth-first search, the hottest pages: mine" noenhanced
set xlabel "hottest pages, per cent of all"
set ylabel "their misses, per cent of all"
set xrange [0:100]
set yrange [0:100]
set key right bottom
plot data("cdf.tsv") using (100 - column("pages_percent")):(100 - column("cumulative_percent")) with lines lt 9 title "expected", \
     "share.dat" using "pages_percent":"misses_percent" with linespoints lt 1 title "misses", \
     x with lines lc rgb "#808080" dt 3 title "if all pages had equally many"
