# Five tries of the same work at each number of references: ns for each.
set title "Five tries of the same work" noenhanced
set xlabel "references"
set ylabel "ns per reference"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
set key right top
plot "time.dat" using ($2 == 0 ? $1 : NaN):($4 / $1 * 1e9) with points lt 1 title "proc", \
     "" using ($2 == 0 ? $1 : NaN):($5 / $1 * 1e9) with points lt 2 title "wall"
