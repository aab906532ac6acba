# A latency curve, its slope, and the sizes that the system claims.
set title "Loads a line apart: the curve, and how steep it is" noenhanced
set xlabel "bytes"
set ylabel "ns per load"
set y2label "slope"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
set ytics nomirror
set y2tics out
set yrange [1:2000]
set y2range [0:12]
set arrow from 49152,1 to 49152,100 nohead dt 3 lc rgb "#666666"
set arrow from 2097152,1 to 2097152,100 nohead dt 3 lc rgb "#666666"
set arrow from 503316480,1 to 503316480,100 nohead dt 3 lc rgb "#666666"
set label "claimed: L1" at 49152,130 center tc rgb "#666666"
set label "L2" at 2097152,130 center tc rgb "#666666"
set label "L3" at 503316480,130 center tc rgb "#666666"
set xrange [4096:1.2e9]
plot "xeon-line.tsv" using ($1*$3):9 with points title "every line at random", \
     "xeon.tsv" using ($1*$3):9 smooth unique with lines lt 1 lc 3 title "page after page", \
     "slope.dat" using 1:3 axes x1y2 with lines lt 2 title "its slope (right)"
