/* 19: which slice of the L3 cache holds a line? Finds the hash behind a map of blocks: one at
 * address 0, one at each address with a single bit.
 *
 *   ./program look MAP       the number of slices, and after how many lines the map repeats
 *   ./program solve MAP      the hash: kind, index, value
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 64, BLOCKS = 32, MASKS = 6 };

struct block {
    unsigned long paddr;
    int slice[LINES];
};

/* The least s such that b[i] is a[i ^ s] for all i below n, a power of two; -1: there is none. */
int find_shift(const int *a, const int *b, int n)
{
    /* HOLE 1: try every s. */
    (void)a, (void)b, (void)n;
    return -2;
}

/* The least power of two such that the map consists of runs of this length, each of which is the
 * first run with its indices XORed by some number; n if it does not repeat. */
int repeat_length(const int *slice, int n)
{
    /* HOLE 2: try 1, 2, 4, ...; find_shift() says whether a run is the first one, shifted. */
    (void)slice;
    return n + 1;
}

/* Address bit `bit` XORs the index with `shift`: sets it in the masks of those index bits. */
void add_bit(unsigned long *mask, int bit, int shift)
{
    /* HOLE 3 */
    (void)mask, (void)bit, (void)shift;
}

/* The slice of an address, by a base of `lines` lines and its masks. */
int slice_of(const int *base, int lines, const unsigned long *mask, unsigned long paddr)
{
    /* HOLE 4: the index without masks, then XORed with the parity of paddr AND mask[t] in bit t. */
    (void)base, (void)lines, (void)mask, (void)paddr;
    return -1;
}

/* ---- the rest is complete ---- */

static struct block block[BLOCKS];

/* Reads a map; returns the number of blocks. */
static int read_map(const char *name)
{
    char line[256];
    unsigned long paddr;
    int slice, count = 0;
    FILE *file = fopen(name, "r");
    if (file == NULL) {
        perror(name);
        exit(1);
    }
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%lx %d", &paddr, &slice) != 2)
            continue;
        unsigned long start = paddr - paddr % (64 * LINES);
        int k = 0;
        while (k < count && block[k].paddr != start)
            k++;
        if (k == BLOCKS)
            break;
        count = k < count ? count : k + 1;
        block[k].paddr = start;
        block[k].slice[paddr / 64 % LINES] = slice;
    }
    fclose(file);
    return count;
}

static int count_slices(const int *slice, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (slice[k] != slice[i])
            k++;
        count += k == i;
    }
    return count;
}

static int bit_of(unsigned long paddr)
{
    int bit = 0;
    while (paddr >> bit > 1)
        bit++;
    return bit;
}

static void solve(int blocks)
{
    unsigned long mask[MASKS] = {0};
    int lines = repeat_length(block[0].slice, LINES);
    for (int bit = 0; lines << bit < LINES; bit++) /* within a block */
        add_bit(mask, bit_of(64UL * (unsigned long)lines) + bit,
                find_shift(block[0].slice, block[0].slice + (lines << bit), lines));
    for (int k = 1; k < blocks; k++)
        add_bit(mask, bit_of(block[k].paddr), find_shift(block[0].slice, block[k].slice, lines));
    printf("kind\tindex\tvalue\n");
    for (int i = 0; i < lines && i < LINES; i++)
        printf("base\t%d\t%d\n", i, block[0].slice[i]);
    for (int t = 0; 1 << t < lines && t < MASKS; t++)
        printf("mask\t%d\t0x%lx\n", t, mask[t]);
}

static int numbers(char *argv[], int n, int *into)
{
    for (int i = 0; i < n; i++)
        into[i] = atoi(argv[i]);
    return n;
}

static int a[256], b[256];
static unsigned long masks[64];

/* Calls one function with the numbers that follow, and prints what it returns:
 *
 *   program call shift N A... B...                     find_shift() of two runs of N lines
 *   program call repeat N SLICE...                     repeat_length() of N lines
 *   program call bits BIT SHIFT [BIT SHIFT]...         four masks after add_bit() of each pair
 *   program call slice LINES BASE... T MASK... PADDR   slice_of() with T masks */
static int call(int argc, char *argv[])
{
    int n = argc > 2 ? atoi(argv[2]) : 0;
    if (argc > 2 && strcmp(argv[1], "shift") == 0) {
        numbers(argv + 3, n, a);
        numbers(argv + 3 + n, n, b);
        printf("%d\n", find_shift(a, b, n));
    } else if (argc > 2 && strcmp(argv[1], "repeat") == 0) {
        numbers(argv + 3, n, a);
        printf("%d\n", repeat_length(a, n));
    } else if (argc > 3 && strcmp(argv[1], "bits") == 0) {
        for (int i = 2; i + 1 < argc; i += 2)
            add_bit(masks, atoi(argv[i]), atoi(argv[i + 1]));
        printf("%lx %lx %lx %lx\n", masks[0], masks[1], masks[2], masks[3]);
    } else if (argc > 4) {
        numbers(argv + 3, n, a);
        int count = atoi(argv[3 + n]);
        for (int t = 0; t < count; t++)
            masks[t] = strtoul(argv[4 + n + t], NULL, 0);
        printf("%d\n", slice_of(a, n, masks, strtoul(argv[4 + n + count], NULL, 0)));
    }
    return 0;
}

int main(int argc, char *argv[])
{
    if (argc > 2 && strcmp(argv[1], "call") == 0)
        return call(argc - 1, argv + 1);
    int blocks = argc == 3 ? read_map(argv[2]) : 0;
    if (blocks == 0) {
        fprintf(stderr, "usage: program look|solve MAP\n");
        return 2;
    }
    if (strcmp(argv[1], "look") == 0)
        printf("slices\tlines\n%d\t%d\n", count_slices(block[0].slice, LINES),
               repeat_length(block[0].slice, LINES));
    else
        solve(blocks);
    return 0;
}
