# compare.p: time of an access by the number of pages on two machines, or in two runs, in one picture: a
# color for each, solid where the nodes have pages of their own, dashed for the control; and their levels.
#
# Usage: gnuplot -c plots/compare.p IN OUT [TITLE [COLUMNS ROWS]]
# Example: compare one two | scripts/plot --output compare.png compare
#
# IN: a table of compare. OUT ends in .png, .svg, .pdf, or .txt for characters.

call ARG0[1 : sum [k = 1 : strlen(ARG0)] (strstrt(ARG0[k : *], "/") > 0)]."begin.gp" "compare" ARG1 ARG2 ARG3 ARG4 ARG5
curves = number("curves")
flags = number("flags")
load here."ylog.gp"

# The labels of the levels are above the curves, a row for each.
step = dumb ? 0.07 : 0.04
step = step * flags > 0.5 ? 0.5 / flags : step
top = low * (high / low) ** (1 / (1 - step * flags))
flag(row) = low * (top / low) ** (1 - step * (row + 0.5))

set xlabel "number of pages, or of nodes"
set ylabel "ns per access (median)"
load here."xnodes.gp"
set yrange [low : top]
entries = curves
load here."legend.gp"
set style textbox opaque noborder
set style arrow 1 nohead lc rgb "#0072B2" lw 1 dt 3
set style arrow 2 nohead lc rgb "#D55E00" lw 1 dt 3

# Of each layout the first curve is that of A, the second that of B.
if (!dumb) {
    set linetype 1 lc rgb "#0072B2" lw 2 dt 1 pt 7 ps point
    set linetype 2 lc rgb "#D55E00" lw 2 dt 1 pt 5 ps point
    set linetype 3 lc rgb "#0072B2" lw 1.5 dt 2 pt 6 ps point
    set linetype 4 lc rgb "#D55E00" lw 1.5 dt 2 pt 4 ps point
}
plot for [k = 1 : (flags > 0)] $DATA index curves using 1:(low):(0):(flag($3) - low):2 \
        with vectors arrowstyle variable notitle, \
    for [c = 0 : curves - 1] $DATA index c using 1:2 \
        with linespoints lt c + 1 title columnheader(2), \
    for [run = 1 : 2 * (flags > 0)] $DATA index curves \
        using ($2 == run && $4 > 0 ? $1 : NaN):(flag($3)):5 \
        with labels left offset 0.5, 0 boxed noenhanced tc lt run notitle, \
    for [run = 1 : 2 * (flags > 0)] $DATA index curves \
        using ($2 == run && $4 < 0 ? $1 : NaN):(flag($3)):5 \
        with labels right offset -0.5, 0 boxed noenhanced tc lt run notitle
