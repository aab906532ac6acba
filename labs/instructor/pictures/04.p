# Real pages beside lines.
set title "Doubling from 4 to 4096 pages" noenhanced
set xlabel "number of pages"
set ylabel "process time in s"
set logscale x 2
set yrange [0:*]
plot "tlb4K.dat" using 1:2 with linespoints title "4096 bytes", \
     "tlb64.dat" using 1:2 with linespoints title "64 bytes"
