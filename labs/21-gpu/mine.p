# The time of a load by working set: through OpenCL, and on the processor itself.
set title "A load, through OpenCL and without: mine" noenhanced
set xlabel "working set, KiB"
set ylabel "ns for a load, the shortest"
set logscale x 2
set logscale y
set format x "%g"
set key right bottom
set yrange [0.8:700]
kib = 128 / 1024.0
plot least(recorded."pocl.tsv", "", "") using (column("pages") * kib):"ns" with lines lt 9 title "expected", \
     least(recorded."host.tsv", "", "") using (column("pages") * kib):"ns" with lines lt 9 dt 2 title "", \
     least("gpu.dat", "", "") using (column("pages") * kib):"ns" with linespoints lt 1 title "gpu chase", \
     least("host.dat", "", "") using (column("pages") * kib):"ns" with linespoints lt 2 title "chase"
