# misscurve.p: misses by the size of the TLB, a curve for each table.
#
# Example: tlbsim --to curve bfs.trace >curve.tsv && scripts/plot --output curve.png misscurve curve.tsv
#
# IN: tables of tlbsim --to curve. Metadata `label` names a curve.

curves = number("curves")
most = number("most")

set xlabel "entries of a fully associative TLB"
set ylabel "misses (per cent of accesses)"
if (number("last") > 2 ** 16) { load here."xnodes.gp" }
set xrange [1 : number("last") > 1 ? number("last") * 1.1 : 2]
set yrange [0 : most > 0 ? most * 1.05 : 1]
entries = curves
load here."legend.gp"

plot for [c = 0 : curves - 1] $DATA index c using 1:2 with steps lt c + 1 title columnheader(2)
