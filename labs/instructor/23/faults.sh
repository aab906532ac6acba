# Planted mistakes in exercise 23 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash
# shellcheck disable=SC2154 # the test sets work

leak=('leak.dat: your measurement' 'few.dat: your measurement' 'leak.dat: nine of ten bits are found')

faulty 23 'same line' 's/return \(victim_at \+ PAGE \/ 2\) % PAGE;/return victim_at ^ 64;/'
loses 23 'the neighbour of the line' 'spy_at: another line than the victim, and not its neighbour' "${leak[@]}"
faulty 23 'half of the pages' '/^void evict/,/^}/s/p < pages/p < pages \/ 2/'
loses 23 'half of the pages' 'evict: a byte of each page, and no others' "${leak[@]}"
faulty 23 'median' '/^double typical/,/^}/s/return kept > 0 .*/return ns[n \/ 2];/'
loses 23 'the median' 'typical: the mean of the lower three quarters' "${leak[@]}"
faulty 23 'mean' '/^double typical/,/^}/s/n \* 3 \/ 4/n/'
loses 23 'the mean of all' 'typical: the mean of the lower three quarters' "${leak[@]}"
faulty 23 'careless' '/^char defended/,/^}/s/return .*/return memory->page[bit][VICTIM_AT + 0 * both[0]];/; /^char defended/,/^}/s/char both.*/char both[1] = {0};/'
loses 23 'no defence' 'defended: the byte of page 0, and both pages touched' \
    'defended: the byte of page 1, and both pages touched' 'defended.dat: your measurement' \
    'defended.dat: as many as by chance'

rewritten 23 'backwards' evict spy_at <<'C'
long spy_at(long victim_at)
{
    return victim_at >= 2048 ? victim_at - 2048 : victim_at + 2048;
}

static char touch(volatile char *page, long line)
{
    return page[line * 64];
}

void evict(volatile char *others, long pages)
{
    while (pages-- > 0)
        (void)touch(others + pages * PAGE, pages % 64);
}
C
keeps 23 'the last page first, in a function of its own'
rewritten 23 'mask' defended <<'C'
char defended(const struct memory *memory, int bit)
{
    char first = memory->page[0][VICTIM_AT], second = memory->page[1][VICTIM_AT];

    return (char)((first & (bit - 1)) | (second & -bit));
}
C
keeps 23 'a mask'
rewritten 23 'selection' typical <<'C'
double typical(double *ns, long n)
{
    double sum = 0;
    long kept = n * 3 / 4;

    for (long i = 0; i < kept; i++) {
        long least = i;

        for (long k = i + 1; k < n; k++)
            least = ns[k] < ns[least] ? k : least;
        double keep = ns[i];
        ns[i] = ns[least];
        ns[least] = keep;
        sum += ns[i];
    }
    (void)ascending;
    return kept > 0 ? sum / (double)kept : 0;
}
C
keeps 23 'the least first'
