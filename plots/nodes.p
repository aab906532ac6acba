# nodes.p: latency and bandwidth from the cores of each node to the memory of each node, as a map: darker
# is slower. The rates are those of reading with all cores of a node.
#
# Usage: gnuplot -c plots/nodes.p IN OUT [TITLE [COLUMNS ROWS]]
# Example: gnuplot -c plots/nodes.p nodes.tsv nodes.png
#
# IN: the table of scripts/nodes. OUT ends in .png, .svg, .pdf, or .txt for characters.

call system(sprintf("dirname '%s'", ARG0))."/begin.gp" "nodes" ARG1 ARG2 ARG3 ARG4 ARG5
cores = number(1)
memories = number(2)
load here."/heat.gp"

set title (title eq "" ? about[3:*] : title) noenhanced
set xlabel "node of the memory"
set ylabel "node of the cores"
unset logscale x
set xtics ()
set ytics ()
do for [k = 1 : cores] { set ytics add (word($DATA[3], k + 1) k) }
do for [k = 1 : memories] { set xtics add (word($DATA[3], cores + k + 2) k) }
set xrange [0.5 : memories + 0.5]
set yrange [cores + 0.5 : 0.5]
set cblabel "ns per load" offset 1.5
set cbrange [number(3) : number(4) > number(3) ? number(4) : number(3) * 2]

if (dumb) {
    plot $DATA using 2:1:4 with labels noenhanced notitle
} else {
    plot $DATA using 2:1:($2 - 0.5):($2 + 0.5):($1 - 0.5):($1 + 0.5):3 \
            with boxxyerror fs solid 1 noborder lc palette notitle, \
        $DATA using (only($5 < 1, $2)):1:4 with labels font small notitle, \
        $DATA using (only($5 > 0, $2)):1:4 with labels font small tc rgb "white" notitle
}
