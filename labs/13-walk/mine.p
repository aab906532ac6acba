# The same number of pages at several distances, as walk.dat has them.
set title "As many pages, further and further apart: mine" noenhanced
set xlabel "pages"
set ylabel "ns per load, the least of all samples"
set logscale x 2
set format x "2^{%L}"
plot least("walk.dat", "page", "4096") using 1:2 with linespoints lt 1 title "4 KiB apart", \
     least("walk.dat", "page", "2097152") using 1:2 with linespoints lt 2 title "2 MiB apart", \
     least("walk.dat", "page", "1073741824") using 1:2 with linespoints lt 3 title "1 GiB apart", \
     least("walk.dat", "page", "549755813888") using 1:2 with linespoints lt 4 title "512 GiB apart", \
     least("walk.dat", "packed", "") using 1:2 with linespoints lt 5 title "packed"
