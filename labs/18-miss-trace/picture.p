# The share of the misses by page: by increasing misses; and of the hottest, as my program computes it.
set xrange [0:100]
set yrange [0:100]
if (mine) {
    set title "A breadth-first search, the hottest pages: mine" noenhanced
    set xlabel "hottest pages, per cent of all"
    set ylabel "their misses, per cent of all"
    set key right bottom
    plot data("cdf.tsv") using (100 - column("pages_percent")):(100 - column("cumulative_percent")) with lines lt 9 title "expected", \
         "share.dat" using "pages_percent":"misses_percent" with linespoints lt 1 title "misses", \
         x with lines lc rgb "#808080" dt 3 title "if all pages had equally many"
} else {
    set title "A breadth-first search: misses by page" noenhanced
    set xlabel "pages, by increasing misses (per cent)"
    set ylabel "cumulative misses (per cent)"
    plot "cdf.tsv" using "pages_percent":"cumulative_percent" with lines lt 1 title "misses", \
         x with lines lc rgb "#808080" dt 3 title "if all pages had equally many"
}
