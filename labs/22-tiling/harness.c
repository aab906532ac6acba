/* Calls functions of the program, and counts what a simulated TLB and cache miss meanwhile.
 *
 * Usage: ./harness product N ROW BLOCK SEED
 *            prints "right SEED", or the first wrong number of the product
 *        ./harness count N ROW BLOCK ENTRIES SETS WAYS
 *            TLB misses and cache misses of multiply()
 *        ./harness order N BLOCK
 *            the same, where the TLB has BLOCK + 4 entries
 *        ./harness tlb|cache N ENTRIES BYTES
 *            block_for_tlb(ENTRIES) or block_for_cache(BYTES), the time that its misses cost, the
 *            least time of all blocks, and the block that has it
 *
 * TLB and cache are LRU. A TLB miss costs 25 ns, a cache miss 10. The compiler instruments each
 * access as for -fsanitize=thread; the functions that it calls are those below.
 */
#include "program.c"
#include "support.h"
#include <math.h>

#define HARNESS_PLAIN __attribute__((no_sanitize_thread))
enum { HARNESS_PAGE = 4096, HARNESS_WAYS = 1024, HARNESS_SETS = 64 };
enum { HARNESS_WALK_NS = 25, HARNESS_MISS_NS = 10 };

/* ---- a TLB, whose blocks are pages, and a cache, whose blocks are lines ---- */

enum { HARNESS_PLACES = 16384 };

/* The blocks of each set are a ring from the newest one to older ones; behind the oldest one comes
 * the newest. place[] is the way where a block was last, by the end of its number; another one may
 * be there now. */
struct harness_lru {
    unsigned long sets;
    long ways, misses, used[HARNESS_SETS], newest[HARNESS_SETS], place[HARNESS_PLACES];
    unsigned long held[HARNESS_SETS][HARNESS_WAYS];
    long older[HARNESS_SETS][HARNESS_WAYS], newer[HARNESS_SETS][HARNESS_WAYS];
};
static struct harness_lru harness_tlb = {.sets = 1}, harness_cache;
static int harness_watches;
static long harness_bytes;

/* Puts a way that is in no ring between the oldest and the newest one. */
HARNESS_PLAIN static void harness_insert(struct harness_lru *lru, unsigned long set, long at)
{
    long *older = lru->older[set], *newer = lru->newer[set];

    if (lru->used[set] == 0)
        lru->newest[set] = newer[at] = at;
    long newest = lru->newest[set], oldest = newer[newest];

    older[oldest] = newer[newest] = at;
    older[at] = newest;
    newer[at] = oldest;
}

/* The way of a block that is not where it was last; of a new one, that of the oldest block. */
HARNESS_PLAIN static long harness_way(struct harness_lru *lru, unsigned long set,
                                      unsigned long block)
{
    long at = 0, used = lru->used[set];

    while (at < used && lru->held[set][at] != block)
        at++;
    if (at < used)
        return at;
    lru->misses++;
    if (used == lru->ways)
        return lru->newer[set][lru->newest[set]];
    harness_insert(lru, set, at);
    lru->used[set]++;
    return at;
}

HARNESS_PLAIN static void harness_touch(struct harness_lru *lru, unsigned long block)
{
    unsigned long set = lru->sets == 1 ? 0 : block % lru->sets; /* a division is slow */
    long *older = lru->older[set], *newer = lru->newer[set];
    long at = lru->place[block % HARNESS_PLACES];

    if (at >= lru->used[set] || lru->held[set][at] != block) {
        at = lru->place[block % HARNESS_PLACES] = harness_way(lru, set, block);
        lru->held[set][at] = block;
    }
    if (at != lru->newest[set] && at != newer[lru->newest[set]]) {
        older[newer[at]] = older[at];
        newer[older[at]] = newer[at];
        harness_insert(lru, set, at);
    }
    lru->newest[set] = at;
}

HARNESS_PLAIN static void harness_find(struct harness_lru *lru, unsigned long first,
                                       unsigned long last)
{
    for (unsigned long block = first; block <= last; block++)
        harness_touch(lru, block);
}

HARNESS_PLAIN static void harness_access(const void *at, unsigned long bytes)
{
    if (!harness_watches || bytes == 0)
        return;
    unsigned long first = (unsigned long)at, last = first + bytes - 1;

    harness_bytes += (long)bytes;
    harness_find(&harness_tlb, first / HARNESS_PAGE, last / HARNESS_PAGE);
    harness_find(&harness_cache, first / LINE, last / LINE);
}

#define HARNESS_SIZED(bytes)                                                                       \
    HARNESS_PLAIN void __tsan_read##bytes(void *at)                                                \
    {                                                                                              \
        harness_access(at, bytes);                                                                 \
    }                                                                                              \
    HARNESS_PLAIN void __tsan_write##bytes(void *at)                                               \
    {                                                                                              \
        __tsan_read##bytes(at);                                                                    \
    }                                                                                              \
    HARNESS_PLAIN void __tsan_unaligned_read##bytes(void *at)                                      \
    {                                                                                              \
        __tsan_read##bytes(at);                                                                    \
    }                                                                                              \
    HARNESS_PLAIN void __tsan_unaligned_write##bytes(void *at)                                     \
    {                                                                                              \
        __tsan_read##bytes(at);                                                                    \
    }
HARNESS_SIZED(1)
HARNESS_SIZED(2)
HARNESS_SIZED(4)
HARNESS_SIZED(8)
HARNESS_SIZED(16)

HARNESS_PLAIN void __tsan_read_range(void *at, unsigned long bytes)
{
    harness_access(at, bytes);
}

HARNESS_PLAIN void __tsan_write_range(void *at, unsigned long bytes)
{
    __tsan_read_range(at, bytes);
}

void __tsan_init(void)
{
}

/* ---- matrices ---- */

struct harness_three {
    double *a, *b, *c;
    long n, row;
};

/* Behind the last number is memory that may not be read. */
static double *harness_matrix(long n, long row)
{
    return harness_guarded((unsigned long)((n - 1) * row + n) * sizeof(double));
}

static struct harness_three harness_matrices(long n, long row)
{
    struct harness_three m = {harness_matrix(n, row), harness_matrix(n, row),
                              harness_matrix(n, row), n, row};
    return m;
}

static void harness_structures(long entries, long sets, long ways)
{
    if (entries < 1 || entries > HARNESS_WAYS || sets < 1 || sets > HARNESS_SETS || ways < 1 ||
        ways > HARNESS_WAYS)
        exit(2);
    harness_tlb.ways = entries;
    harness_cache.sets = (unsigned long)sets;
    harness_cache.ways = ways;
}

/* The time that the misses of one product cost. One that the check does not see reading its numbers
 * does not count. The compiler believes that the instrumentation changes no variable, so it must
 * not know which function is called. */
static long harness_lost_ns(const struct harness_three *m, long block)
{
    void (*volatile product)(const double *, const double *, double *, long, long, long) = multiply;

    memset(harness_tlb.used, 0, sizeof harness_tlb.used);
    memset(harness_cache.used, 0, sizeof harness_cache.used);
    harness_tlb.misses = harness_cache.misses = harness_bytes = 0;
    harness_watches = 1;
    product(m->a, m->b, m->c, m->n, m->row, block);
    harness_watches = 0;
    if (harness_bytes >= 4 * m->n * m->n * m->n)
        return harness_tlb.misses * HARNESS_WALK_NS + harness_cache.misses * HARNESS_MISS_NS;
    printf("%ld bytes are read and written for %ld multiplications\n", harness_bytes,
           m->n * m->n * m->n);
    exit(1);
}

/* ---- what the check asks ---- */

static int harness_right(long n, long row, long block, long seed)
{
    struct harness_three m = harness_matrices(n, row);
    double *wanted = harness_matrix(n, row);

    srand((unsigned)seed);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < (i < n - 1 ? row : n); j++) {
            long at = i * row + j;
            m.a[at] = j < n ? rand() % 10 : NAN;
            m.b[at] = j < n ? rand() % 10 : NAN;
            m.c[at] = wanted[at] = j < n ? rand() % 10 : 12345;
        }
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            for (long k = 0; k < n; k++)
                wanted[i * row + j] += m.a[i * row + k] * m.b[k * row + j];
    multiply(m.a, m.b, m.c, n, row, block);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < (i < n - 1 ? row : n); j++)
            if (m.c[i * row + j] != wanted[i * row + j]) {
                printf("%s: row %ld, column %ld of c is %.0f, not %.0f\n",
                       j < n ? "wrong" : "beside the matrix", i, j, m.c[i * row + j],
                       wanted[i * row + j]);
                return 0;
            }
    printf("right %ld\n", seed);
    return 0;
}

/* The time lost with `block`, and the least of all blocks. */
static void harness_compare(const struct harness_three *m, long block)
{
    long least_ns = -1, best = 0, lost_ns;

    if (block < 1) {
        printf("a block of %ld\n", block);
        exit(1);
    }
    for (long other = 4; other <= m->n; other += 4) {
        lost_ns = harness_lost_ns(m, other);
        if (least_ns < 0 || lost_ns < least_ns) {
            least_ns = lost_ns;
            best = other;
        }
    }
    lost_ns = harness_lost_ns(m, block);
    printf("%ld %ld %ld %ld\n", block, lost_ns, least_ns, best);
}

static void harness_count_misses(const struct harness_three *m, long block)
{
    harness_lost_ns(m, block);
    printf("%ld %ld\n", harness_tlb.misses, harness_cache.misses);
}

int harness_main(int argc, char *argv[])
{
    long given[7] = {0};
    struct harness_three m;

    for (int k = 2; k < argc && k < 9; k++)
        given[k - 2] = atol(argv[k]);
    if (argc < 4 || given[0] < 1 || given[1] < 1)
        return 2;
    if (argc == 6)
        return harness_right(given[0], given[1], given[2], given[3]);
    m = harness_matrices(given[0], argc == 8 ? given[1] : HARNESS_PAGE / NUMBER);
    if (argc == 4) {
        harness_structures(given[1] + 4, 1, HARNESS_WAYS);
        harness_count_misses(&m, given[1]);
    } else if (argc == 5) {
        harness_structures(given[1], 1, given[2] / LINE);
        harness_compare(&m, strcmp(argv[1], "tlb") == 0 ? block_for_tlb(given[1])
                                                        : block_for_cache(given[2]));
    } else if (argc == 8) {
        harness_structures(given[3], given[4], given[5]);
        harness_count_misses(&m, given[2]);
    } else {
        return 2;
    }
    return 0;
}
