# The dummy loop, compiled in three ways.
set title "The dummy loop, 10 Mi references".whose noenhanced
set xlabel "number of pages"
set ylabel "process time in s"
set yrange [0:*]
set key top center
if (mine) {
    plot for [f in "a b c"] data(f.".dat") using "pages":"proc" with lines lt 9 title f eq "a" ? "expected" : "", \
         lab("dummy-O0.dat") using "pages":"proc" with linespoints lt 1 title "-O0", \
         lab("dummy.dat") using "pages":"proc" with linespoints lt 2 title "-O", \
         lab("dummy-O2.dat") using "pages":"proc" with linespoints lt 3 title "-O2"
} else {
    plot for [f in "a b c"] f.".dat" using "pages":"proc" with linespoints title f.".dat"
}
