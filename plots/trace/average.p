# average.p: how many misses a page has, the pages with the fewest first, a curve for each table (figure 6
# of the PTAT paper).
#
# Example: misses --cdf bfs.misses >cdf.tsv && scripts/plot --output average.png average cdf.tsv
#
# IN: tables of misses --cdf, as for cdf.p.

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
