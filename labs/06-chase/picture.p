# One chain in order, one in disorder.
set title "A chain of loads, 64 bytes apart".whose noenhanced
set xlabel "nodes"
set ylabel "ns per load"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
plot for [k = 1 : 2 * mine] data(word("random linear", k).".dat") using "pages":"ns" with lines lt 9 dt k title expected(k), \
     "random.dat" using "pages":"ns" with linespoints lt 1 title "random", \
     "linear.dat" using "pages":"ns" with linespoints lt 2 title "linear"
