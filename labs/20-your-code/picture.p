# Structures of the same items, by size.
set title "An item, a look-up: the same work in five ways".whose noenhanced
set xlabel "bytes"
set ylabel "ns"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
set linetype 4 lc rgb "#CC79A7" lw 2 dt 2 pt 8 ps 0.7
set linetype 5 lc rgb "#000000" lw 2 dt 3 pt 6 ps 0.7
set yrange [0.1:5000]
set datafile missing NaN
of(kind) = strcol(1) eq kind ? $2 : NaN
plot for [k = 1 : 3 * mine] data("list.dat") using (of(word("shuffled list array", k))):4 with lines lt 9 title expected(k), \
     for [k = 1 : 2 * mine] data("hash.dat") using (of(word("chained independent", k))):4 with lines lt 9 dt 2 title "", \
     "list.dat" using (of("shuffled")):4 with linespoints lt 1 title "shuffled list", \
     "list.dat" using (of("list")):4 with linespoints lt 2 title "list in order", \
     "list.dat" using (of("array")):4 with linespoints lt 3 title "array", \
     "hash.dat" using (of("chained")):4 with linespoints lt 4 title "look-ups, chained", \
     "hash.dat" using (of("independent")):4 with linespoints lt 5 title "look-ups, independent"
