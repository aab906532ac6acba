# pairs.p: time of a cache line from core to core, as a map: darker is slower. The numbers in it are
# nanoseconds, of the fastest lap.
#
# Usage: gnuplot -c plots/pairs.p IN OUT [TITLE [COLUMNS ROWS]]
# Example: gnuplot -c plots/pairs.p pairs.tsv pairs.png
#
# IN: pairs of cores (pingpong). OUT ends in .png, .svg, .pdf, or .txt for characters.

call ARG0[1 : sum [k = 1 : strlen(ARG0)] (strstrt(ARG0[k : *], "/") > 0)]."begin.gp" "pairs" ARG1 ARG2 ARG3 ARG4 ARG5
set xlabel "core"
set ylabel "core"
set cblabel "ns one way (fastest lap)" offset 1.5
load here."matrix.gp"
