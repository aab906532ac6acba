# My loads from lines, beside the loops alone that I measured in 02, if they are there.
set title "64-byte pages: mine" noenhanced
set xlabel "number of pages"
set ylabel "process time in s"
set yrange [0:*]
dummy = "../02-dummy-loop/dummy.dat"
there = system("test -s ".dummy." && echo yes") eq "yes"
plot "line.dat" using "pages":"proc" with linespoints title "a load", \
     for [k = 1 : there] dummy using "pages":"proc" with linespoints lt 2 title "sum++"
