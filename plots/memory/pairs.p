# pairs.p: time of a cache line from core to core, as a map: darker is slower. The numbers in it are
# nanoseconds, of the fastest lap.
#
# Example: scripts/plot --output pairs.png pairs pairs.tsv
#
# IN: pairs of cores (pingpong).

set xlabel "core"
set ylabel "core"
set cblabel "ns one way (fastest lap)" offset 1.5
load here."matrix.gp"
