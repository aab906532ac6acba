# nodes.p: latency and bandwidth from the cores of each node to the memory of each node, as a map: darker
# is slower. The rates are those of reading with all cores of a node.
#
# Usage: gnuplot -c plots/nodes.p IN OUT [TITLE [COLUMNS ROWS]]
# Example: gnuplot -c plots/nodes.p nodes.tsv nodes.png
#
# IN: the table of scripts/nodes. OUT ends in .png, .svg, .pdf, or .txt for characters.

call ARG0[1 : sum [k = 1 : strlen(ARG0)] (strstrt(ARG0[k : *], "/") > 0)]."begin.gp" "nodes" ARG1 ARG2 ARG3 ARG4 ARG5
set xlabel "node of the memory"
set ylabel "node of the cores"
set cblabel "ns per load" offset 1.5
load here."matrix.gp"
