# My dummy loop, compiled in three ways.
set title "The dummy loop: mine" noenhanced
set xlabel "number of pages"
set ylabel "process time in s"
set yrange [0:*]
plot "dummy-O0.dat" using "pages":"proc" with linespoints title "-O0", \
     "dummy.dat" using "pages":"proc" with linespoints title "-O", \
     "dummy-O2.dat" using "pages":"proc" with linespoints title "-O2"
