# missmap.p: misses by address and time, a dot for each.
#
# Usage: gnuplot -c plots/missmap.p IN OUT [TITLE [COLUMNS ROWS]]
# Example: tlbsim --to table bfs.misses >misses.tsv && gnuplot -c plots/missmap.p misses.tsv map.png
#
# IN: tlbsim --to table of misses. OUT ends in .png, .svg, .pdf, or .txt for characters.

call ARG0[1 : sum [k = 1 : strlen(ARG0)] (strstrt(ARG0[k : *], "/") > 0)]."begin.gp" "missmap" ARG1 ARG2 ARG3 ARG4 ARG5
seconds = number(1)

unset logscale x
set xtics autofreq
set title (title eq "" ? about[3:*] : title) noenhanced
set xlabel "seconds"
set ylabel "addresses (regions of 1 MiB that have misses)"
set xrange [0 : seconds > 0 ? seconds * 1.01 : 1]
set yrange [0 : number(2)]
set key below
set bmargin dumb ? 5 : 6
size = dumb || number(3) < 1000 ? 1 : 0.2 # of a few dots none is missed

plot $DATA using 1:($3 == 0 ? $2 : 1/0) with points lt 1 pt 7 ps size title "reads", \
    $DATA using 1:($3 == 1 ? $2 : 1/0) with points lt 2 pt 7 ps size title "writes"
