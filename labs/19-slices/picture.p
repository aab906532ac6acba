# The slices of lines, 32 in a row: the base repeats with its indices XORed.
set title mine ? "Slices of the lines that were asked: mine" : "Slices of 2048 lines, 32 in a row" noenhanced
set xlabel "line in its row"
set ylabel "row"
set cblabel "slice"
unset grid
set xtics 0, 4
set ytics auto
table = mine ? "mine.dat" : "map.tsv"
lines = 2048
stats table using 2 every ::0::lines-1 nooutput
set xrange [-0.5:31.5]
set yrange [int((STATS_records - 1) / 32) + 0.5:-0.5]
set cbrange [-0.5:STATS_max + 0.5]
set cbtics 0, 1, STATS_max
set palette maxcolors STATS_max + 1 defined (0 "#fff7e0", 1 "#f6c667", 2 "#d9723b", 3 "#98304f", 4 "#32124a")
plot table every ::0::lines-1 using (int($0) % 32):(int($0) / 32):2 with image notitle
