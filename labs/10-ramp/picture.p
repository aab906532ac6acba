# Pieces of work, one after the other. Of yours the median is 1.
set title "The same work again and again".whose noenhanced
set xlabel "sample"
set xrange [-0.5:40]
set yrange [0.5:5]
if (mine) {
    set ylabel "time; the median is 1"
    set key right top
    stats "ramp.dat" using "ns" nooutput
    work = STATS_median
    stats "cold.dat" using "ns" nooutput
    loads = STATS_median
    plot data("ramp.tsv") using "sample":(column("ns") / 0.9524) with lines lt 9 title "expected of a cold laptop", \
         "ramp.dat" using "sample":(column("ns") / work) with points lt 2 title "my pieces of work", \
         "cold.dat" using "sample":(column("ns") / loads) with linespoints lt 1 title "loads after a pause (chase --mistake cold)", \
         "warm.dat" using "sample":(column("ns") / loads) with linespoints lt 3 title "loads after a warm-up"
} else {
    set ylabel "time; the shortest is 1"
    set key center right
    plot "ramp.tsv" using "sample":(column("ns") / 0.9524) with linespoints lt 1 title "loads of a cold laptop, simulated", \
         "recorded.dat" using "sample":(column("ns") / 0.27835) with points lt 2 title "additions, recorded in a virtual machine"
}
