# tlb.p: the graph of exercise 05. gnuplot tlb.p
set terminal png size 640,420
set output "tlb.png"

# HOLE: a title, and what the axes show. The number of pages doubles: what does that ask of the x
# axis? Then the two other series: tlb64.dat and dummy.dat, each with a title of its own.
plot "tlb4K.dat" using 1:2 with linespoints
