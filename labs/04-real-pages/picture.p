# Real pages beside lines.
set title "Doubling from 4 to 4096 pages".whose noenhanced
set xlabel "number of pages"
set ylabel "process time in s"
set logscale x 2
set yrange [0:*]
plot for [k = 1 : 2 * mine] data(word("tlb4K tlb64", k).".dat") using "pages":"proc" with lines lt 9 dt k title expected(k), \
     "tlb4K.dat" using "pages":"proc" with linespoints lt 1 title "4096 bytes", \
     "tlb64.dat" using "pages":"proc" with linespoints lt 2 title "64 bytes"
