# Five tries of the same work at each number of references: ns for each, by process time and by wall time.
set title "Five tries of the same work".whose noenhanced
set xlabel "references"
set ylabel "ns per reference"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
set key right top
each(name) = column("sleep_ms") == 0 ? column(name) / column("refs") * 1e9 : NaN
plot for [k = 1 : 2 * mine] data("time.dat") using "refs":(each(word("proc wall", k))) with points lt 9 title expected(k), \
     "time.dat" using "refs":(each("proc")) with points lt 1 title "proc", \
     "" using "refs":(each("wall")) with points lt 2 title "wall"
