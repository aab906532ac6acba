# The read rate of one core by kind of loop, and the latency of one load.
set title "Reads by working set, and the latency of one" noenhanced
set xlabel "bytes"
set ylabel "GB/s"
set y2label "ns per load"
set logscale x 2
set logscale y 10
set logscale y2 10
set format x "2^{%L}"
set ytics nomirror
set y2tics out
set yrange [1:5000]
set y2range [1:5000]
set xrange [8192:6e8]
set linetype 4 lc rgb "#000000" lw 2 dt 3 pt 6 ps 0.7
plot "rates.tsv" using (strcol(1) eq "read" && $4 == 1 ? $2 : NaN):7 with points lt 1 title "read, the best kernel", \
     "own.tsv" using (strcol(1) eq "sum_four" ? $2 : NaN):3 with linespoints lt 3 title "four sums in C", \
     "own.tsv" using (strcol(1) eq "sum" ? $2 : NaN):3 with linespoints lt 2 title "one sum in C", \
     "latency.tsv" using 1:2 axes x1y2 with lines lt 4 title "a load of a chain, ns (right)"
