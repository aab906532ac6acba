# Planted mistakes in exercise 08 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash disable=SC2154 # $work is the folder with the mistake

tables=(words lines inner outer outer128)
tables=("${tables[@]/%/.dat: your measurement}" 'an access by lines is slower than one by words')

faulty 08 'words for lines' 's/offset \+= stride/offset += stride < 8 ? stride : 8/'
loses 08 'a stride of 8 bytes always' 'link_words: one word of each line' 'link_words: blocks of 512 bytes' \
    'link_words: a stride that does not divide the block' "${tables[@]}"
faulty 08 'not closed' 's/\*last = memory \+ order\[0\] \* block;/*last = NULL;/'
loses 08 'the cycle is not closed' 'link_words: one word of each line' \
    'link_words: every word of each line, one after the other' 'link_words: blocks of 512 bytes' \
    'link_words: a stride that does not divide the block' "${tables[@]}"
faulty 08 'one more' 's/a < accesses; a\+\+/a <= accesses; a++/'
loses 08 'one access too many' 'walk: where that many accesses lead' 'walk: not one too many'
faulty 08 'eight times' 's/return \(double\)accesses \* mean_ns - .*;/return (void)hit_ns, (double)accesses * mean_ns;/'
loses 08 'hits for nothing' 'miss_ns: seven hits' 'miss_ns: another number of words'
faulty 08 'other data' ''
sed -i 's/^# prediction_sha256: .*/# prediction_sha256: 0/' "$work/lines.dat"
sed -i '/\t256\t/,$d' "$work/outer.dat"
loses 08 'the data of somebody else, a short sweep' 'prediction made before measuring' \
    'outer.dat: your measurement'
faulty 08 'no order' 's/memory \+ order\[b\] \* block \+ offset/memory + (order[0] * 0 + b) * block + offset/; s/memory \+ order\[0\] \* block;/memory;/'
loses 08 'the blocks in the order of memory' 'link_words: one word of each line' \
    'link_words: every word of each line, one after the other' 'link_words: blocks of 512 bytes' \
    'link_words: a stride that does not divide the block' "${tables[@]}"
faulty 08 'no walk' 's/^    for \(long a = 0; a < accesses; a\+\+\)/    if (accesses > 0)/'
loses 08 'one access for all' 'walk: the load is in the loop, with -O2 too' 'walk: where that many accesses lead' \
    'walk: not one too many' "${tables[@]}"
faulty 08 'last rise' 's/if \(ns\[s\] >= 1.25/if (line == stride[s - 1] \&\& ns[s] >= 1.25/'
loses 08 'the first flat piece ends the search' 'line_by_stride: a rise after a flat piece counts'

rewritten 08 'backwards' link_words <<'C'
/* From the last word to the first. */
long link_words(char *memory, const long *order, long blocks, long block, long stride)
{
    long each = (block + stride - 1) / stride;
    void *after = memory + order[0] * block;

    for (long w = blocks * each - 1; w >= 0; w--) {
        char *word = memory + order[w / each] * block + w % each * stride;

        memcpy(word, &after, sizeof after);
        after = word;
    }
    return blocks * each;
}
C
keeps 08 'a chain that is linked from its end'
rewritten 08 'helper' walk miss_ns <<'C'
static void *next_of(const void *word)
{
    return *(void *const *)word;
}

void *walk(void *at, long accesses)
{
    while (accesses-- > 0)
        at = next_of(at);
    return at;
}

double miss_ns(double mean_ns, double hit_ns, long accesses)
{
    return hit_ns + (mean_ns - hit_ns) * (double)accesses;
}
C
keeps 08 'a load in a function of its own, the formula the other way round'
rewritten 08 'downwards' line_by_stride walk <<'C'
long line_by_stride(const long *stride, const double *ns, int n)
{
    for (int s = n - 1; s > 0; s--)
        if (4 * ns[s] >= 5 * ns[s - 1])
            return stride[s];
    return *stride;
}

void *walk(void *at, long accesses)
{
    void **word = at;

    for (long a = accesses; a; --a)
        word = *word;
    return word;
}
C
keeps 08 'the strides from the largest on'
