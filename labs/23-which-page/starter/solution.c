/* Exercise 23: which of two pages did the victim touch?
 *
 * Usage: ./program leak > leak.dat            the victim reads the page that its secret names
 *        ./program defended > defended.dat    it is defended
 * A row for each bit of the secret: the bit, the spy's guess, and the time of a load from each
 * page. */
#define _DEFAULT_SOURCE /* madvise() */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#ifdef QUICK /* for tests of this exercise; labs/run */
#define ROUNDS 40
#else
#define ROUNDS 200
#endif
#ifndef PAGES
#define PAGES 4096L /* that evict() touches: more than the second level of most TLBs */
#endif
#define PAGE      4096L
#define BITS      64
#define VICTIM_AT 256L /* the byte of its page that the victim reads */

/* The victim's two pages, and others. */
struct memory {
    volatile char *page[2];
    volatile char *others; /* PAGES pages */
};

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double time_load(volatile char *at)
{
    double begin = now_ns();

    (void)*at;
    return now_ns() - begin;
}

/* The victim reads one of its pages: a table look-up, say, with an index that depends on a key. */
static char careless(const struct memory *memory, int bit)
{
    return memory->page[bit][VICTIM_AT];
}

/* The byte of a page that the spy times. It must not lie in the cache line that the victim reads,
 * nor in its neighbour (the other half of 128 bytes), or the spy sees the cache and not the TLB. */
long spy_at(long victim_at)
{
    /* HOLE */
    return victim_at;
}

/* Reads a byte of each page, so that the TLB forgets all others. In each page another line: bytes 0
 * of all pages lie in one set of the cache. */
void evict(volatile char *others, long pages)
{
    /* HOLE */
    (void)others;
    (void)pages;
}

/* Returns the same byte as careless(), and touches the same pages whatever the bit is. */
char defended(const struct memory *memory, int bit)
{
    /* HOLE: this one is not defended at all. */
    return memory->page[bit][VICTIM_AT];
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The mean of the lower three quarters of n times. The clock has steps as long as a load, so one
 * time, and the median too, is hardly more than a step; but the mean of many is finer. The upper
 * quarter has the times that were interrupted. */
double typical(double *ns, long n)
{
    /* HOLE: sort with qsort() and ascending(). */
    (void)ascending;
    return n > 0 ? ns[0] : 0;
}

static struct memory prepare(void)
{
    size_t bytes = (size_t)((PAGES + 2048) * PAGE);
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        exit(2);
    madvise(memory, bytes, MADV_NOHUGEPAGE);
    memset(memory, 1, bytes);
    /* Far from each other and from the others: some TLBs hold neighbours in one entry. */
    return (struct memory){{memory + (PAGES + 700) * PAGE, memory + (PAGES + 1703) * PAGE}, memory};
}

/* The spy: before each timed load the TLB is emptied and the victim works once. */
static void spy(const struct memory *memory, char (*victim)(const struct memory *, int), int bit,
                double typical_ns[2])
{
    static double ns[2][ROUNDS];

    for (long round = 0; round < ROUNDS; round++)
        for (int which = 0; which < 2; which++) {
            evict(memory->others, PAGES);
            victim(memory, bit);
            ns[which][round] = time_load(memory->page[which] + spy_at(VICTIM_AT));
        }
    for (int which = 0; which < 2; which++)
        typical_ns[which] = typical(ns[which], ROUNDS);
}

/* In a list of all accesses to memory, two stores to `stage` mark where those of a function begin
 * and end. The compiler moves no access across them. */
static volatile int stage;

static void enter_stage(int now)
{
    atomic_signal_fence(memory_order_seq_cst);
    stage = now;
    atomic_signal_fence(memory_order_seq_cst);
}

static char *fresh(long pages)
{
    char *memory = aligned_alloc(PAGE, (size_t)(pages * PAGE));

    if (memory == NULL)
        exit(2);
    printf("# stage: %p\n# memory: %p\n", (void *)&stage, (void *)memory);
    return memory;
}

static void ask_spy(void)
{
    printf("at\tspy\n");
    for (long at = 0; at < PAGE; at += 8)
        printf("%ld\t%ld\n", at, spy_at(at));
}

static void ask_evict(long pages)
{
    char *memory = fresh(pages);

    enter_stage(1);
    evict(memory, pages);
    enter_stage(2);
}

static void ask_defended(int bit, int a, int b)
{
    char *pages = fresh(2);
    struct memory memory = {{pages, pages + PAGE}, NULL};

    memory.page[0][VICTIM_AT] = (char)a;
    memory.page[1][VICTIM_AT] = (char)b;
    enter_stage(1);
    char got = defended(&memory, bit);
    enter_stage(2);
    printf("%d\n", got);
}

static void ask_typical(long n, double step, double interrupted)
{
    double *ns = malloc((size_t)n * sizeof *ns);

    if (ns == NULL)
        exit(2);
    /* Every fourth is interrupted; of the others every third is a step later. */
    for (long i = 0, k = 0; i < n; i++)
        ns[i] = i % 4 == 1 ? interrupted : k++ % 3 == 0 ? 2 * step : step;
    printf("%.3f\n", typical(ns, n));
}

/* Calls one function with the numbers that follow, and prints what it returns:
 *
 *   program call spy                   spy_at() of places in a page
 *   program call evict PAGES           what evict() touches shows in the list of all accesses
 *   program call defended BIT A B      what defended() returns, of pages that hold A and B
 *   program call typical N STEP LONG   typical() of N times, of which every fourth is LONG */
static int call(int argc, char *argv[])
{
    if (strcmp(argv[1], "spy") == 0)
        ask_spy();
    else if (argc == 3)
        ask_evict(atol(argv[2]));
    else if (argc == 5 && strcmp(argv[1], "defended") == 0)
        ask_defended(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
    else if (argc == 5)
        ask_typical(atol(argv[2]), atof(argv[3]), atof(argv[4]));
    else
        return 2;
    return 0;
}

int main(int argc, char *argv[])
{
    if (argc > 2 && strcmp(argv[1], "call") == 0)
        return call(argc - 1, argv + 1);
    char (*victim)(const struct memory *, int) = NULL;
    struct memory memory;

    if (argc == 2 && strcmp(argv[1], "leak") == 0)
        victim = careless;
    if (argc == 2 && strcmp(argv[1], "defended") == 0)
        victim = defended;
    if (victim == NULL) {
        fprintf(stderr, "Usage: program leak|defended\n");
        return 2;
    }
    memory = prepare();
    srand((unsigned)time(NULL));
    printf("# program: which_page\n# pages: %ld\n# rounds: %d\nbit\tsecret\tguess\tns0\tns1\n",
           (long)PAGES, ROUNDS);
    for (int i = 0; i < BITS; i++) {
        int bit = rand() / 7 % 2;
        double ns[2];

        spy(&memory, victim, bit, ns);
        printf("%d\t%d\t%d\t%.2f\t%.2f\n", i, bit, ns[1] < ns[0], ns[0], ns[1]);
    }
    return 0;
}
