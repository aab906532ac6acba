# strides.p: gigabytes a second by the distance of the elements that are read, a curve for each
# working set: the median of the samples, with a band from the 10th to the 90th percentile. Only the
# bytes of the elements are counted, so a curve falls until every element has a line, or a sector, of
# its own.
#
# Usage: gnuplot -c plots/strides.p IN OUT [TITLE [COLUMNS ROWS]]
# Example: gnuplot -c plots/strides.p rates.tsv strides.png
#
# IN: a rates table of bandwidth --spacing or gpu bandwidth --spacing. OUT ends in .png, .svg, .pdf,
# or .txt for characters.

call ARG0[1 : sum [k = 1 : strlen(ARG0)] (strstrt(ARG0[k : *], "/") > 0)]."begin.gp" "strides" ARG1 ARG2 ARG3 ARG4 ARG5
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
