# pairs.p: time of a cache line from core to core, as a map: darker is slower. The numbers in it are
# nanoseconds, of the fastest lap.
#
# Usage: gnuplot -c plots/pairs.p IN OUT [TITLE [COLUMNS ROWS]]
# Example: gnuplot -c plots/pairs.p pairs.tsv pairs.png
#
# IN: pairs of cores (pingpong). OUT ends in .png, .svg, .pdf, or .txt for characters.

call system(sprintf("dirname '%s'", ARG0))."/begin.gp" "pairs" ARG1 ARG2 ARG3 ARG4 ARG5
cores = number(1)
load here."/heat.gp"

set title (title eq "" ? about[3:*] : title) noenhanced
set xlabel "core"
set ylabel "core"
unset logscale x
set xtics ()
set ytics ()
every = ceil(cores / (dumb ? 16.0 : 32.0))
do for [k = 1 : cores : every] {
    set xtics add (word($DATA[3], k + 1) k)
    set ytics add (word($DATA[3], k + 1) k)
}
set xrange [0.5 : cores + 0.5]
set yrange [cores + 0.5 : 0.5]
set cblabel "ns one way (fastest lap)" offset 1.5
set cbrange [number(2) : number(3) > number(2) ? number(3) : number(2) * 2]

if (dumb) {
    plot $DATA using 1:2:4 with labels noenhanced notitle
} else {
    plot $DATA using 1:2:($1 - 0.5):($1 + 0.5):($2 - 0.5):($2 + 0.5):3 \
            with boxxyerror fs solid 1 noborder lc palette notitle, \
        $DATA using (only($5 < 1, $1)):2:4 with labels font small noenhanced notitle, \
        $DATA using (only($5 > 0, $1)):2:4 with labels font small tc rgb "white" noenhanced notitle
}
