# Planted mistakes in exercise 09 and the points that they cost; tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash disable=SC2154 # $work is the folder with the mistake

faulty 09 'no volatile' 's/volatile long \*word/long *word/'
loses 09 'no volatile' 'store_and_ask: the load is in the loop, with -O2 too'
faulty 09 'one more' 's/s < steps/s <= steps/'
loses 09 'one step too many' 'read_chain: so many loads' 'read_chain: not one too many' \
    'store_freely: the nodes that are drawn, in their order' 'store_freely: few steps' \
    'store_and_ask: goes where it has stored to go' 'store_and_ask: a single step' \
    'store_and_go: a store to each node, and on' 'store_and_go: not one too many'
faulty 09 'half' 's/nodes\[draw\(&seed, n\)\]/nodes[draw(\&seed, n) \/ 2]/'
sed -i 's/        node->word = s;/        (void)node;/' "$work/solution.c"
loses 09 'half of the nodes, and a chain without a store' \
    'store_freely: the nodes that are drawn, in their order' 'store_freely: few steps' \
    'store_and_go: a store to each node, and on' 'store_and_go: not one too many' \
    'store_and_go: store and load are in the loop, with -O2 too'
faulty 09 'other data' ''
sed -i 's/^# prediction_sha256: .*/# prediction_sha256: 0/' "$work/go.dat"
sed -i '/^524288\t/d' "$work/ask.dat"
loses 09 'the data of somebody else, a short table' 'prediction made before measuring' \
    'ask.dat: your measurement'
