# watch.p: what a translation cost on a host, over hours or days: one curve for pages that a second level
# holds, one for more than that.
#
# Example: tlbcost --watch >host.tsv; scripts/plot --output host.png watch host.tsv
#
# IN: a table of tlbcost --watch.

curves = number("curves")

set xlabel "hours"
set ylabel "ns per access (page less packed)"
load here."ylog.gp"
unset logscale x
set xtics autofreq
set xrange [number("first") : number("last") > number("first") ? number("last") : number("first") + 1]
entries = curves
load here."legend.gp"

plot for [c = 0 : curves - 1] $DATA index c using 1:2 with linespoints lt c + 1 title columnheader(2)
