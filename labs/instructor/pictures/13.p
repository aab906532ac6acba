# The same number of pages at four distances, and as many lines on few pages.
set title "As many pages, further and further apart" noenhanced
set xlabel "pages"
set ylabel "ns per load"
set logscale x 2
set format x "2^{%L}"
set datafile missing NaN
at(layout, spacing) = strcol(2) eq layout && (layout eq "packed" || $3 == spacing) ? $1 : NaN
plot "guest.tsv" using (at("page", 4096.)):9 smooth unique with linespoints lt 1 title "4 KiB apart", \
     "" using (at("page", 2097152.)):9 smooth unique with linespoints lt 2 title "2 MiB apart", \
     "" using (at("page", 1073741824.)):9 smooth unique with linespoints lt 3 title "1 GiB apart", \
     "" using (at("page", 549755813888.)):9 smooth unique with linespoints lt 4 title "512 GiB apart", \
     "" using (at("packed", 0)):9 smooth unique with linespoints lt 5 title "packed"
