# Splintered huge pages: nodes at the distance of small pages, and of huge ones.
set title "Huge pages on a virtual machine" noenhanced
set xlabel "nodes"
set ylabel "ns per load"
set logscale x 2
set format x "2^{%L}"
set yrange [0:25]
set datafile missing NaN
at(page, spacing) = $4 == page && $3 == spacing ? $1 : NaN
plot "recorded.tsv" using (at(4096.0, 4096.0)):6 smooth unique with linespoints lt 1 title "small pages, 4 KiB apart", \
     "" using (at(2097152.0, 4096.0)):6 smooth unique with linespoints lt 3 title "huge pages, 4 KiB apart", \
     "" using (at(2097152.0, 2097152.0)):6 smooth unique with linespoints lt 2 title "huge pages, 2 MiB apart"
