# My real pages beside my lines.
set title "Doubling the pages: mine" noenhanced
set xlabel "number of pages"
set ylabel "process time in s"
set logscale x 2
set yrange [0:*]
plot data("tlb4K.dat") using "pages":"proc" with lines lt 9 title "expected", \
     data("tlb64.dat") using "pages":"proc" with lines lt 9 dt 2 title "", \
     "tlb4K.dat" using "pages":"proc" with linespoints lt 1 title "real pages", \
     "tlb64.dat" using "pages":"proc" with linespoints lt 2 title "64 bytes"
