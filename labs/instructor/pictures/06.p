# One chain in order, one in disorder.
set title "A chain of loads, 64 bytes apart" noenhanced
set xlabel "nodes"
set ylabel "ns per load"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
plot "random.dat" using 1:4 with linespoints title "random", \
     "linear.dat" using 1:4 with linespoints title "linear"
