# nodes.p: latency and bandwidth from the cores of each node to the memory of each node, as a map: darker
# is slower. The rates are those of reading with all cores of a node.
#
# Example: scripts/plot --output nodes.png nodes nodes.tsv
#
# IN: the table of scripts/nodes.

set xlabel "node of the memory"
set ylabel "node of the cores"
set cblabel "ns per load" offset 1.5
load here."matrix.gp"
