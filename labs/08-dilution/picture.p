# An access to each word and to each line; and the stride sweep, in the second cache and in memory.
set terminal pngcairo size 900,400 font "DejaVu Sans,11"
set multiplot layout 1,2
set rmargin 4
set title "Eight words of a line, or one".whose noenhanced
set xlabel "lines"
set ylabel "ns per access"
set logscale x 2
set logscale y 2
set format x "2^{%L}"
set yrange [1:512]
plot for [k = 1 : 2 * mine] data(word("lines words", k).".dat") using "pages":"ns" with lines lt 9 dt k title expected(k), \
     "lines.dat" using "pages":"ns" with linespoints lt 1 title "one word", \
     "words.dat" using "pages":"ns" with linespoints lt 2 title "every word"
set title "How many bytes are in a line?" noenhanced
set xlabel "stride in bytes"
set xtics (8, 16, 32, 64, 128, 256, 512)
set yrange [1:1024]
set format x "%.0f"
set xrange [8:516]
plot for [k = 1 : 3 * mine] data(word("outer outer128 inner", k).".dat") using "spacing_bytes":"ns" with lines lt 9 dt k title expected(k), \
     "outer.dat" using "spacing_bytes":"ns" with linespoints lt 1 title "64 MiB, blocks of 512", \
     "outer128.dat" using "spacing_bytes":"ns" with linespoints lt 2 title "64 MiB, blocks of 128", \
     "inner.dat" using "spacing_bytes":"ns" with linespoints lt 3 title "1 MiB"
unset multiplot
