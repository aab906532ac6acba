# The map of the first lines, 32 to a row: the base repeats with its indices XORed.
set title "Slices of 2048 lines, 32 in a row" noenhanced
set xlabel "line in its row"
set ylabel "row"
set cblabel "slice"
unset logscale
unset grid
set xtics 0, 4
set ytics auto
set xrange [-0.5:31.5]
set yrange [63.5:-0.5]
set cbrange [-0.5:4.5]
set cbtics 0, 1, 4
set palette maxcolors 5 defined (0 "#fff7e0", 1 "#f6c667", 2 "#d9723b", 3 "#98304f", 4 "#32124a")
plot "map.tsv" every ::0::2047 using (int($0) % 32):(int($0) / 32):2 with image notitle
