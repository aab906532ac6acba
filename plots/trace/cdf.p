# cdf.p: how the misses are distributed over pages: the share of all misses that the pages with the
# fewest have together, a curve for each table (figure 7 of the PTAT paper).
#
# Example: misses --cdf bfs.misses >cdf.tsv && scripts/plot --output cdf.png cdf cdf.tsv
#
# IN: tables of misses --cdf. Metadata `label` names a curve (misses --meta label=bfs).

curves = number("curves")

unset logscale x
set xtics autofreq
set datafile missing "-"
set xlabel "pages, by increasing misses (per cent)"
set ylabel "cumulative misses (per cent)"
set xrange [0 : 100]
set yrange [0 : 100]
entries = curves
load here."legend.gp"

plot for [c = 0 : curves - 1] $DATA index c using 1:2 with linespoints lt c + 1 pn 6 title columnheader(2)
