# What the spy saw of each bit: the time of a load from page 1 less that from page 0.
set title "Which page did the victim touch?".whose noenhanced
set xlabel "bit of the secret"
set ylabel "page 1 less page 0, ns"
set xrange [-1:64]
set key outside bottom center horizontal
set bmargin 6
difference(secret) = column("secret") == secret ? column("ns1") - column("ns0") : NaN
set xzeroaxis lt 1 lc rgb "#666666"
set datafile missing NaN
plot for [k = 1 : 2 * mine] data("leak.dat") using "bit":(difference(k - 1)) with points lt 9 title expected(k), \
     "leak.dat" using "bit":(difference(0)) with points lt 1 title "it is 0: page 0", \
     "leak.dat" using "bit":(difference(1)) with points lt 2 title "it is 1: page 1", \
     "defended.dat" using "bit":(column("ns1") - column("ns0")) with points lt 3 title "defended", \
     "few.dat" using "bit":(column("ns1") - column("ns0")) with points lt 5 title "16 pages"
