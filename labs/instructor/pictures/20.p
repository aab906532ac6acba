# Structures of the same items, by size.
set title "An item, a look-up: the same work in five ways" noenhanced
set xlabel "bytes"
set ylabel "ns"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
set linetype 4 lc rgb "#CC79A7" lw 2 dt 2 pt 8 ps 0.7
set linetype 5 lc rgb "#000000" lw 2 dt 3 pt 6 ps 0.7
set yrange [0.1:5000]
plot "list.dat" using (strcol(1) eq "shuffled" ? $2 : NaN):4 with linespoints lt 1 title "shuffled list", \
     "list.dat" using (strcol(1) eq "list" ? $2 : NaN):4 with linespoints lt 2 title "list in order", \
     "list.dat" using (strcol(1) eq "array" ? $2 : NaN):4 with linespoints lt 3 title "array", \
     "hash.dat" using (strcol(1) eq "chained" ? $2 : NaN):4 with linespoints lt 4 title "look-ups, chained", \
     "hash.dat" using (strcol(1) eq "independent" ? $2 : NaN):4 with linespoints lt 5 title "look-ups, independent"
