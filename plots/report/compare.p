# compare.p: time of an access by the number of pages on two machines, or in two runs, in one picture: a
# color for each, solid where the nodes have pages of their own, dashed for the control; and their levels.
#
# Example: compare one two | scripts/plot --output compare.png compare
#
# IN: a table of compare.

curves = number("curves")
load here."ylog.gp"

load here."flags.gp"

set xlabel "number of pages, or of nodes"
set ylabel "ns per access (median)"
load here."xnodes.gp"
entries = curves
load here."legend.gp"
set style arrow 1 nohead lc rgb "#0072B2" lw 1 dt 3
set style arrow 2 nohead lc rgb "#D55E00" lw 1 dt 3

# Of each layout the first curve is that of A, the second that of B.
if (!dumb) {
    set linetype 1 lc rgb "#0072B2" lw 2 dt 1 pt 7 ps point
    set linetype 2 lc rgb "#D55E00" lw 2 dt 1 pt 5 ps point
    set linetype 3 lc rgb "#0072B2" lw 1.5 dt 2 pt 6 ps point
    set linetype 4 lc rgb "#D55E00" lw 1.5 dt 2 pt 4 ps point
}
plot for [run = 1 : (dumb ? 0 : 2 * (flags > 0))] $DATA index curves \
        using ($2 == run ? $1 : NaN):(low):1:6:(low):(flag($3)) \
        with boxxyerror fs transparent solid 0.15 noborder lt run notitle, \
    for [end in (flags > 0 ? "1 6" : "")] $DATA index curves using (column(int(end))):(low):(0):(flag($3) - low):2 \
        with vectors arrowstyle variable notitle, \
    for [c = 0 : curves - 1] $DATA index c using 1:2 \
        with linespoints lt c + 1 title columnheader(2), \
    for [run = 1 : 2 * (flags > lefts)] $DATA index curves \
        using ($2 == run && $4 > 0 ? $6 : NaN):(flag($3)):5 \
        with labels left offset 0.5, 0 boxed noenhanced tc lt run notitle, \
    for [run = 1 : 2 * (lefts > 0)] $DATA index curves \
        using ($2 == run && $4 < 0 ? $1 : NaN):(flag($3)):5 \
        with labels right offset -0.5, 0 boxed noenhanced tc lt run notitle
