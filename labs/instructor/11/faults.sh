# Planted mistakes in exercise 11 and the points that they cost; tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

faulty 11 'start of each page' 's/ \+ i % \(page_bytes \/ LINE\) \* LINE//'
loses 11 'every node at the start of its page' 'page: all lines of a page are used, one page each'
faulty 11 'nodes of 8 bytes' 's/return i \* LINE;/return i * 8;/; s/below\(&state, i\)/below(\&state, i + 1)/'
loses 11 'eight nodes to a line, a shuffle of several cycles' \
    'packed: one line after the other' 'link_random: one cycle through all nodes'
faulty 11 'no volatile' 's/\*\(struct node \*volatile \*\)&node->next/node->next/; s/l < loads/l < loads - 200/'
sed -i '/    clock_t end = clock/i\    (void)node;' "$work/solution.c"
loses 11 'no volatile, some loads too few' 'the load is in the loop, with -O2 too' \
    'as many loads as were asked for'
faulty 11 'one layout first' 's/^( *)measure\(memory, n, PAGE, pass\);/\1measure(memory, n, pass ? PACKED : PAGE, pass);/'
loses 11 'a layout measured twice' 'sweep: passes, in each both layouts in turn'
faulty 11 'doubling' 's/return n \+ n \/ 8;.*/return 2 * n;/; s/n <= MOST; n = next/n < MOST \/ 2; n = next/'
loses 11 'doubling, and an end too soon' 'next_size: 4 to 16 sizes to an octave' \
    'sweep: passes, in each both layouts in turn'
faulty 11 'borrowed' ''
cp "$labs/11-two-knees/data/recorded.dat" "$work/sweep.dat"
sed -i 's/^first_tlb.*/first_tlb = 64/' "$work/answers.txt"
loses 11 'a table of somebody else, a familiar number' 'prediction made before measuring' \
    'answer first_tlb'
