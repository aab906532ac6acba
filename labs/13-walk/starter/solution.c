/* Exercise 13: what a page walk costs, and what it reads.
 *
 * Usage: ./program penalty [SAMPLES] > penalty.dat    of a table of sweep(1)
 *        ./program entries [PAGES] > entries.dat
 * A row for each distance of pages: the cost of translation, or the entries that their walks touch.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES_MAX 100000
#define PAGE        4096L
#define LEVELS      4
#define TABLE       512L /* entries of a page table, of 8 bytes each: a page */
#define LINE        8L   /* entries of a cache line */

struct sample {
    long pages, spacing, number;
    int packed; /* else layout page */
    double ns;
};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The q-quantile of n values: sort them and take the one at place q * (n - 1), counted from 0.
 * Between two places, interpolate linearly. The median is the 0.5-quantile. */
double quantile(double *values, long n, double q)
{
    /* HOLE: sort with qsort() and ascending(), then interpolate. */
    (void)ascending;
    (void)q;
    return n > 0 ? values[0] : 0;
}

/* Layout page at this spacing minus packed: the differences of samples with the same number of
 * pages, from first to last, in the same pass. Returns the number of differences. */
long differences(const struct sample *samples, long n, long spacing, long first, long last,
                 double *out)
{
    /* HOLE: for each such sample of layout page, look for its packed one. */
    (void)samples;
    (void)spacing;
    (void)first;
    (void)last;
    (void)out;
    (void)n;
    return 0;
}

/* The number of entries for pages at addresses start, start + spacing, start + 2 * spacing and so
 * on. An entry covers `covers` bytes, beginning at a multiple of that. */
long distinct(long start, long pages, long spacing, long covers)
{
    /* HOLE: two pages share an entry when their addresses divided by `covers` are equal. */
    (void)start;
    (void)spacing;
    (void)covers;
    (void)pages;
    return 0;
}

/* Reads columns 1 to 9 of a table of sweep: pages, layout, spacing_bytes, page_bytes, role, sample,
 * kernel, backing, ns. */
static long read_samples(FILE *file, struct sample *samples)
{
    char line[1000], layout[20];
    long n = 0;

    while (n < SAMPLES_MAX && fgets(line, sizeof line, file) != NULL) {
        struct sample *s = &samples[n];
        if (sscanf(line, "%ld %19s %ld %*s %*s %ld %*s %*s %lf", &s->pages, layout, &s->spacing,
                   &s->number, &s->ns) != 5)
            continue;
        s->packed = strcmp(layout, "packed") == 0;
        n += s->packed || strcmp(layout, "page") == 0;
    }
    return n;
}

/* A row for each distance: the last octave of pages, where the cost of a walk is constant. */
static int print_penalties(FILE *file)
{
    static struct sample samples[SAMPLES_MAX];
    static double ns[SAMPLES_MAX];
    long n = read_samples(file, samples);

    printf("spacing_bytes\tfirst\tlast\tcount\tpenalty_ns\tlow_ns\thigh_ns\n");
    for (long spacing = PAGE; spacing <= PAGE << 27; spacing *= TABLE) {
        long last = 0;
        for (long i = 0; i < n; i++)
            if (!samples[i].packed && samples[i].spacing == spacing && samples[i].pages > last)
                last = samples[i].pages;
        long count = last > 0 ? differences(samples, n, spacing, (last + 1) / 2, last, ns) : 0;
        if (count > 0)
            printf("%ld\t%ld\t%ld\t%ld\t%.3f\t%.3f\t%.3f\n", spacing, (last + 1) / 2, last, count,
                   quantile(ns, count, 0.5), quantile(ns, count, 0.25), quantile(ns, count, 0.75));
    }
    return 0;
}

/* A row for each distance and each level of the page table, the lowest first. */
static int print_entries(long pages)
{
    printf("spacing_bytes\tlevel\tpages\tentries\tlines\ttables\n");
    for (long spacing = PAGE; spacing <= PAGE << 27; spacing *= TABLE) {
        long covers = PAGE;
        for (int level = 1; level <= LEVELS; level++, covers *= TABLE)
            printf("%ld\t%d\t%ld\t%ld\t%ld\t%ld\n", spacing, level, pages,
                   distinct(0, pages, spacing, covers), distinct(0, pages, spacing, covers * LINE),
                   distinct(0, pages, spacing, covers * TABLE));
    }
    return 0;
}

/* Calls one function with the numbers that follow, and prints what it returns:
 *
 *   program call distinct START PAGES SPACING COVERS
 *   program call quantile Q VALUE...
 *   program call differences SPACING FIRST LAST TABLE    their number, and the sum of their cubes
 */
static int call(int argc, char *argv[])
{
    static struct sample samples[1000];
    double values[1000], sum = 0;
    long number[5] = {0};

    if (argc < 4)
        return 2;
    for (int i = 2; i < argc && i < 6; i++)
        number[i - 1] = atol(argv[i]);
    if (strcmp(argv[1], "distinct") == 0) {
        printf("%ld\n", distinct(number[1], number[2], number[3], number[4]));
    } else if (strcmp(argv[1], "quantile") == 0) {
        for (int i = 3; i < argc; i++)
            values[i - 3] = atof(argv[i]);
        printf("%.4f\n", quantile(values, argc - 3, atof(argv[2])));
    } else {
        FILE *file = fopen(argv[5], "r");
        long n = 0, count;

        if (file == NULL)
            return 2;
        while (n < 1000 &&
               fscanf(file, "%ld %ld %ld %d %lf", &samples[n].pages, &samples[n].spacing,
                      &samples[n].number, &samples[n].packed, &samples[n].ns) == 5)
            n++;
        count = differences(samples, n, number[1], number[2], number[3], values);
        for (long i = 0; i < count && i < 1000; i++)
            sum += values[i] * values[i] * values[i];
        printf("%ld %.4f\n", count, sum);
    }
    return 0;
}

int main(int argc, char *argv[])
{
    if (argc > 2 && strcmp(argv[1], "call") == 0)
        return call(argc - 1, argv + 1);
    if (argc >= 2 && strcmp(argv[1], "entries") == 0)
        return print_entries(argc > 2 ? atol(argv[2]) : 128);
    if (argc >= 2 && strcmp(argv[1], "penalty") == 0) {
        FILE *file = argc > 2 ? fopen(argv[2], "r") : stdin;
        if (file != NULL)
            return print_penalties(file);
        perror(argv[2]);
        return 2;
    }
    fprintf(stderr, "Usage: program penalty [SAMPLES], or program entries [PAGES]\n");
    return 2;
}
