# Three ways to compile the same loop.
set title "The dummy loop, 10 Mi references" noenhanced
set xlabel "number of pages"
set ylabel "process time in s"
set yrange [0:*]
set key top center
plot for [f in "a b c"] f.".dat" using 1:2 with linespoints title f.".dat"
