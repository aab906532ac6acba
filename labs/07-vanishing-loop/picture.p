# Five ways to write the same loop, in cycles. A time of 0 has no place on a logarithmic axis: it is drawn at its
# lower end.
set title "A read that waits for the one before, five ways to write it".whose noenhanced
set xlabel "lines"
set ylabel "cycles per read"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
set format y "10^{%L}"
set yrange [1e-5:1e4]
set key at graph 0.3, first 0.15
above(cycles) = cycles > 1e-4 ? cycles : 1e-4
cycles(x) = mine ? above(column("cycles")) : column("ns") / 0.279 # those in data/ are rounded
if (mine) set label "0 is drawn here" at graph 0.98, first 2.2e-5 right tc rgb "#666666"
set arrow from graph 0, first 1 to graph 1, first 1 nohead dt 3 lc rgb "#666666"
set label "one cycle" at graph 0.98, first 1.6 right tc rgb "#666666"
ways = "volatile sink barrier half plain"
plot for [k = 1 : 5 * mine] data(word(ways, k).".dat") using "pages":(cycles(0)) with lines lt 9 title expected(k), \
     for [k = 1 : 5] word(ways, k).".dat" using "pages":(cycles(0)) with linespoints lt k title word(ways, k)
