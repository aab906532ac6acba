# bandwidth.p: gigabytes a second by working set, a curve for each op and number of threads: the
# median of the samples, with a band from the 10th to the 90th percentile. A cache delivered what
# exceeds the claim, a dotted line. Rates of one working set are drawn by the number of threads, or
# of work items: how much must be in flight.
#
# Usage: gnuplot -c plots/bandwidth.p IN OUT [TITLE [COLUMNS ROWS]]
# Example: gnuplot -c plots/bandwidth.p rates.tsv bandwidth.png
#
# IN: a rates table. OUT ends in .png, .svg, .pdf, or .txt for characters.

call ARG0[1 : sum [k = 1 : strlen(ARG0)] (strstrt(ARG0[k : *], "/") > 0)]."begin.gp" "bandwidth" ARG1 ARG2 ARG3 ARG4 ARG5
curves = number("curves")

# The op selects colour and shape; the number of threads selects dashes, and whether the shape is
# filled.
op(c) = word(setting("ops"), c + 1) - 1
threads(c) = word(setting("threads"), c + 1) - 1
colours = "#0072B2 #D55E00 #009E73 #CC79A7 #000000 #E69F00"
colour(c) = word(colours, op(c) % 6 + 1)
shapes = "7 5 9 13 11 15 6 4 8 12 10 14"
shape(c) = (word(shapes, op(c) % 6 + 1 + (threads(c) > 0 || op(c) > 5 ? 6 : 0)) + 0)
dashes(c) = threads(c) % 5 + 1
if (dumb) { shape(c) = c + 1 }

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
set key below vertical maxrows 4 samplen 4
if (!dumb && curves > 7) { set key maxrows 3 samplen 3 font ",13" }
set bmargin dumb ? 8 : 9
set style fill transparent solid 0.15 noborder

plot for [c = 0 : (dumb ? -1 : curves - 1)] $DATA index c using 1:3:4 \
        with filledcurves lc rgb colour(c) notitle, \
    for [c = 0 : curves - 1] $DATA index c using 1:2 \
        with linespoints lc rgb colour(c) lw 2 dt dashes(c) pt shape(c) ps point \
        title columnheader(2), \
    for [c = 0 : (svg ? curves - 1 : -1)] $DATA index c \
        using 1:2:(sprintf("%.0f: %.4g GB/s (%.4g to %.4g)", $1, $2, $3, $4)) \
        with labels hypertext point pt 7 ps 1 lc rgb "#ff000000" notitle, \
    for [k = 1 : (claim > 0)] claim with lines lc rgb "#606060" lw 1.5 dt 3 \
        title sprintf("claim: %g GB/s", claim)
