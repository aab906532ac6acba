# Small pages, and huge ones if I got them.
set title "Small and huge pages: mine" noenhanced
set xlabel "nodes"
set ylabel "ns per load, the least of all samples"
set logscale x 2
set format x "2^{%L}"
plot least("small.dat", "page", "") using 1:2 with linespoints lt 1 title "small pages, 4 KiB apart", \
     least("huge.dat", "page", "4096") using 1:2 with linespoints lt 3 title "huge pages, 4 KiB apart", \
     least("huge.dat", "page", "2097152") using 1:2 with linespoints lt 2 title "huge pages, 2 MiB apart"
