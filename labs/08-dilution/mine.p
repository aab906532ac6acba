# My accesses to each word and to each line; and my sweeps of the stride.
set terminal pngcairo size 900,400 font "DejaVu Sans,11"
set multiplot layout 1,2
set rmargin 4
set title "Eight words of a line, or one: mine" noenhanced
set xlabel "lines"
set ylabel "ns per access"
set logscale x 2
set logscale y 2
set yrange [1:512]
set format x "2^{%L}"
plot data("lines.dat") using "pages":"ns" with lines lt 9 title "expected", \
     data("words.dat") using "pages":"ns" with lines lt 9 dt 2 title "", \
     "lines.dat" using "pages":"ns" with linespoints lt 1 title "one word", \
     "words.dat" using "pages":"ns" with linespoints lt 2 title "every word"
set title "How many bytes are in a line?" noenhanced
set xlabel "stride in bytes"
set xtics (8, 16, 32, 64, 128, 256, 512)
set format x "%.0f"
set xrange [8:516]
set yrange [1:1024]
plot data("outer.dat") using "spacing_bytes":"ns" with lines lt 9 title "expected", \
     data("outer128.dat") using "spacing_bytes":"ns" with lines lt 9 dt 2 title "", \
     data("inner.dat") using "spacing_bytes":"ns" with lines lt 9 dt 4 title "", \
     "outer.dat" using "spacing_bytes":"ns" with linespoints lt 1 title "outer, blocks of 512", \
     "outer128.dat" using "spacing_bytes":"ns" with linespoints lt 2 title "outer, blocks of 128", \
     "inner.dat" using "spacing_bytes":"ns" with linespoints lt 3 title "inner"
unset multiplot
