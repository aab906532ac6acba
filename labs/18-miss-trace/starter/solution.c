/* Exercise 18: where the misses of a program come from.
 *
 * Usage: ./program share PAGES > share.dat
 *        ./program lru > lru.dat
 * The first reads a table of `misses` by page, and prints which share of all misses the hottest
 * pages have. The second prints the misses of TLBs with 1 to 12 entries for a loop over ten pages.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGES_MAX = 1 << 20, ENTRIES_MAX = 64 };

/* Which share of all misses, in per cent, do the hottest pages have? `misses` has the misses of
 * each of `count` pages, in any order, which may be changed. The hottest are `percent` per cent of
 * the pages, rounded up to whole pages. */
double hottest_share(long *misses, long count, double percent)
{
    /* HOLE: sort, the most misses first; qsort() does it. Add up the first ones, and all. */
    (void)misses;
    (void)count;
    (void)percent;
    return 0;
}

/* How many of these accesses to pages miss in a TLB with so many entries (at most ENTRIES_MAX),
 * which begins empty, and replaces the entry that was not used for the longest time? */
long lru_misses(const long *pages, long count, int entries)
{
    /* HOLE: keep the pages in an array, the most recently used first. An access moves its page to
     * the front; on a miss the last one is gone. */
    (void)pages;
    (void)count;
    (void)entries;
    return 0;
}

/* The column `misses` of a table whose lines with # are metadata; the number of its rows. */
static long read_misses(const char *path, long *misses)
{
    char line[4096];
    long rows = 0;
    int wanted = -1;
    FILE *file = fopen(path, "r");

    if (file == NULL) {
        perror(path);
        exit(2);
    }
    while (fgets(line, sizeof line, file) != NULL && rows < PAGES_MAX) {
        int column = 0;
        if (line[0] == '#')
            continue;
        for (char *word = strtok(line, "\t\n"); word != NULL;
             word = strtok(NULL, "\t\n"), column++) {
            if (wanted < 0 && strcmp(word, "misses") == 0)
                wanted = -2 - column;
            else if (column == wanted)
                misses[rows++] = atol(word);
        }
        wanted = wanted < -1 ? -2 - wanted : wanted;
    }
    fclose(file);
    return rows;
}

/* Calls one function with the numbers that follow, and prints what it returns:
 *
 *   program call share PERCENT MISSES...
 *   program call lru ENTRIES PAGE... */
static int call(int argc, char *argv[])
{
    static long numbers[1000];
    int count = argc - 3;

    if (argc < 4 || count > 1000)
        return 2;
    for (int i = 0; i < count; i++)
        numbers[i] = atol(argv[3 + i]);
    if (strcmp(argv[1], "share") == 0)
        printf("%.3f\n", hottest_share(numbers, count, atof(argv[2])));
    else
        printf("%ld\n", lru_misses(numbers, count, atoi(argv[2])));
    return 0;
}

int main(int argc, char *argv[])
{
    if (argc > 2 && strcmp(argv[1], "call") == 0)
        return call(argc - 1, argv + 1);
    static long misses[PAGES_MAX], loop[1000];

    if (argc == 3 && strcmp(argv[1], "share") == 0) {
        static const double percents[] = {1, 2, 5, 10, 20, 50, 100};
        long count = read_misses(argv[2], misses);
        printf("pages_percent\tmisses_percent\n");
        for (int k = 0; k < 7; k++)
            printf("%g\t%.3f\n", percents[k], hottest_share(misses, count, percents[k]));
    } else if (argc == 2 && strcmp(argv[1], "lru") == 0) {
        for (int i = 0; i < 1000; i++)
            loop[i] = i % 10;
        printf("entries\tmisses\n");
        for (int entries = 1; entries <= 12; entries++)
            printf("%d\t%ld\n", entries, lru_misses(loop, 1000, entries));
    } else {
        fprintf(stderr, "Usage: program share PAGES, or program lru\n");
        return 2;
    }
    return 0;
}
