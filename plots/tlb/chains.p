# chains.p: time of a load by the number of chains followed at once, a curve for each working set:
# the median of the samples, with a band from the 10th to the 90th percentile; the thin dotted curve
# is the time with perfect overlap, 1/K of one chain's.
#
# Example: scripts/plot --output chains.png chains samples.tsv
#
# IN: samples of chase --chains.

curves = number("curves")
load here."ylog.gp"

set xlabel "chains walked at once"
set ylabel "ns per load (median, band: 10th to 90th percentile)"
do for [k in "3 6 12"] { set xtics add (k k + 0) }
set xrange [0.95 : number("last") * 1.05]
entries = curves + 1
load here."legend.gp"
set style fill transparent solid 0.2 noborder

plot for [c = 0 : (dumb ? -1 : curves - 1)] $DATA index c using 1:3:4 \
        with filledcurves lt c + 1 notitle, \
    for [c = 0 : curves - 1] $DATA index c using 1:5 \
        with lines lc rgb "#808080" lw 1.5 dt 3 title (c == 0 ? "1/K of one chain" : ""), \
    for [c = 0 : curves - 1] $DATA index c using 1:2 \
        with linespoints lt c + 1 title columnheader(2)
