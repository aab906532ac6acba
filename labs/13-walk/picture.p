# The same number of pages at four distances, and as many lines on few pages: all samples, and their medians.
set title "As many pages, further and further apart".whose noenhanced
set xlabel "pages"
set ylabel "ns per load: samples, medians"
set logscale x 2
set format x "2^{%L}"
set logscale y 10
apart(k) = word("4 2 1 512", k)." ".word("KiB MiB GiB GiB", k)." apart"
spacings = "4096 2097152 1073741824 549755813888"
table = mine ? "walk.dat" : "guest.tsv"
plot for [k = 1 : 4 * mine] median(recorded("guest.tsv"), "page", word(spacings, k)) using 1:2 with lines lt 9 title expected(k), \
     for [k = 1 : 4] samples(table, "page", word(spacings, k)) using 1:2 with points lt k ps 0.3 title "", \
     samples(table, "packed", "") using 1:2 with points lt 5 ps 0.3 title "", \
     for [k = 1 : 4] median(table, "page", word(spacings, k)) using 1:2 with lines lt k title apart(k), \
     median(table, "packed", "") using 1:2 with lines lt 5 title "packed"
