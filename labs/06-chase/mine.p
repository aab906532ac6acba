# My chain in order and in disorder.
set title "A chain of loads, 64 bytes apart: mine" noenhanced
set xlabel "nodes"
set ylabel "ns per load"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
plot data("random.dat") using "pages":"ns" with lines lt 9 title "expected", \
     data("linear.dat") using "pages":"ns" with lines lt 9 dt 2 title "", \
     "random.dat" using "pages":"ns" with linespoints lt 1 title "random", \
     "linear.dat" using "pages":"ns" with linespoints lt 2 title "linear"
