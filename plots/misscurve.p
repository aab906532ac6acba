# misscurve.p: misses by the size of the TLB, a curve for each table.
#
# Usage: gnuplot -c plots/misscurve.p IN OUT [TITLE [COLUMNS ROWS]]
# Example: tlbsim --to curve bfs.trace >curve.tsv && gnuplot -c plots/misscurve.p curve.tsv curve.png
#
# IN: tables of tlbsim --to curve. Metadata `label` names a curve. OUT ends in .png, .svg, .pdf, or .txt for
# characters.

call ARG0[1 : sum [k = 1 : strlen(ARG0)] (strstrt(ARG0[k : *], "/") > 0)]."begin.gp" "misscurve" ARG1 ARG2 ARG3 ARG4 ARG5
curves = number("curves")
most = number("most")

set xlabel "entries of a fully associative TLB"
set ylabel "misses (per cent of accesses)"
set xrange [1 : number("last") > 1 ? number("last") * 1.1 : 2]
set yrange [0 : most > 0 ? most * 1.05 : 1]
entries = curves
load here."legend.gp"

plot for [c = 0 : curves - 1] $DATA index c using 1:2 with steps lt c + 1 title columnheader(2)
