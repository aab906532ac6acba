# tlb.p: time of an access by the number of pages, or by the bytes of a window of lines, one curve for each layout with
# the spread of its samples to the 90th percentile, their difference, which at the bottom of the picture is that or
# less, and the boundaries. The curve is the fastest lap, as it is for detect, or the 10th percentile where laps were
# not timed.
#
# Example: scripts/plot --output tlb.png tlb samples.tsv
#
# IN: a samples table, and after it, if any, a boundaries table.

samples = number("curves")
curves = samples + number("costs")
flags = number("flags")
lefts = number("lefts")
if (curves > samples) { below = 10.0 }
load here."ylog.gp"

load here."flags.gp"

set xlabel setting("x")
set ylabel sprintf("ns per access (%s, band to the 90th%s)", number("without_laps") ? "10th percentile" : "fastest", \
    number("without_laps") ? "" : " percentile")
if (number("by_bytes")) { load here."xbytes.gp" } else { load here."xnodes.gp" }
marked = !dumb && number("marks") > 0
entries = curves + marked
load here."legend.gp"
set style fill transparent solid 0.2 noborder
set style arrow 1 nohead lc rgb "#404040" lw 1.5 dt 1
set style arrow 2 nohead lc rgb "#808080" lw 1.5 dt 3

only(wanted, value) = wanted ? value : NaN

plot for [k = 1 : (flags > 0 && !dumb)] $DATA index curves using 1:(low):1:6:(low):(flag($3)) \
        with boxxyerror fs transparent solid 0.12 noborder lc rgb "black" notitle, \
    for [c = 0 : (dumb ? -1 : samples - 1)] $DATA index c using 1:2:3 \
        with filledcurves lt c + 1 notitle, \
    for [end in (flags > 0 ? "1 6" : "")] $DATA index curves using (column(int(end))):(low):(0):(flag($3) - low):2 \
        with vectors arrowstyle variable notitle, \
    for [k = 1 : marked] $DATA index curves + 1 using 1:2 \
        with points lt disturbed title (marked ? "a sample that was disturbed" : ""), \
    for [c = 0 : curves - 1] $DATA index c using 1:($2 > low || c < samples ? $2 : low) \
        with linespoints lt c + 1 title columnheader(2), \
    for [c = 0 : (svg ? samples - 1 : -1)] $DATA index c \
        using 1:2:(sprintf("%g nodes: %.4g ns (90th percentile: %.4g)", $1, $2, $3)) \
        with labels hypertext point pt 7 ps 1 lc rgb "#ff000000" notitle, \
    for [k = 1 : (flags > lefts)] $DATA index curves using (only($4 > 0, $6)):(flag($3)):5 \
        with labels left offset 0.5, 0 boxed noenhanced notitle, \
    for [k = 1 : (lefts > 0)] $DATA index curves using (only($4 < 0, $1)):(flag($3)):5 \
        with labels right offset -0.5, 0 boxed noenhanced notitle
