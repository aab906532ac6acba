# How many pages at each distance my model of a TLB holds, indexed by the low bits and folded.
set title "How many pages fit, by their distance: mine" noenhanced
set xlabel "distance in pages"
set ylabel "pages that fit"
set logscale xy 2
set format x "2^{%L}"
plot "linear.dat" using "spacing":"reach" with linespoints title "indexed by the low bits", \
     "folded.dat" using "spacing":"reach" with linespoints title "folded"
