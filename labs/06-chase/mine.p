# My chain in order and in disorder.
set title "A chain of loads, 64 bytes apart: mine" noenhanced
set xlabel "nodes"
set ylabel "ns per load"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
plot "random.dat" using "pages":"ns" with linespoints title "random", \
     "linear.dat" using "pages":"ns" with linespoints title "linear"
