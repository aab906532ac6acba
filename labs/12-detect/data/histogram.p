# histogram.p: draws a histogram of the cost of translation: page minus packed, for each sample.
#
# Usage: gnuplot -c data/histogram.p [TABLE]
table = ARGC > 0 ? ARG1 : "data/noisy.tsv"
if (strstrt(table, "'")) { exit error "a quote in the name of the table" } # the name is a word for the shell below
if (table[1:1] ne "/") { table = "./".table } # else `a=b.tsv` would be a setting of awk
set terminal dumb 78 22
set title "page minus packed, of all samples up to 1024 nodes" noenhanced
set xlabel "ns"
set xrange [-1:3]
set boxwidth 0.1
bin(x) = 0.1 * floor(x / 0.1) + 0.05
plot "< awk -F '\\t' '$2 == \"page\" { ns[$1, $4] = $5 } $2 == \"packed\" && $1 <= 1024 { print ns[$1, $4] - $5 }' '".table."'" \
     using (bin($1)):(1) smooth frequency with impulses notitle
