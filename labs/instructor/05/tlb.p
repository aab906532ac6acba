# The three series of exercise 05 in one graph.
set terminal png size 640,420
set output "tlb.png"
set title "TLB benchmark, 10 Mi references"
set key left top
set xlabel "number of pages"
set ylabel "process time in s"
set logscale x 2
plot "tlb4K.dat" using 1:2 with linespoints title "page size 4K bytes", \
     "tlb64.dat" using 1:2 with linespoints title "page size 64 bytes", \
     "dummy.dat" using 1:2 with linespoints title "dummy"
