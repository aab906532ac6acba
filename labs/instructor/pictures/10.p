# A clock that is cold at first, and one that is always warm.
set title "The same work again and again" noenhanced
set xlabel "sample"
set ylabel "time; the shortest is 1"
set xrange [-0.5:40]
set yrange [0.5:5]
set key center right
plot "ramp.tsv" using 4:($5 / 0.9524) with linespoints lt 1 title "loads of a cold laptop, simulated", \
     "recorded.dat" using 1:($3 / 0.27835) with points lt 2 title "additions, recorded in a virtual machine"
