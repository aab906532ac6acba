# The same TLB, pages further and further apart; and how many pages at each distance my model of one holds.
set logscale x 2
set format x "2^{%L}"
if (mine) {
    set title "How many pages fit, by their distance: mine" noenhanced
    set xlabel "distance in pages"
    set ylabel "pages that fit"
    set logscale y 2
    plot "linear.dat" using "spacing":"reach" with linespoints title "indexed by the low bits", \
         "folded.dat" using "spacing":"reach" with linespoints title "folded"
} else {
    set title "The same TLB, pages further and further apart" noenhanced
    set xlabel "pages"
    set ylabel "ns per load"
    set yrange [0:40]
    set datafile missing NaN
    at(spacing) = column("spacing_bytes") == spacing ? column("pages") : NaN
    plot "guest.tsv" using (at(4096.)):"ns" smooth unique with linespoints lt 1 title "side by side", \
         "" using (at(524288.)):"ns" smooth unique with linespoints lt 2 title "128 pages apart", \
         "" using (at(4194304.)):"ns" smooth unique with linespoints lt 3 title "1024 pages apart", \
         "" using (at(67108864.)):"ns" smooth unique with linespoints lt 4 title "16384 pages apart"
}
