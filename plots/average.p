# average.p: how many misses a page has, the pages with the fewest first, a curve for each table (figure 6
# of the PTAT paper).
#
# Usage: gnuplot -c plots/average.p IN OUT [TITLE [COLUMNS ROWS]]
# Example: misses --cdf bfs.misses >cdf.tsv && gnuplot -c plots/average.p cdf.tsv average.png
#
# IN: tables of misses --cdf, as for cdf.p. OUT ends in .png, .svg, .pdf, or .txt for characters.

call ARG0[1 : sum [k = 1 : strlen(ARG0)] (strstrt(ARG0[k : *], "/") > 0)]."begin.gp" "cdf" ARG1 ARG2 ARG3 ARG4 ARG5
curves = number("curves")

unset logscale x
set xtics autofreq
set datafile missing "-"
set xlabel "pages, by increasing misses (per cent)"
set ylabel "average misses"
set xrange [0 : 100]
set logscale y
entries = curves
load here."legend.gp"

plot for [c = 0 : curves - 1] $DATA index c using 1:3 with linespoints lt c + 1 pn 6 title columnheader(2)
