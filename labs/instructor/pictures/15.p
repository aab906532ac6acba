# The same TLB, pages further and further apart.
set title "The same TLB, pages further and further apart" noenhanced
set xlabel "pages"
set ylabel "ns per load"
set logscale x 2
set format x "2^{%L}"
set yrange [0:40]
set datafile missing NaN
at(spacing) = $3 == spacing ? $1 : NaN
plot "guest.tsv" using (at(4096.)):5 smooth unique with linespoints lt 1 title "side by side", \
     "" using (at(524288.)):5 smooth unique with linespoints lt 2 title "128 pages apart", \
     "" using (at(4194304.)):5 smooth unique with linespoints lt 3 title "1024 pages apart", \
     "" using (at(67108864.)):5 smooth unique with linespoints lt 4 title "16384 pages apart"
