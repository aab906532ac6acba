# missmap.p: misses by address and time, a dot for each.
#
# Example: tlbsim --to table bfs.misses >misses.tsv && scripts/plot --output map.png missmap misses.tsv
#
# IN: tlbsim --to table of misses.

seconds = number("seconds")
scale = scale_of(seconds)
strips = number("strips")

unset logscale x
set xtics autofreq
set xlabel seconds_at(scale)
set ylabel "addresses (regions of 1 MiB that have misses)"
margin = 0.02 # else an axis hides the first and the lowest
set xrange [(seconds > 0 ? -margin * seconds * scale : 0) : seconds > 0 ? seconds * scale * (1 + margin) : 1]
set yrange [-margin * strips : strips]
if (strips < 8) { set ytics 1 }
set key below
set bmargin dumb ? 5 : 6
size = dumb || number("misses") < 1000 ? 1 : 0.3 # of a few dots none is missed

plot $DATA using ($1 * scale):($3 == 0 ? $2 : 1/0) with points lt 1 ps size title "reads", \
    $DATA using ($1 * scale):($3 == 1 ? $2 : 1/0) with points lt 2 pt (dumb ? 2 : 1) ps 2 * size lw 1 title "writes"
