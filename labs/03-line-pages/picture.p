# Loads from lines, beside the loops alone.
set title "64-byte pages, 10 Mi references".whose noenhanced
set xlabel "number of pages"
set ylabel "process time in s"
set yrange [0:*]
set key right bottom
rows = system("cat dummy.dat 2>/dev/null | grep -c '^[0-9]'") + 0
plot for [k = 1 : 2 * mine] data(word("line dummy", k).".dat") using "pages":"proc" with lines lt 9 dt k title expected(k), \
     lab("line.dat") using "pages":"proc" with linespoints lt 1 title "a load", \
     for [k = 1 : rows > 0] lab("dummy.dat") using "pages":"proc" with linespoints lt 2 title "sum++"
