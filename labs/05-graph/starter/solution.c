/* Exercise 05: three series for one graph, and tables with a description.
 *
 * Usage: ./program > tlb4K.dat
 * Compiled with -DPAGESIZE=64 it measures small pages, with -DDUMMY the loops alone. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef PAGESIZE
#define PAGESIZE (4 * 1024)
#endif
#ifndef PAGES
#define PAGES 4096
#endif
#ifndef REFS
#define REFS (10L * 1024 * 1024)
#endif

/* Prints what a later reader of the table must know: its page size in bytes, the largest number of
 * pages, the number of references. Each is a line `# key: value`; the keys are `page size`,
 * `max pages` and `total number of references`. Then comes the header, without `#`: pages, proc and
 * sum, with one tab between them. */
void print_header(long pagesize, int pages, long refs)
{
    /* HOLE: the lines with `#`. */
    (void)pagesize;
    (void)pages;
    (void)refs;

    printf("pages\tproc\tsum\n");
}

#ifdef DUMMY
static char *prepare(int pages)
{
    return malloc((size_t)pages);
}

/* The loops alone. */
static long work(const char *memory, int pages, long refs)
{
    long sum = 0;

    (void)memory;
    /* HOLE: yours from exercise 02: the loops below, with sum++ in place of the load. */
    (void)pages;
    (void)refs;

    return sum;
}
#else
static char *prepare(int pages)
{
    /* HOLE: copy yours from exercise 03 or 04. */
    (void)pages;
    return NULL;
}

static long work(const char *memory, int pages, long refs)
{
    /* HOLE: copy yours from exercise 03 or 04. */
    (void)memory;
    (void)pages;
    (void)refs;
    return 0;
}
#endif

int main(void)
{
    char *memory = prepare(PAGES);

    print_header(PAGESIZE, PAGES, REFS);
    for (int pages = 4; pages <= PAGES; pages *= 2) {
        clock_t start = clock();
        long sum = work(memory, pages, REFS);
        clock_t stop = clock();

        printf("%d\t%.6f\t%ld\n", pages, (double)(stop - start) / CLOCKS_PER_SEC, sum);
    }
    free(memory);
    return 0;
}
