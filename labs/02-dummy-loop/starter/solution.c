/* Exercise 02: the two loops, without memory references.
 *
 * Usage: ./program > dummy.dat
 * A row for each number of pages: the seconds that about REFS references take, and their sum. */
#include <stdio.h>
#include <time.h>

#ifndef PAGES
#define PAGES 16
#endif
#ifndef REFS
#define REFS (10L * 1024 * 1024)
#endif

/* Counts to pages in each round, for as many whole rounds as fit into refs; each step of the inner
 * loop is one "reference". Returns their number. */
long dummy(int pages, long refs)
{
    long sum = 0;

    /* HOLE: how many rounds? An outer loop over the rounds, an inner one over the pages, and in it
     * the dummy operation, sum++. The next two lines only keep the compiler quiet. */
    (void)pages;
    (void)refs;

    return sum;
}

int main(void)
{
    printf("# program: dummy\n");
    printf("# max pages: %d\n", PAGES);
    printf("# total number of references: %ld\n", (long)REFS);
    printf("pages\tproc\tsum\n");
    for (int pages = 1; pages <= PAGES; pages++) {
        clock_t start = clock();
        long sum = dummy(pages, REFS);
        clock_t stop = clock();

        printf("%d\t%.6f\t%ld\n", pages, (double)(stop - start) / CLOCKS_PER_SEC, sum);
    }
    return 0;
}
