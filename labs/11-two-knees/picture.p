# Nodes one to a page, as many in adjacent lines, and the difference.
set title "As many nodes: one to a page, and packed".whose noenhanced
set xlabel "nodes"
set ylabel "ns per load, the shortest of all passes"
set logscale x 2
set logscale y 10
set yrange [0.08:200]
above(ns) = ns > 0.1 ? ns : 0.1
translation(x) = above(column("page") - column("packed"))
set label "0.1 ns or less" at graph 0.01, first 0.14 tc rgb "#666666"
table = mine ? "sweep.dat" : "recorded.dat"
plot for [k = 1 : 2 * mine] both(recorded("recorded.dat")) using "pages":(column(word("page packed", k))) with lines lt 9 title expected(k), \
     for [k = 1 : mine] both(recorded("recorded.dat")) using "pages":(translation(0)) with lines lt 9 dt 2 title "", \
     both(table) using "pages":"page" with linespoints lt 1 title "page", \
     both(table) using "pages":"packed" with linespoints lt 2 title "packed", \
     both(table) using "pages":(translation(0)) with linespoints lt 3 title "page minus packed: translation"
