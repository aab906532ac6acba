# Rates of loops by working set, beside those of `bandwidth`; and the latency of one load.
set title "Reads by working set".(mine ? whose : ", and the latency of one") noenhanced
set xlabel "bytes"
set ylabel "GB/s"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
set yrange [1:5000]
set xrange [8192:6e8]
of(op) = strcol("op") eq op ? column("bytes") : NaN
set datafile missing NaN
if (mine) {
    set key right top
    plot data("own.tsv") using (of("sum_four")):"gb_per_s" with lines lt 9 title "expected", \
         data("own.tsv") using (of("sum")):"gb_per_s" with lines lt 9 dt 2 title "", \
         "toolkit.dat" using (of("read")):"gb_per_s" with points lt 1 title "bandwidth --op read", \
         "rates.dat" using (of("sum_four")):"gb_per_s" with linespoints lt 3 title "four sums in C", \
         "rates.dat" using (of("sum")):"gb_per_s" with linespoints lt 2 title "one sum in C"
} else {
    set y2label "ns per load"
    set logscale y2 10
    set ytics nomirror
    set y2tics out
    set y2range [1:5000]
    set linetype 4 lc rgb "#000000" lw 2 dt 3 pt 6 ps 0.7
    plot "rates.tsv" using (column("threads") == 1 ? of("read") : NaN):"gb_per_s" with points lt 1 title "read, the best kernel", \
         "own.tsv" using (of("sum_four")):"gb_per_s" with linespoints lt 3 title "four sums in C", \
         "own.tsv" using (of("sum")):"gb_per_s" with linespoints lt 2 title "one sum in C", \
         "latency.tsv" using "bytes":"ns" axes x1y2 with lines lt 4 title "a load of a chain, ns (right)"
}
