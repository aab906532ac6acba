# My structures of the same items, by size.
set title "An item, a look-up: the same work in five ways: mine" noenhanced
set xlabel "bytes"
set ylabel "ns"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
set yrange [0.1:5000]
set datafile missing NaN
of(kind) = strcol(1) eq kind ? $2 : NaN
plot for [kind in "shuffled list array"] data("list.dat") using (of(kind)):4 with lines lt 9 title kind eq "list" ? "expected" : "", \
     for [kind in "chained independent"] data("hash.dat") using (of(kind)):4 with lines lt 9 dt 2 title "", \
     "list.dat" using (of("shuffled")):4 with linespoints lt 1 title "shuffled list", \
     "list.dat" using (of("list")):4 with linespoints lt 2 title "list in order", \
     "list.dat" using (of("array")):4 with linespoints lt 3 title "array", \
     "hash.dat" using (of("chained")):4 with linespoints lt 4 title "look-ups, chained", \
     "hash.dat" using (of("independent")):4 with linespoints lt 5 title "look-ups, independent"
