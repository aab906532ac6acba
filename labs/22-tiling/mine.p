# The time of a multiplication by block, with rows of 4096 bytes and with 64 bytes more; and the misses
# of the simulated TLB.
set title "A product in tiles: mine" noenhanced
set xlabel "block"
set ylabel "ns for a multiplication"
set y2label "simulated TLB misses"
set logscale x 2
set logscale y2
set format y2 "10^{%L}"
set y2tics nomirror
set border 11
set yrange [0:*]
set key outside bottom center horizontal
set bmargin 6
of(bytes) = column("row_bytes") == bytes ? column("ns") : NaN
set datafile missing NaN
plot for [bytes in "4096 4160"] data("times.tsv") using "block":(of(bytes + 0)) with lines lt 9 title bytes eq "4096" ? "expected" : "", \
     "times.dat" using "block":(of(4096)) with linespoints lt 1 title "rows of 4096 bytes", \
     "times.dat" using "block":(of(4160)) with linespoints lt 2 title "rows of 4160 bytes", \
     "misses.dat" using "block":"misses" axes x1y2 with linespoints lt 5 title "TLB misses, rows of 4096"
