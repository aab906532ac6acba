# mountain.p: time of a load by working set and by the stride between its nodes, as a map: darker is
# slower. The numbers in it are nanoseconds, medians of the samples.
#
# Example: scripts/plot --output mountain.png mountain samples.tsv
#
# IN: samples of layout line with several spacings.

load here."xbytes.gp"
load here."heat.gp"

set xlabel "working set"
set ylabel "stride"
set logscale y 2
set ytics ()
do for [stride in setting("spacings")] { set ytics add (bytes(stride + 0) stride + 0) }
set xrange [first : last]
set yrange [number("nearest") : number("farthest")]
set cblabel "ns per load (median)" offset 1.5
set cbrange [number("least") : number("most") > number("least") ? number("most") : number("least") * 2]
if (dumb) { set label "stride" at graph -0.09, graph 1.07 } # it has no room for ylabel

if (dumb) {
    plot $DATA using 1:2:8 with labels noenhanced notitle
} else {
    plot $DATA using 1:2:4:5:6:7:3 with boxxyerror fs solid 1 noborder lc palette notitle, \
        $DATA using (only($9 < 1, $1)):2:8 with labels font small noenhanced notitle, \
        $DATA using (only($9 > 0, $1)):2:8 with labels font small tc rgb "white" noenhanced notitle
}
