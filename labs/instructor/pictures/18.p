# Cumulative misses by page: the pages with the fewest first.
set title "A breadth-first search: misses by page" noenhanced
set xlabel "pages, by increasing misses (per cent)"
set ylabel "cumulative misses (per cent)"
set xrange [0:100]
set yrange [0:100]
plot "cdf.tsv" using "pages_percent":"cumulative_percent" with lines lt 1 title "misses", \
     x with lines lc rgb "#808080" dt 3 title "if all pages had equally many"
