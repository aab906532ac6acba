# Planted mistakes in exercise 15 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash
# shellcheck disable=SC2154 # the test sets work

faulty 15 'fifo' '/if \(tlb->page\[i\] == page\)/,/return 1;/s/tlb->used\[i\] = tlb->now;/;/'
own=('knees: halves until one set is left' 'linear.dat: what your program counts' 'folded.dat: what your program counts')
loses 15 'first in, first out' 'lookup: what was used longest ago leaves' "${own[@]}"
faulty 15 'no fold' 's/page \^= page >> tlb->fold;/page += 0;/'
loses 15 'a fold that is none' 'set_of: bits folded' 'folded.dat: what your program counts'
faulty 15 'mask' 's/return page % tlb->sets;/return page \& (tlb->sets - 1);/'
loses 15 'a mask for the modulo' 'set_of: a number of sets that is no power of two'
faulty 15 'first round' '/^long misses/,/^}/s/^        lookup\(/        count += !lookup(/'
loses 15 'the first round counted' 'misses: of a set with one page too many, all of them' \
    'misses: the first round does not count' "${own[@]}"
faulty 15 'late' ''
echo '# I knew it' >>"$work/predict.txt"
sed -i 's/^known_fold.*/known_fold = 6/' "$work/answers.txt"
sed -i 's/^1024\t16$/1024\t32/' "$work/linear.dat"
sed -i 's/^# program: geometry/# program: me/' "$work/organisation.dat"
loses 15 'a late prediction, a wrong answer, tables by hand' 'prediction made before measuring' \
    'answer known_fold' 'linear.dat: what your program counts' 'organisation.dat: your measurement'
faulty 15 'one set' 's/return page % tlb->sets;/return 0 * page + 0 * tlb->sets;/'
loses 15 'one set for all' 'set_of: the lowest bits of the page number' \
    'set_of: a number of sets that is no power of two' 'set_of: bits folded' \
    'lookup: other sets stay as they are' \
    'misses: of a set with one page too many, all of them' 'misses: the first round does not count' "${own[@]}"

rewritten 15 'helpers' set_of lookup <<'C'
long set_of(const struct tlb *tlb, long page)
{
    long bits = tlb->fold == 0 ? page : page ^ (page >> tlb->fold);

    return bits - bits / tlb->sets * tlb->sets;
}

static long find(const struct tlb *tlb, long first, long page)
{
    for (long way = 0; way < tlb->ways; way++)
        if (tlb->page[first + way] == page)
            return first + way;
    return -1;
}

static long oldest(const struct tlb *tlb, long first)
{
    long best = first;

    for (long way = first + 1; way < first + tlb->ways; way++)
        if (tlb->used[way] < tlb->used[best])
            best = way;
    return best;
}

int lookup(struct tlb *tlb, long page)
{
    long first = tlb->ways * set_of(tlb, page), entry = find(tlb, first, page);
    int hit = entry >= 0;

    if (!hit)
        entry = oldest(tlb, first);
    tlb->page[entry] = page;
    tlb->used[entry] = ++tlb->now;
    return hit;
}
C
keeps 15 'a search and an eviction in functions of their own'
rewritten 15 'moved' lookup <<'C'
/* The ways of a set are in the order of their last use. */
int lookup(struct tlb *tlb, long page)
{
    long *way = tlb->page + set_of(tlb, page) * tlb->ways, k = 0;
    int hit;

    tlb->now++;
    while (k < tlb->ways - 1 && way[k] != page)
        k++;
    hit = way[k] == page;
    for (; k > 0; k--)
        way[k] = way[k - 1];
    way[0] = page;
    return hit;
}
C
keeps 15 'ways in the order of their last use'
rewritten 15 'difference' misses <<'C'
static long visit(struct tlb *tlb, long targets, long spacing)
{
    long hits = 0;

    for (long page = 0; page < targets * spacing; page += spacing)
        hits += lookup(tlb, page);
    return targets - hits;
}

long misses(struct tlb *tlb, long targets, long spacing)
{
    make_empty(tlb);
    (void)visit(tlb, targets, spacing);
    return visit(tlb, targets, spacing);
}
C
keeps 15 'a round in a function of its own'
