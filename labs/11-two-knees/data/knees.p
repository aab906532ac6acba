# knees.p: draws sweep.dat to tlb.png: a point for each sample of each pass.
#
# Usage: gnuplot data/knees.p
set terminal pngcairo size 640,420
set output "tlb.png"
set datafile separator tab
set datafile columnheaders
set title "As many nodes, two layouts"
set xlabel "nodes"
set ylabel "ns per load"
set logscale x 2
set yrange [0:*]
set key left top
plot "sweep.dat" using (strcol("layout") eq "page" ? column("pages") : NaN):"ns" title "page", \
     "sweep.dat" using (strcol("layout") eq "packed" ? column("pages") : NaN):"ns" title "packed"
