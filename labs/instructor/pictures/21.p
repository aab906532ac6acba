# The latency of the simulated card, with what was published of another one; and a processor through
# OpenCL and without.
set title "Latency: a card (simulated), and a virtual Zen 4 with and without OpenCL" noenhanced
set xlabel "working set, KiB"
set ylabel "ns for a load, the shortest"
set logscale x 2
set logscale y
set format x "%g"
set yrange [0.8:700]
set key right bottom
kib = 128 / 1024.0
$Claim << EOD
kib	ns
1024	108
32768	108
EOD
plot least("caches.tsv", "", "") using (column("pages") * kib):"ns" with linespoints lt 3 title "V100, simulated", \
     $Claim using "kib":"ns" with lines lt 5 title "RTX 5080, as published: \"flat\"", \
     least("pocl.tsv", "", "") using (column("pages") * kib):"ns" with linespoints lt 1 title "processor, gpu chase", \
     least("host.tsv", "", "") using (column("pages") * kib):"ns" with linespoints lt 2 title "processor, chase"
