/* Exercise 12: from samples to the size of the TLB.
 *
 * Usage: ./program TABLE
 * Example: ./program data/noisy.tsv
 * Reads a table of samples, prints a row for each level of the TLB. If it finds
 * none, it prints only the header: that is an answer too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16 };

/* One row of the table that was read. */
struct sample {
    long pages;
    int packed; /* 0: layout page */
    double ns;
};

/* A number of nodes and its ns per load, one number for each layout. */
struct size {
    long pages;
    double page, packed;
};

/* One number for the n samples of one point, which were taken under the same conditions. You may
 * sort the array. */
double typical(double ns[], int n)
{
    /* HOLE. So far it is the first. Most disturbances make a sample longer, but not all. How much
     * does one very bad sample among five change your number? And two? */
    (void)n;
    return ns[0];
}

/* What translation costs at this size, ns per load. */
double cost(const struct size *s)
{
    /* HOLE. */
    return s->page;
}

/* Whether translation costs more at this size than on a plateau where it costs `plateau` ns. */
int risen(const struct size *s, double plateau)
{
    /* HOLE: your threshold. How much more exceeds the noise? Noise is a percentage of a load. On a
     * machine that is three times as slow, or twice as fast, the answer must be the same. */
    (void)s;
    (void)plateau;
    return 0;
}

/* The index of the last size of the plateau that begins at `from`; count - 1 if it has no end. */
int plateau_end(const struct size sizes[], int count, int from)
{
    /* HOLE. Go on while translation costs as much as on this plateau. Which number do you compare
     * with: the first, the last, all so far? A single slow size does not end the plateau. How many
     * in a row do? */
    (void)sizes;
    (void)from;

    return count - 1;
}

/* The index where the next plateau begins, after the end of one; count - 1 if there is none. A
 * level of many sets does not rise at once: after its end there is a slope of many sizes, each
 * slower than the one before. The next plateau begins at the first size where the curve is flat
 * again: of the sizes up to a quarter larger, hardly any has risen above it. */
int next_plateau(const struct size sizes[], int count, int end)
{
    /* HOLE. Try one size after the other, from end + 1. Sizes up to a quarter larger than size i
     * have sizes[k].pages <= sizes[i].pages * 5 / 4. */
    (void)sizes;
    (void)end;

    return count - 1;
}

/* ---- the rest is complete ---- */

/* The number of the column with this name in a header line, or -1. */
static int column(const char *header, const char *name)
{
    size_t length = strlen(name);
    int at = 0;

    for (const char *field = header; field != NULL; at++) {
        if (strncmp(field, name, length) == 0 && strchr("\t\r\n", field[length]) != NULL)
            return at;
        field = strchr(field, '\t');
        if (field != NULL)
            field++;
    }
    return -1;
}

/* The field of a row, from 0; it ends with a tab or a newline. */
static const char *field(const char *row, int at)
{
    for (; at > 0 && row != NULL; at--) {
        row = strchr(row, '\t');
        if (row != NULL)
            row++;
    }
    return row == NULL ? "-" : row;
}

/* Reads the samples of layout page and packed; skips other rows and rows without a time. */
static int read_samples(FILE *file, struct sample samples[])
{
    static char line[1 << 16];
    int count = 0, pages = -1, layout = -1, ns = -1;

    while (fgets(line, sizeof line, file) != NULL && count < MOST) {
        if (line[0] == '#')
            continue;
        if (pages < 0) {
            pages = column(line, "pages");
            layout = column(line, "layout");
            ns = column(line, "ns");
            if (pages < 0 || layout < 0 || ns < 0)
                return -1;
            continue;
        }
        struct sample s = {.pages = atol(field(line, pages)), .ns = atof(field(line, ns))};

        s.packed = strncmp(field(line, layout), "packed", 6) == 0;
        if (s.ns > 0 && (s.packed || strncmp(field(line, layout), "page", 4) == 0))
            samples[count++] = s;
    }
    return count;
}

static int by_size(const void *a, const void *b)
{
    const struct sample *s = a, *t = b;

    if (s->pages != t->pages)
        return s->pages < t->pages ? -1 : 1;
    return s->packed - t->packed;
}

/* Collects the sizes that were measured in both layouts, in growing order. */
static int gather(struct sample samples[], int count, struct size sizes[])
{
    static double ns[2][MOST];
    int n = 0;

    qsort(samples, (size_t)count, sizeof *samples, by_size);
    for (int i = 0; i < count;) {
        long pages = samples[i].pages;
        int taken[2] = {0, 0};

        for (; i < count && samples[i].pages == pages; i++) {
            int packed = samples[i].packed;

            ns[packed][taken[packed]++] = samples[i].ns;
        }
        if (taken[0] > 0 && taken[1] > 0)
            sizes[n++] = (struct size){pages, typical(ns[0], taken[0]), typical(ns[1], taken[1])};
    }
    return n;
}

static void print_levels(const struct size sizes[], int count)
{
    int level = 1;

    printf("structure\tlevel\tentries\tentries_min\tentries_max\n");
    for (int from = 0; from + 1 < count;) {
        int end = plateau_end(sizes, count, from);

        if (end + 1 >= count)
            break;
        printf("dtlb\t%d\t%ld\t%ld\t%ld\n", level++, sizes[end].pages, sizes[end].pages,
               sizes[end + 1].pages - 1);
        from = next_plateau(sizes, count, end);
    }
}

/* Calls one function with the numbers that follow, and prints what it returns:
 *
 *   program call typical NS... */
static int call(int argc, char *argv[])
{
    double ns[64];
    int n = argc - 2 < 64 ? argc - 2 : 64;

    if (n < 1)
        return 2;
    for (int i = 0; i < n; i++)
        ns[i] = atof(argv[i + 2]);
    printf("%.3f\n", typical(ns, n));
    return 0;
}

int main(int argc, char *argv[])
{
    if (argc > 2 && strcmp(argv[1], "call") == 0)
        return call(argc - 1, argv + 1);
    static struct sample samples[MOST];
    static struct size sizes[MOST];
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;

    if (file == NULL) {
        fprintf(stderr, "Usage: program TABLE\n");
        return 2;
    }
    int count = read_samples(file, samples);

    fclose(file);
    if (count < 0) {
        fprintf(stderr, "program: %s: no columns pages, layout and ns\n", argv[1]);
        return 2;
    }
    printf("# program: my detect\n");
    print_levels(sizes, gather(samples, count, sizes));
    return 0;
}
