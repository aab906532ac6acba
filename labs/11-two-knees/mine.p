# My nodes one to a page, as many in adjacent lines, and the difference.
set title "As many nodes, one to a page and packed: mine" noenhanced
set xlabel "nodes"
set ylabel "ns per load, the least of all passes"
set logscale x 2
plot both("sweep.dat") using "pages":"page" with linespoints title "page", \
     both("sweep.dat") using "pages":"packed" with linespoints title "packed", \
     both("sweep.dat") using "pages":(column("page") - column("packed")) with linespoints \
        title "page minus packed: translation"
