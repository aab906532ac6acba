# strides.p: gigabytes a second by the distance of the elements that are read, a curve for each
# working set: the median of the samples, with a band from the 10th to the 90th percentile. Only the
# bytes of the elements are counted, so a curve falls until every element has a line, or a sector, of
# its own.
#
# Example: scripts/plot --output strides.png strides rates.tsv
#
# IN: a rates table of bandwidth --spacing or gpu bandwidth --spacing.

curves = number("curves")
unit = "GB/s"
load here."xbytes.gp"
load here."ylog.gp"

set xlabel "bytes from element to element"
set ylabel "GB/s of elements (median, band: 10th to 90th percentile)"
entries = curves
load here."legend.gp"
set style fill transparent solid 0.2 noborder

plot for [c = 0 : (dumb ? -1 : curves - 1)] $DATA index c using 1:3:4 \
        with filledcurves lt c + 1 notitle, \
    for [c = 0 : curves - 1] $DATA index c using 1:2 \
        with linespoints lt c + 1 title columnheader(2)
