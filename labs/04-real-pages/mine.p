# My real pages beside my lines.
set title "Doubling the pages: mine" noenhanced
set xlabel "number of pages"
set ylabel "process time in s"
set logscale x 2
set yrange [0:*]
plot "tlb4K.dat" using "pages":"proc" with linespoints title "real pages", \
     "tlb64.dat" using "pages":"proc" with linespoints title "64 bytes"
