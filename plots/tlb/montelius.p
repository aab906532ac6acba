# montelius.p: the graph of the lab "How large is the TLB?" (Johan Montelius, 2020): process time by
# the number of pages, several sets of data in one picture; nanoseconds per reference if they made
# different numbers of references and name them.
#
# Example: scripts/plot --output tlb.png montelius tlb.dat
#
# IN: the lab's tlb.dat as its program prints it, or samples of the kernels linear and dummy; several tables may be
# joined.

curves = number("curves")
unit = setting("unit")
set xlabel "number of pages"
set ylabel unit eq "s" ? "process time in s" : "ns per reference"
entries = curves
load here."legend.gp"
stats $DATA using 1 nooutput
set xrange [STATS_min / 1.05 : STATS_max * 1.05]
set yrange [0:*]
if (dumb) { set label unit at graph -0.09, graph 1.07 } # it has no room for ylabel

plot for [c = 0 : curves - 1] $DATA index c using 1:2 with linespoints lt c + 1 title columnheader(2)
