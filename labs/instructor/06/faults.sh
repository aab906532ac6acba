# Planted mistakes in exercise 06 and the points that they cost; tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

faulty 06 'two cycles' 's/below\(&state, i\)/below(\&state, i + 1)/; s/char fill\[.*/char fill[1];/'
sed -i '/char fill/d' "$work/solution.c"
loses 06 'a shuffle of several cycles, nodes of 8 bytes' 'random: one cycle through all nodes' \
    'a node is as large as a cache line'
faulty 06 'no volatile' 's/\*\(struct node \*volatile \*\)&node->next/node->next/; s/l < loads/l < loads \/ 2/'
sed -i '/    clock_t end = clock/i\    (void)node;' "$work/solution.c"
loses 06 'no volatile, half the loads' 'the load is in the loop, with -O2 too' \
    'as many loads as were asked for'
faulty 06 'clock seed' 's/uint64_t state = seed;/uint64_t state = seed + (uint64_t)clock() * 1000 + (uint64_t)\&seed;/'
loses 06 'chance from elsewhere' 'random: the seed reproduces it'
faulty 06 'zeros' ''
for table in linear random; do
    awk -F '\t' -v OFS='\t' '/^[0-9]/ { $4 = 0 } 1' "$full/$table.dat" >"$work/$table.dat"
done
loses 06 'loads that take no time' 'linear.dat: your measurement' 'random.dat: your measurement' \
    'random is dearer than linear'
