# slowdown.p: how many times slower programs run while they are traced.
#
# Example: tests/bench/trace >trace.tsv && scripts/plot --output slowdown.png slowdown trace.tsv
#
# IN: a table of tests/bench/trace.

most = number("most")

unset logscale x
set xtics autofreq noenhanced
set datafile missing "-"
set ylabel "times slower than gcc -O2"
set yrange [0 : most > 1 ? most * 1.1 : 1.1]
set style data histogram
set style histogram cluster gap 1
set style fill solid 0.7 noborder
set key below
set bmargin dumb ? 5 : 6

plot $DATA using 2:xtic(1) title "accesses recorded", $DATA using 3 fs pattern 2 title "misses recorded"
