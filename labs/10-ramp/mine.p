# My pieces of work, one after the other; the median of each is 1.
set title "The same work again and again: mine" noenhanced
set xlabel "sample"
set ylabel "time; the median is 1"
set xrange [-0.5:40]
set yrange [0.5:5]
set key right top
stats "ramp.dat" using "ns" nooutput
work = STATS_median
stats "cold.dat" using "ns" nooutput
loads = STATS_median
plot data("ramp.tsv") using "sample":(column("ns") / 0.9524) with lines lt 9 title "expected of a cold laptop", \
     "ramp.dat" using "sample":(column("ns") / work) with points lt 2 title "my pieces of work", \
     "cold.dat" using "sample":(column("ns") / loads) with linespoints lt 1 title "loads after a pause (chase --mistake cold)", \
     "warm.dat" using "sample":(column("ns") / loads) with linespoints lt 3 title "loads after a warm-up"
