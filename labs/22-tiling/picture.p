# The time of a multiplication by block, with rows of 4096 bytes and with 64 bytes more; and the misses of the
# simulated TLB.
set title "A product in tiles".(mine ? whose : ": time on a virtual Zen 4, misses on the simulated machine") noenhanced
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
set datafile missing NaN
of(bytes, name) = column("row_bytes") == bytes ? column(name) : NaN
times = mine ? "times.dat" : "times.tsv"
misses = mine ? "misses.dat" : "costs.tsv"
plot for [k = 1 : 2 * mine] data("times.tsv") using "block":(of(word("4096 4160", k) + 0, "ns")) with lines lt 9 title expected(k), \
     times using "block":(of(4096, "ns")) with linespoints lt 1 title "rows of 4096 bytes", \
     times using "block":(of(4160, "ns")) with linespoints lt 2 title "rows of 4160 bytes", \
     misses using "block":(mine ? column("misses") : of(4096, "tlb_misses")) axes x1y2 with linespoints lt 5 title "TLB misses, rows of 4096"
