# loaded.p: loaded latency: the time of a load on one core by the gigabytes a second that the other
# cores move, a curve for each op, a point for each delay.
#
# Example: scripts/plot --output loaded.png loaded rates.tsv
#
# IN: a rates table of bandwidth --latency.

curves = number("curves")
set xlabel "traffic of the other cores in GB/s"
set ylabel "ns per load (median of the samples)"
unset logscale x
set xtics autofreq
set xrange [0 : number("last") * 1.1]
set yrange [0 : number("most") * 1.15]
entries = curves
load here."legend.gp"
if (dumb) { set label "ns" at graph -0.09, graph 1.07 } # it has no room for ylabel

plot for [c = 0 : curves - 1] $DATA index c using 1:2 \
        with linespoints lt c + 1 title columnheader(2), \
    for [c = 0 : (dumb || curves > 1 ? -1 : 0)] $DATA index c using 1:2:3 \
        with labels left offset 0.8, -0.8 font ",11" noenhanced notitle
