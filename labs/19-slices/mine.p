# The map that I solved, 32 lines to a row: the base repeats with its indices XORed.
set title "Slices of the lines that were asked: mine" noenhanced
set xlabel "line in its row"
set ylabel "row"
set cblabel "slice"
unset grid
set xtics 0, 4
set ytics auto
stats "mine.dat" using 2 nooutput
set xrange [-0.5:31.5]
set yrange [int((STATS_records - 1) / 32) + 0.5:-0.5]
set cbrange [-0.5:STATS_max + 0.5]
set cbtics 0, 1, STATS_max
set palette maxcolors STATS_max + 1 defined (0 "#fff7e0", 1 "#f6c667", 2 "#d9723b", 3 "#98304f", 4 "#32124a")
plot "mine.dat" using (int($0) % 32):(int($0) / 32):2 with image notitle
