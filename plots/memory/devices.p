# devices.p: time of an access by working set on a processor and a card, or on any devices, a curve for
# each: the median of the samples, with a band from the 10th to the 90th percentile.
#
# Example: scripts/plot --output devices.png devices processor.tsv card.tsv
#
# IN: samples of chase and gpu chase.

curves = number("curves")
load here."xbytes.gp"
load here."ylog.gp"

set xlabel "working set"
set ylabel "ns per access (median, band: 10th to 90th percentile)"
entries = curves
load here."legend.gp"
set style fill transparent solid 0.2 noborder

plot for [c = 0 : (dumb ? -1 : curves - 1)] $DATA index c using 1:3:4 \
        with filledcurves lt c + 1 notitle, \
    for [c = 0 : curves - 1] $DATA index c using 1:2 \
        with linespoints lt c + 1 title columnheader(2)
