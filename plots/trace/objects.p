# objects.p: the objects, lines or functions with the most misses, in seconds where they are known.
#
# Example: misses --by object bfs.misses >objects.tsv && scripts/plot --output o.png objects objects.tsv
#
# IN: a table of misses --by anything.

bars = number("bars")
most = number("most")

unset logscale x
set xtics autofreq
set format x number("by_seconds") || most < 1e4 ? "%g" : "%.1s%c" # 1.5M
scale = number("by_seconds") ? scale_of(most) : 1
set xlabel (number("by_seconds") ? seconds_at(scale) : "misses")
set xrange [0 : most > 0 ? most * scale * 1.02 : 1]
set yrange [bars + 0.6 : 0.4]
small = number("longest") > 40 ? ",11" : ""
set ytics nomirror noenhanced font small
set style fill solid 0.7 noborder
unset key

plot $DATA using ($3 * scale / 2):1:($3 * scale / 2):(0.35):ytic(2) with boxxyerror lt 1
