# latency.p: time of an access by working set, a curve for reads and one for writes: the median of
# the samples, with a band from the 10th to the 90th percentile. Levels of the hierarchy are shaded;
# between them lie the transitions.
#
# Example: scripts/plot --output latency.png latency samples.tsv
#
# IN: samples, and after them, if any, boundaries (detect --method caches).

curves = number("curves")
levels = number("levels")
marks = dumb ? 0 : number("marks")
load here."xbytes.gp"
load here."ylog.gp"

# The names of the levels are above the curves, every other one a little lower.
top = high * (levels > 0 ? (high / low) ** (dumb ? 0.35 : 0.22) : 1)
step = dumb ? 0.085 : 0.042
row(k) = low * (top / low) ** (1 - step * (k + 0.6))
lower(k) = int(k) % 2 * 2
# The place of a text near x that keeps it within the picture: a letter takes less than a hundredth of the width.
edge(text) = (last / first) ** (0.0048 * strlen(text))
inside(x, text) = x < first * edge(text) ? first * edge(text) : x > last / edge(text) ? last / edge(text) : x

set xlabel "working set"
set ylabel "ns per access (median, band: 10th to 90th percentile)"
set yrange [low : top]
entries = curves + (marks > 0)
load here."legend.gp"
set style fill transparent solid 0.2 noborder

plot for [k = 1 : (levels > 0 && !dumb)] $DATA index curves \
        using 3:(sqrt(low * top)):1:2:(low):(top) \
        with boxxyerror fs transparent solid 0.08 noborder lc rgb "black" notitle, \
    for [c = 0 : (dumb ? -1 : curves - 1)] $DATA index c using 1:3:4 \
        with filledcurves lt c + 1 notitle, \
    for [k = 1 : (marks > 0)] $DATA index curves + 1 using 1:2 \
        with points lt disturbed title (marks > 0 ? "a sample that was disturbed" : ""), \
    for [c = 0 : curves - 1] $DATA index c using 1:2 \
        with linespoints lt c + 1 title columnheader(2), \
    for [c = 0 : (svg ? curves - 1 : -1)] $DATA index c \
        using 1:2:(sprintf("%.0f bytes: %.4g ns (%.4g to %.4g)", $1, $2, $3, $4)) \
        with labels hypertext point pt 7 ps 1 lc rgb "#ff000000" notitle, \
    for [k = 1 : (levels > 0)] $DATA index curves using (inside($3, strcol(4))):(row(lower($0))):4 \
        with labels noenhanced notitle, \
    for [k = 1 : (levels > 0)] $DATA index curves using (inside($3, strcol(5))):(row(lower($0) + 1)):5 \
        with labels font ",13" noenhanced notitle
