# bandwidth.p: gigabytes a second by working set, a curve for each op and number of threads: the
# median of the samples, with a band from the 10th to the 90th percentile. A cache delivered what
# exceeds the claim, a dotted line. Rates of one working set are drawn by the number of threads, or
# of work items: how much must be in flight.
#
# Example: scripts/plot --output bandwidth.png bandwidth rates.tsv
#
# IN: a rates table.

curves = number("curves")

style(c) = word(setting("styles"), c + 1) + 0

set xlabel "working set: all arrays and threads"
set ylabel "GB/s (median, band: 10th to 90th percentile)"
claim = number("claim")
by_threads = number("by_threads")
unit = "GB/s"
load here."xbytes.gp"
if (by_threads) {
    set xlabel "threads, or work items"
    set xtics ()
    do for [k = 0 : 40 : (every_octave ? 1 : 2)] { set xtics add (sprintf("%.0f", 2 ** k) 2.0 ** k) }
}
load here."ylog.gp"
entries = curves + (claim > 0)
load here."legend.gp"
set style fill transparent solid 0.15 noborder

plot for [c = 0 : (dumb ? -1 : curves - 1)] $DATA index c using 1:3:4 \
        with filledcurves lt style(c) notitle, \
    for [c = 0 : curves - 1] $DATA index c using 1:2 \
        with linespoints lt style(c) title columnheader(2), \
    for [c = 0 : (svg ? curves - 1 : -1)] $DATA index c \
        using 1:2:(sprintf("%.0f: %.4g GB/s (%.4g to %.4g)", $1, $2, $3, $4)) \
        with labels hypertext point pt 7 ps 1 lc rgb "#ff000000" notitle, \
    for [k = 1 : (claim > 0)] claim with lines lc rgb "#606060" lw 1.5 dt 3 \
        title (claim > 0 ? sprintf("claim: %g GB/s", claim) : "")
