/* losses: what a product of matrices in tiles loses in a TLB and in a cache, for each block.
 *
 * Usage: losses N ENTRIES BYTES BLOCK
 * Example: losses 64 40 16384 36
 * A row for BLOCK, and one for each block of 4, 8, ... N: the misses of a TLB with ENTRIES and of a
 * cache of BYTES, both LRU, and the time that they cost: 25 ns for a page walk, 10 for a line. Each
 * row of a matrix begins on a page. The check compares the blocks that a student's program chooses
 * with it. */
#include <stdio.h>
#include <stdlib.h>

enum {
    PAGE = 4096,
    LINE = 64,
    NUMBER = 8,
    WALK_NS = 25,
    MISS_NS = 10,
    WAYS = 1024,
    PLACES = 65536
};

/* The entries form a ring, from the newest to the oldest, which the newest follows.
 * place[] is where a page or line was last, by the end of its number. */
struct lru {
    long ways, misses, used, newest;
    unsigned long held[WAYS];
    long older[WAYS], newer[WAYS], place[PLACES];
};
static struct lru tlb, cache;

/* Puts a way that is in no ring between the oldest and the newest one. */
static void insert(struct lru *lru, long at)
{
    if (lru->used == 0)
        lru->newest = lru->newer[at] = at;
    long oldest = lru->newer[lru->newest];

    lru->older[oldest] = lru->newer[lru->newest] = at;
    lru->older[at] = lru->newest;
    lru->newer[at] = oldest;
}

static void touch(struct lru *lru, unsigned long block)
{
    long at = lru->place[block % PLACES];

    if (at >= lru->used || lru->held[at] != block) { /* no two blocks here share a place */
        lru->misses++;
        at = lru->used;
        if (lru->used == lru->ways)
            at = lru->newer[lru->newest];
        else {
            insert(lru, at);
            lru->used++;
        }
        lru->held[at] = block;
        lru->place[block % PLACES] = at;
    }
    if (at != lru->newest && at != lru->newer[lru->newest]) {
        lru->older[lru->newer[at]] = lru->older[at];
        lru->newer[lru->older[at]] = lru->newer[at];
        insert(lru, at);
    }
    lru->newest = at;
}

/* Number (i, j) of a matrix of n rows. */
static void use(long matrix, long n, long i, long j)
{
    unsigned long byte = (unsigned long)(((matrix * n + i) * PAGE) + j * NUMBER);

    touch(&tlb, byte / PAGE);
    touch(&cache, byte / LINE);
}

static long least(long x, long y)
{
    return x < y ? x : y;
}

static void multiply(long n, long block)
{
    for (long i0 = 0; i0 < n; i0 += block)
        for (long k0 = 0; k0 < n; k0 += block)
            for (long j0 = 0; j0 < n; j0 += block)
                for (long i = i0; i < least(i0 + block, n); i++)
                    for (long j = j0; j < least(j0 + block, n); j++) {
                        use(2, n, i, j);
                        for (long k = k0; k < least(k0 + block, n); k++) {
                            use(0, n, i, k);
                            use(1, n, k, j);
                        }
                        use(2, n, i, j);
                    }
}

static void print_row(long n, long block)
{
    tlb.used = tlb.misses = cache.used = cache.misses = 0;
    multiply(n, block);
    printf("%ld\t%ld\t%ld\t%ld\n", block, tlb.misses, cache.misses,
           tlb.misses * WALK_NS + cache.misses * MISS_NS);
}

int main(int argc, char *argv[])
{
    long n = argc == 5 ? atol(argv[1]) : 0, block = argc == 5 ? atol(argv[4]) : 0;

    tlb.ways = argc == 5 ? atol(argv[2]) : 0;
    cache.ways = argc == 5 ? atol(argv[3]) / LINE : 0;
    if (n < 4 || n > 256 || block < 1 || tlb.ways < 1 || tlb.ways > WAYS || cache.ways < 1 ||
        cache.ways > WAYS) {
        fprintf(stderr, "Usage: losses N ENTRIES BYTES BLOCK\n");
        return 2;
    }
    printf("block\ttlb_misses\tcache_misses\tns\n");
    print_row(n, block);
    for (long other = 4; other <= n; other += 4)
        print_row(n, other);
    return 0;
}
