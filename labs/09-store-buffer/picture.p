# Loads, and three kinds of store.
set title "A load, and three ways to time a store".whose noenhanced
set xlabel "lines"
set ylabel "ns"
set logscale x 2
set logscale y 2
set format x "2^{%L}"
set yrange [0.5:1024]
plot for [k = 1 : 4 * mine] data(word("go read freely ask", k).".dat") using "pages":"ns" with lines lt 9 title expected(k), \
     "go.dat" using "pages":"ns" with linespoints lt 1 title "go: store, and load the next address", \
     "read.dat" using "pages":"ns" with linespoints lt 2 title "read: load it alone", \
     "freely.dat" using "pages":"ns" with linespoints lt 3 title "freely: store anywhere", \
     "ask.dat" using "pages":"ns" with linespoints lt 4 title "ask: store, and load that again"
