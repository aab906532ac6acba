# My loops' rates by working set, beside those of `bandwidth`.
set title "Reads by working set: mine" noenhanced
set xlabel "bytes"
set ylabel "GB/s"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
set key right top
set yrange [1:5000]
set xrange [8192:6e8]
of(op) = strcol("op") eq op ? column("bytes") : NaN
set datafile missing NaN
plot data("own.tsv") using (of("sum_four")):"gb_per_s" with lines lt 9 title "expected", \
     data("own.tsv") using (of("sum")):"gb_per_s" with lines lt 9 dt 2 title "", \
     "toolkit.dat" using (of("read")):"gb_per_s" with points lt 1 title "bandwidth --op read", \
     "rates.dat" using (of("sum_four")):"gb_per_s" with linespoints lt 3 title "four sums in C", \
     "rates.dat" using (of("sum")):"gb_per_s" with linespoints lt 2 title "one sum in C"
