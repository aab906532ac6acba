# Loads from lines beside the loops alone.
set title "64-byte pages, 10 Mi references" noenhanced
set xlabel "number of pages"
set ylabel "process time in s"
set yrange [0:*]
set key right bottom
plot "line.dat" using 1:2 with linespoints title "a load", \
     "dummy.dat" using 1:2 with linespoints title "sum++"
