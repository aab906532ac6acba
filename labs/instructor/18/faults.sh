# Planted mistakes in exercise 18 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash
# shellcheck disable=SC2154 # the test sets work

faulty 18 'rounded down' 's/if \(\(double\)i < wanted\)/if ((double)i + 1 <= wanted)/'
loses 18 'whole pages only' 'hottest_share: part of a page counts as a page' \
    'share.dat: what your program makes of pages.dat'
faulty 18 'coldest' 's/return \(x < y\) - \(x > y\);/return (x > y) - (x < y);/'
loses 18 'the coldest pages' 'hottest_share: a quarter of four pages' \
    'hottest_share: part of a page counts as a page' 'hottest_share: all pages' 'share.dat: what your program makes of pages.dat'
faulty 18 'fifo' 's/^        for \(; at > 0; at--\)/        if (at < used \&\& held[at] == pages[i])\n            continue;\n&/'
loses 18 'the oldest goes, not the least used' 'lru_misses: what is used again stays' \
    'lru.dat: what your program makes of the loop'
faulty 18 'late' ''
echo '# I knew it' >>"$work/predict.txt"
sed -i 's/^misses_left.*/misses_left = 1/' "$work/answers.txt"
sed -i '/new_column/d' "$work/objects.dat"
loses 18 'a late prediction, a wrong answer, a row left out' 'prediction made before measuring' \
    'answer misses_left' 'objects.dat: your objects'
faulty 18 'one more' 's/if \(used < entries\)/if (used <= entries)/'
loses 18 'an entry too many' 'lru_misses: what is used again stays' 'lru_misses: a loop longer than the TLB' \
    'lru_misses: one entry' 'lru.dat: what your program makes of the loop'
faulty 18 'pages' 's/return all > 0 \? 100 \* hot \/ all : 0;/return all > 0 ? percent : 0 * hot;/'
loses 18 'the share of pages for that of misses' 'hottest_share: a quarter of four pages' \
    'hottest_share: part of a page counts as a page' 'hottest_share: all pages' 'share.dat: what your program makes of pages.dat'

rewritten 18 'times' lru_misses <<'C'
long lru_misses(const long *pages, long count, int entries)
{
    long page[ENTRIES_MAX] = {0}, used[ENTRIES_MAX] = {0}, missed = 0;

    for (long now = 1; now <= count; now++) {
        int at = 0, oldest = 0;

        for (; at < entries && (used[at] == 0 || page[at] != pages[now - 1]); at++)
            if (used[at] < used[oldest])
                oldest = at;
        if (at == entries) {
            at = oldest;
            missed++;
        }
        page[at] = pages[now - 1];
        used[at] = now;
    }
    return missed;
}
C
keeps 18 'the time of the last use'
rewritten 18 'selection' hottest_share <<'C'
static long take_most(long *misses, long count)
{
    long most = 0, value;

    for (long i = 1; i < count; i++)
        most = misses[i] > misses[most] ? i : most;
    value = misses[most];
    misses[most] = -1;
    return value;
}

double hottest_share(long *misses, long count, double percent)
{
    double all = 0, hot = 0;
    long *left = malloc((size_t)count * sizeof *left);

    memcpy(left, misses, (size_t)count * sizeof *left);
    for (long i = 0; i < count; i++)
        all += (double)misses[i];
    for (long i = 0; (double)i * 100 < (double)count * percent; i++)
        hot += (double)take_most(left, count);
    free(left);
    (void)more_first;
    return hot / all * 100;
}
C
keeps 18 'the most of the others, again and again'
rewritten 18 'memmove' lru_misses <<'C'
static int find_page(const long *held, int used, long page)
{
    while (used-- > 0)
        if (held[used] == page)
            return used;
    return -1;
}

long lru_misses(const long *pages, long count, int entries)
{
    long held[ENTRIES_MAX], missed = 0;
    int used = 0;

    while (count-- > 0) {
        int at = find_page(held, used, *pages);

        if (at < 0) {
            missed++;
            used += used < entries;
            at = used - 1;
        }
        memmove(held + 1, held, (size_t)at * sizeof *held);
        held[0] = *pages++;
    }
    return missed;
}
C
keeps 18 'memmove(), a search in a function of its own'
