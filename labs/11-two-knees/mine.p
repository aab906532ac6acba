# My nodes one to a page, as many in adjacent lines, and the difference.
set title "As many nodes, one to a page and packed: mine" noenhanced
set xlabel "nodes"
set ylabel "ns per load, the shortest of all passes"
set logscale x 2
set logscale y 10
set yrange [0.08:200]
above(ns) = ns > 0.1 ? ns : 0.1
set label "0.1 ns or less" at graph 0.01, first 0.14 tc rgb "#666666"
plot for [layout in "page packed"] both(recorded."recorded.dat") using "pages":layout with lines lt 9 \
        title layout eq "page" ? "expected" : "", \
     both(recorded."recorded.dat") using "pages":(above(column("page") - column("packed"))) with lines lt 9 dt 2 title "", \
     both("sweep.dat") using "pages":"page" with linespoints lt 1 title "page", \
     both("sweep.dat") using "pages":"packed" with linespoints lt 2 title "packed", \
     both("sweep.dat") using "pages":(above(column("page") - column("packed"))) with linespoints lt 3 \
        title "page minus packed: translation"
