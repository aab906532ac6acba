# Five ways to write the same loop, in cycles.
set title "A read that waits for the one before, five ways to write it" noenhanced
set xlabel "lines"
set ylabel "cycles per read"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
set format y "10^{%L}"
set yrange [1e-5:1e4]
set key at graph 0.3, first 0.15
set arrow from 64,1 to 65536,1 nohead dt 3 lc rgb "#666666"
set label "one cycle" at 65536,1.6 right tc rgb "#666666"
plot "volatile.dat" using 1:5 with linespoints lt 1 title "volatile", \
     "sink.dat" using 1:5 with linespoints lt 2 title "sink", \
     "barrier.dat" using 1:5 with linespoints lt 3 title "barrier", \
     "half.dat" using 1:5 with linespoints lt 4 title "half", \
     "plain.dat" using 1:($4 / 0.279) with linespoints lt 5 title "plain"
