# The time of a load by working set, through OpenCL and without; and on a simulated card, with what was published of
# another one.
set xlabel "working set, KiB"
set ylabel "ns for a load, the shortest"
set logscale x 2
set logscale y
set format x "%g"
set yrange [0.8:700]
set key right bottom
kib = 128 / 1024.0
if (mine) {
    set title "A load, through OpenCL and without: mine" noenhanced
    plot least(recorded("pocl.tsv"), "", "") using (column("pages") * kib):"ns" with lines lt 9 title "expected", \
         least(recorded("host.tsv"), "", "") using (column("pages") * kib):"ns" with lines lt 9 dt 2 title "", \
         least("gpu.dat", "", "") using (column("pages") * kib):"ns" with linespoints lt 1 title "gpu chase", \
         least("host.dat", "", "") using (column("pages") * kib):"ns" with linespoints lt 2 title "chase"
} else {
    set title "Latency: a card (simulated), and a virtual Zen 4 with and without OpenCL" noenhanced
    set arrow from 1024, 108 to 32768, 108 nohead lt 5
    plot least("caches.tsv", "", "") using (column("pages") * kib):"ns" with linespoints lt 3 title "V100, simulated", \
         NaN with lines lt 5 title "RTX 5080, as published: \"flat\"", \
         least("pocl.tsv", "", "") using (column("pages") * kib):"ns" with linespoints lt 1 title "processor, gpu chase", \
         least("host.tsv", "", "") using (column("pages") * kib):"ns" with linespoints lt 2 title "processor, chase"
}
