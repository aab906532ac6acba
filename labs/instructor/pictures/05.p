# The three series of the printed lab.
set title "TLB benchmark, 10 Mi references" noenhanced
set xlabel "number of pages"
set ylabel "process time in s"
set logscale x 2
set yrange [0:*]
plot "tlb4K.dat" using 1:2 with linespoints title "page size 4K bytes", \
     "tlb64.dat" using 1:2 with linespoints title "page size 64 bytes", \
     "dummy.dat" using 1:2 with linespoints title "dummy"
