# matrix.gp: a map of times from rows to columns, such as nodes; darker is slower.
#
# Usage: set the labels of both axes and of the colours, then load here."matrix.gp"
#
# Of the settings, `rows` and `columns` are the names, `least` and `most` the range of the times. A cell has the places
# of its row and its column, the time, a text, 1 if it is dark and needs light text, and a sentence. Up to two rows and
# columns are no map: the sentences say all.

load here."heat.gp"
down = words(setting("rows"))
across = words(setting("columns"))
every(count) = ceil(count / (dumb ? 16.0 : count < 100 ? 32.0 : 20.0))

if (down <= 2 && across <= 2) {
    unset border
    unset tics
    unset xlabel
    unset ylabel
    unset logscale x
    set xrange [0 : 1]
    set yrange [0 : 1]
    plot $DATA using (0.5):(0.8 - 0.15 * $0):6 with labels noenhanced notitle
    exit
}
unset logscale x
set xtics ()
set ytics ()
do for [k = 1 : down : every(down)] { set ytics add (word(setting("rows"), k) k) }
do for [k = 1 : across : every(across)] { set xtics add (word(setting("columns"), k) k) }
set xrange [0.5 : across + 0.5]
set yrange [down + 0.5 : 0.5]
set cbrange [number("least") : number("most") > number("least") ? number("most") : number("least") * 2]

if (dumb) {
    plot $DATA using 2:1:4 with labels noenhanced notitle
} else {
    plot $DATA using 2:1:($2 - 0.5):($2 + 0.5):($1 - 0.5):($1 + 0.5):3 \
            with boxxyerror fs solid 1 noborder lc palette notitle, \
        $DATA using (only($5 < 1, $2)):1:4 with labels font small notitle, \
        $DATA using (only($5 > 0, $2)):1:4 with labels font small tc rgb "white" notitle
}
