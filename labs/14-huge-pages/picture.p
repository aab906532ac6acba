# Small pages, and huge ones.
set xlabel "nodes"
set logscale x 2
set format x "2^{%L}"
set datafile missing NaN
at(page, spacing) = column("page_bytes") == page && column("spacing_bytes") == spacing ? column("pages") : NaN
if (mine) {
    set title "Small and huge pages: mine" noenhanced
    set ylabel "ns per load, the shortest of all samples"
    set yrange [0:25<*]
    plot data("recorded.tsv") using (at(4096.0, 4096.0)):"ns" smooth unique with lines lt 9 title "expected", \
         data("recorded.tsv") using (at(2097152.0, 4096.0)):"ns" smooth unique with lines lt 9 dt 4 title "", \
         data("recorded.tsv") using (at(2097152.0, 2097152.0)):"ns" smooth unique with lines lt 9 dt 2 title "", \
         least("small.dat", "page", "") using 1:2 with linespoints lt 1 title "small pages, 4 KiB apart", \
         least("huge.dat", "page", "4096") using 1:2 with linespoints lt 3 title "huge pages, 4 KiB apart", \
         least("huge.dat", "page", "2097152") using 1:2 with linespoints lt 2 title "huge pages, 2 MiB apart"
} else {
    set title "Huge pages on a virtual machine" noenhanced
    set ylabel "ns per load"
    set yrange [0:25]
    plot "recorded.tsv" using (at(4096.0, 4096.0)):"ns" smooth unique with linespoints lt 1 title "small pages, 4 KiB apart", \
         "" using (at(2097152.0, 4096.0)):"ns" smooth unique with linespoints lt 3 title "huge pages, 4 KiB apart", \
         "" using (at(2097152.0, 2097152.0)):"ns" smooth unique with linespoints lt 2 title "huge pages, 2 MiB apart"
}
