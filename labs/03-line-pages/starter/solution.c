/* Exercise 03: loads from "pages" of the size of a cache line.
 *
 * Usage: ./program > line.dat
 * A row for each number of pages: the seconds that about REFS references take, and their sum. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef PAGESIZE
#define PAGESIZE 64
#endif
#ifndef PAGES
#define PAGES 64
#endif
#ifndef REFS
#define REFS (10L * 1024 * 1024)
#endif

/* Allocates memory for this number of pages. The system provides a page when it is first touched,
 * so write the first byte of each: 1, so that the sum counts the references. NULL if out of memory.
 */
char *prepare(int pages)
{
    /* HOLE: allocate PAGESIZE * pages bytes; they may be more than 4 GiB. Touch every page. */
    (void)pages;
    return NULL;
}

/* Reads the first byte of each page in every round, for as many whole rounds as fit into refs.
 * Returns the sum of the bytes. */
long read_pages(const char *memory, int pages, long refs)
{
    /* HOLE: the two loops of exercise 02, with a reference to memory in place of sum++. */
    (void)memory;
    (void)pages;
    (void)refs;
    return 0;
}

int main(void)
{
    char *memory = prepare(PAGES);

    printf("# program: line\n");
    printf("# page size: %d bytes\n", PAGESIZE);
    printf("# max pages: %d\n", PAGES);
    printf("# total number of references: %ld\n", (long)REFS);
    printf("pages\tproc\tsum\n");
    for (int pages = 1; pages <= PAGES; pages++) {
        clock_t start = clock();
        long sum = read_pages(memory, pages, REFS);
        clock_t stop = clock();

        printf("%d\t%.6f\t%ld\n", pages, (double)(stop - start) / CLOCKS_PER_SEC, sum);
    }
    free(memory);
    return 0;
}
