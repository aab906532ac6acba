# My loads from lines, beside the loops alone.
set title "64-byte pages: mine" noenhanced
set xlabel "number of pages"
set ylabel "process time in s"
set yrange [0:*]
set key right bottom
rows = system("cat dummy.dat 2>/dev/null | grep -c '^[0-9]'") + 0
plot data("line.dat") using "pages":"proc" with lines lt 9 title "expected", \
     data("dummy.dat") using "pages":"proc" with lines lt 9 dt 2 title "", \
     lab("line.dat") using "pages":"proc" with linespoints lt 1 title "a load", \
     for [k = 1 : rows > 0] lab("dummy.dat") using "pages":"proc" with linespoints lt 2 title "sum++"
