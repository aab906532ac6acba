# slices.p: what slicemap and slicehash write, in a picture of its own for each kind of table: the map
# of a page with the share of each slice, the matrix of masks, how many lines the sets have, the
# overflow of draws or by offset, the load of links, the traffic of slices.
#
# Example: scripts/plot --output map.png slices map.tsv
#
# IN: a table of slicemap, or of slicehash.

picture = setting("picture")
unset logscale x
set xtics auto
unset key
set style fill solid 0.8 noborder
# From light to dark in even steps, so that a grey print keeps the order.
set palette defined (0 "#fff7e0", 0.25 "#f6c667", 0.5 "#d9723b", 0.75 "#98304f", 1 "#32124a")

if (picture eq "map") { # a map
    set multiplot
    unset grid
    set origin 0, 0.33
    set size 1, 0.67
    set xlabel "line, of 256 in a row"
    set ylabel "row"
    set ytics step(number("rows"), 8)
    set xrange [-0.5 : 255.5]
    set yrange [number("rows") + 0.5 : -0.5]
    set cblabel "slice"
    set cbrange [0 : number("most") > 0 ? number("most") : 1]
    set cbtics step(number("most"), 8)
    if (dumb) {
        plot $DATA index 0 every 16 using 1:2:(valid(3) ? sprintf("%d", $3) : "") with labels
    } else {
        plot $DATA index 0 using 1:2:3 with image
    }
    set origin 0, 0
    set size 1, 0.33
    unset title
    set xlabel "slice"
    set ylabel "% of lines"
    set xrange [-0.7 : number("most") + 0.7]
    set xtics step(number("most"), 20)
    set yrange [0 : *]
    set ytics (0, number("share")) # the even share
    set format y "%.3g"
    set boxwidth 0.8
    plot $DATA index 1 using 1:2 with boxes lt 1
    unset multiplot
}
if (picture eq "matrix") { # masks
    unset grid
    set xlabel "address bit"
    set ylabel "bit of the index"
    set xrange [number("bit_to") + 0.7 : number("bit_from") - 0.7]
    set yrange [number("most") + 0.7 : -0.7]
    set xtics 1
    set ytics 1
    if (dumb) {
        plot $DATA using 1:2 with points pt 1
    } else {
        plot $DATA using 1:2:($1 - 0.45):($1 + 0.45):($2 - 0.45):($2 + 0.45) with boxxyerror lt 1
    }
}
if (picture eq "sets" || picture eq "draws") { # distributions
    width = picture eq "sets" ? 1 : 0.5
    set xlabel picture eq "sets" ? "lines of a set" : "overflow, % of the lines"
    set ylabel picture eq "sets" ? "sets of all slices" : "draws"
    set xrange [number("first") - width : number("last") + 2 * width]
    set xtics step(number("last") - number("first"), 20)
    set yrange [0 : 1.05 * number("most")]
    set ytics step(number("most"), 10)
    set boxwidth 0.8 * width
    if (number("ways") > 0) {
        set arrow from number("ways") + 0.5, graph 0 to number("ways") + 0.5, graph 1 nohead lt 2
        set label "ways" at number("ways") + 0.5, graph 0.95 offset (dumb ? 2 : 1), 0
    }
    plot $DATA using ($1 + (picture eq "draws" ? width / 2 : 0)):2 with boxes lt 1
}
if (picture eq "offsets") { # by offset
    set key below
    set bmargin dumb ? 5 : 6
    set xlabel "address, MiB"
    set ylabel "% of the lines"
    set yrange [0 : *]
    plot $DATA using ($1 / 2 ** 20):2 with linespoints lt 1 title "beyond the ways of their set", \
        $DATA using ($1 / 2 ** 20):3 with lines lt 2 title "in sets with more lines than ways"
}
if (picture eq "links") { # links
    unset grid
    set size ratio -1
    set xlabel "x"
    set ylabel "y"
    set xrange [-0.7 : number("width") + 0.7]
    set yrange [number("height") + 0.7 : -0.7]
    set xtics 1
    set ytics 1
    set cblabel "bytes" offset 1.5
    set rmargin 14
    set palette defined (0 "#f6c667", 0.33 "#d9723b", 0.67 "#98304f", 1 "#32124a") # links need no white
    set cbrange [0 : number("most") > 0 ? number("most") : 1]
    if (dumb) {
        plot $DATA using ($1 + $3 / 2):($2 + $4 / 2):(sprintf("%.0f", 100 * $5 / number("most"))) with labels
    } else {
        plot $DATA using ($1 + $3 / 8):($2 + $4 / 8):3:4:5 with vectors head filled lw 5 lc palette
    }
}
if (picture eq "slices") { # traffic
    set xlabel "slice"
    set ylabel "% of the bytes"
    set xrange [-0.7 : number("last") + 0.7]
    set xtics step(number("last"), 20)
    set yrange [0 : *]
    set boxwidth 0.8
    plot $DATA using 1:2 with boxes lt 1
}
