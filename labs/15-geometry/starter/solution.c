/* Exercise 15: a simulated TLB of sets and ways, and how many pages it holds.
 *
 * Usage: ./program knees ENTRIES WAYS FOLD > knees.dat
 *        ./program misses ENTRIES WAYS FOLD SPACING TARGETS
 * The TLB has ENTRIES translations in sets of WAYS each. With FOLD 0 the page number modulo the
 * number of sets selects the set; else the page number is first exclusive-or'ed with itself shifted
 * right by FOLD bits. SPACING is in pages. `knees` prints how many pages stay that are 1, 2, 4 and
 * so on apart. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES_MAX 65536
#define SPACINGS    17

struct tlb {
    long ways, sets, fold;
    long now;               /* grows with each lookup */
    long page[ENTRIES_MAX]; /* set s has the entries s * ways to s * ways + ways - 1 */
    long used[ENTRIES_MAX]; /* when each entry was used last; 0: it is empty */
};

static void make_empty(struct tlb *tlb)
{
    tlb->now = 0;
    for (long i = 0; i < tlb->sets * tlb->ways; i++) {
        tlb->page[i] = -1;
        tlb->used[i] = 0;
    }
}

/* The set for the translation of this page. */
long set_of(const struct tlb *tlb, long page)
{
    /* HOLE: modulo the sets; with a fold, exclusive-or the page number with its higher bits before.
     */
    (void)tlb;
    (void)page;
    return 0;
}

/* Looks a page up: 1 for a hit, 0 for a miss. After a miss it replaces the page of its set that was
 * used longest ago. */
int lookup(struct tlb *tlb, long page)
{
    tlb->now++;
    /* HOLE: search the ways of its set, and remember which entry is the oldest. */
    (void)set_of(tlb, page);
    return 0;
}

/* Empties the TLB and visits pages 0, spacing, 2 * spacing and so on in rounds. Returns the misses
 * of a round after the first. */
long misses(struct tlb *tlb, long targets, long spacing)
{
    make_empty(tlb);
    /* HOLE: one round to fill it, and one to count. */
    (void)lookup(tlb, 0 * spacing);
    return targets;
}

/* The largest number of pages without a miss, by bisection: with more pages misses never become
 * fewer. */
static long reach(struct tlb *tlb, long spacing)
{
    long stay = 0, leave = tlb->sets * tlb->ways + 1;

    while (leave - stay > 1) {
        long middle = (stay + leave) / 2;
        if (misses(tlb, middle, spacing) == 0)
            stay = middle;
        else
            leave = middle;
    }
    return stay;
}

static int print_knees(struct tlb *tlb)
{
    printf("spacing\treach\n");
    for (long k = 0; k < SPACINGS; k++)
        printf("%ld\t%ld\n", 1L << k, reach(tlb, 1L << k));
    return 0;
}

/* Calls one function with the numbers that follow, and prints what it returns:
 *
 *   program call set ENTRIES WAYS FOLD PAGE
 *   program call lookup ENTRIES WAYS FOLD PAGE...    h and m for hits and misses
 *   program call misses ENTRIES WAYS FOLD TARGETS SPACING */
static int call(int argc, char *argv[])
{
    static struct tlb tlb;

    if (argc < 6)
        return 2;
    tlb.ways = atol(argv[3]);
    tlb.sets = atol(argv[2]) / tlb.ways;
    tlb.fold = atol(argv[4]);
    make_empty(&tlb);
    if (strcmp(argv[1], "set") == 0) {
        printf("%ld", set_of(&tlb, atol(argv[5])));
    } else if (strcmp(argv[1], "lookup") == 0) {
        for (int i = 5; i < argc; i++)
            putchar(lookup(&tlb, atol(argv[i])) ? 'h' : 'm');
    } else {
        printf("%ld", misses(&tlb, atol(argv[5]), argc > 6 ? atol(argv[6]) : 1));
    }
    putchar('\n');
    return 0;
}

int main(int argc, char *argv[])
{
    if (argc > 2 && strcmp(argv[1], "call") == 0)
        return call(argc - 1, argv + 1);
    static struct tlb tlb;
    long entries = argc > 4 ? atol(argv[2]) : 0;

    if (entries > 0 && entries <= ENTRIES_MAX) {
        tlb.ways = atol(argv[3]);
        tlb.fold = atol(argv[4]);
        tlb.sets = tlb.ways > 0 && entries % tlb.ways == 0 ? entries / tlb.ways : 0;
    }
    if (tlb.sets > 0 && tlb.fold >= 0 && tlb.fold < 32) {
        if (argc == 5 && strcmp(argv[1], "knees") == 0)
            return print_knees(&tlb);
        if (argc == 7 && strcmp(argv[1], "misses") == 0)
            return printf("%ld\n", misses(&tlb, atol(argv[6]), atol(argv[5]))) < 0;
    }
    fprintf(stderr, "Usage: program knees ENTRIES WAYS FOLD, or "
                    "program misses ENTRIES WAYS FOLD SPACING TARGETS\n");
    return 2;
}
