# The time of a multiplication by block, as it was recorded, and the misses of the simulated machine.
set title "A product in tiles: time on a virtual Zen 4, misses on the simulated machine" noenhanced
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
missed(bytes) = column("row_bytes") == bytes ? column("tlb_misses") : NaN
set datafile missing NaN
plot "times.tsv" using "block":(of(4096)) with linespoints lt 1 title "rows of 4096 bytes", \
     "times.tsv" using "block":(of(4160)) with linespoints lt 2 title "rows of 4160 bytes", \
     "costs.tsv" using "block":(missed(4096)) axes x1y2 with linespoints lt 5 title "TLB misses, rows of 4096"
