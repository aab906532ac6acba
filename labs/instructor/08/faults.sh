# Planted mistakes in exercise 08 and the points that they cost; tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash disable=SC2154 # $work is the folder with the mistake

faulty 08 'words for lines' 's/offset \+= stride/offset += stride < 8 ? stride : 8/'
loses 08 'a stride of 8 bytes always' 'link_words: one word of each line' 'link_words: blocks of 512 bytes' \
    'link_words: a stride that does not divide the block'
faulty 08 'not closed' 's/\*last = memory \+ order\[0\] \* block;/*last = NULL;/'
loses 08 'the cycle is not closed' 'link_words: one word of each line' \
    'link_words: every word of each line, one after the other' 'link_words: blocks of 512 bytes' \
    'link_words: a stride that does not divide the block'
faulty 08 'one more' 's/a < accesses; a\+\+/a <= accesses; a++/'
loses 08 'one access too many' 'walk: where so many accesses lead' 'walk: not one too many'
faulty 08 'eight times' 's/return \(double\)accesses \* mean_ns - .*;/return (void)hit_ns, (double)accesses * mean_ns;/'
loses 08 'hits for nothing' 'miss_ns: seven hits' 'miss_ns: another number of words'
faulty 08 'other data' ''
sed -i 's/^# prediction_sha256: .*/# prediction_sha256: 0/' "$work/lines.dat"
sed -i '/\t256\t/,$d' "$work/outer.dat"
loses 08 'the data of somebody else, a short sweep' 'prediction made before measuring' \
    'outer.dat: your measurement'
