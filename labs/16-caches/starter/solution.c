/* Exercise 16: where the caches end, from a latency curve.
 *
 * Usage: ./program TABLE > own.dat
 *        ./program slope TABLE > slope.dat
 * A row for each rise: the times of its two plateaus, and the size at its middle. With `slope` it
 * prints the filtered curve and its slope, for a graph. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096, PER_OCTAVE = 8 };

/* A curve: logarithm of the time over that of the size, on an even grid. */
struct curve {
    int count;
    double start, step; /* ln(lines) of the first point, and distance of points */
    double y[MOST], slope[MOST];
};

/* The median of these values, which it sorts. */
static double median(double *values, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && values[k - 1] > values[k]; k--) {
            double swap = values[k];
            values[k] = values[k - 1];
            values[k - 1] = swap;
        }
    return values[count / 2];
}

/* Replaces each value by the median of itself and of as many neighbours on the left as on the
 * right: `radius` on each side, or at the ends as many as there are. */
void median_filter(double *y, int n, int radius)
{
    /* HOLE. median() sorts its argument, so give it a copy. And the window must contain original
     * values only, none that was filtered already. */
    (void)y, (void)n, (void)radius;
    (void)median;
}

/* slope[i]: the growth of y from two points before i to two after it, per unit of size. The points
 * are `step` apart. At the ends use the points that exist. */
void derive(const double *y, int n, double step, double *slope)
{
    for (int i = 0; i < n; i++) {
        /* HOLE */
        (void)y, (void)step;
        slope[i] = 0;
    }
}

/* ---- the samples ---- */

struct sample {
    double lines, ns;
};

static int by_size(const void *a, const void *b)
{
    const struct sample *p = a, *q = b;
    return p->lines != q->lines ? (p->lines > q->lines) - (p->lines < q->lines)
                                : (p->ns > q->ns) - (p->ns < q->ns);
}

/* The index of a column in a header, or -1. */
static int column(const char *header, const char *name)
{
    size_t length = strlen(name);
    int at = 0;
    for (const char *c = header; c != NULL; c = strchr(c, '\t'), at++) {
        c += at > 0;
        if (strncmp(c, name, length) == 0 && strchr("\t\n", c[length]) != NULL)
            return at;
    }
    return -1;
}

static double field(const char *row, int at)
{
    for (; at > 0 && row != NULL; at--)
        row = strchr(row, '\t') != NULL ? strchr(row, '\t') + 1 : NULL;
    return row != NULL ? atof(row) : 0;
}

/* Reads pages and ns of a table, the least ns of each size, in order of size. */
static int read_samples(const char *name, struct sample *samples, double *spacing)
{
    char line[4096];
    int n = 0, kept = 0, pages = -1, ns = -1, bytes = -1;
    FILE *file = fopen(name, "r");

    if (file == NULL) {
        perror(name);
        exit(2);
    }
    while (n < MOST && fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#')
            continue;
        if (pages < 0) {
            pages = column(line, "pages");
            ns = column(line, "ns");
            bytes = column(line, "spacing_bytes");
            continue;
        }
        samples[n++] = (struct sample){field(line, pages), field(line, ns)};
        *spacing = bytes >= 0 ? field(line, bytes) : 64;
    }
    fclose(file);
    qsort(samples, (size_t)n, sizeof *samples, by_size);
    for (int i = 0; i < n; i++)
        if (kept == 0 || samples[i].lines > samples[kept - 1].lines)
            samples[kept++] = samples[i];
    return kept;
}

/* Interpolates eight points per octave, linearly in the logarithms. */
static void draw_grid(struct curve *c, const struct sample *s, int n)
{
    c->start = log(s[0].lines);
    c->step = log(2) / PER_OCTAVE;
    c->count = 1 + (int)((log(s[n - 1].lines) - c->start) / c->step + 1e-9);
    for (int i = 0, k = 0; i < c->count; i++) {
        double x = c->start + i * c->step;
        while (k + 2 < n && log(s[k + 1].lines) < x)
            k++;
        double part = (x - log(s[k].lines)) / log(s[k + 1].lines / s[k].lines);
        c->y[i] = log(s[k].ns) + part * log(s[k + 1].ns / s[k].ns);
    }
}

/* ---- from slopes to rows ---- */

/* Median of the octave up to a point, or from it on, but not beyond `limit`. */
static double plateau(const struct curve *c, int from, int to)
{
    double values[PER_OCTAVE + 1];
    int count = to - from < PER_OCTAVE ? to - from + 1 : PER_OCTAVE + 1;
    memcpy(values, c->y + from, (size_t)count * sizeof *values);
    return median(values, count);
}

/* Where the curve first exceeds the geometric mean of the plateaus, which is the middle of their
 * logarithms. */
static double crossing(const struct curve *c, int first, int last, double middle)
{
    int i = first;
    while (i + 1 < last && c->y[i + 1] <= middle)
        i++;
    double part = (middle - c->y[i]) / (c->y[i + 1] - c->y[i]);
    return exp(c->start + (i + part) * c->step);
}

/* A rise lasts while the slope is above a tenth of its peak and above 0.1. */
static void print_rises(const struct curve *c, double spacing)
{
    int end = 0, level = 0;
    for (int i = 1; i + 1 < c->count; i++) {
        if (c->slope[i] < 0.25 || c->slope[i] < c->slope[i + 1])
            continue;
        int first = i, last = i;
        double least = c->slope[i] > 1 ? c->slope[i] / 10 : 0.1;
        while (first > end && c->slope[first - 1] >= least)
            first--;
        while (last + 1 < c->count && c->slope[last] >= least)
            last++;
        double low = plateau(c, first - PER_OCTAVE > end ? first - PER_OCTAVE : end, first);
        double high = plateau(c, last, c->count - 1);
        if (high > low + log(1.15))
            printf("%d\t%.0f\t%.3f\t%.3f\n", ++level,
                   spacing * crossing(c, first, last, (low + high) / 2), exp(low), exp(high));
        end = i = last;
    }
}

static void print_slopes(const struct curve *c, double spacing)
{
    for (int i = 0; i < c->count; i++)
        printf("%.0f\t%.4f\t%.4f\n", spacing * exp(c->start + i * c->step), exp(c->y[i]),
               c->slope[i]);
}

enum { CALL_MARGIN = 8 };

/* Calls one function with the numbers that follow, and prints what it returns:
 *
 *   program call filter RADIUS VALUE...    median_filter()
 *   program call slope STEP VALUE...       derive()
 *
 * On either side of the values are others, which the functions must not read. */
static int call(int argc, char *argv[])
{
    static double memory[MOST + 2 * CALL_MARGIN], slope[MOST];
    double *y = memory + CALL_MARGIN;
    int n = argc - 3;

    if (n < 1 || n > MOST)
        return 2;
    for (int i = 0; i < n + 2 * CALL_MARGIN; i++)
        memory[i] = i % 2 == 0 ? 1e6 + i : -1e6 - i;
    for (int i = 0; i < n; i++)
        y[i] = atof(argv[3 + i]);
    if (strcmp(argv[1], "filter") == 0)
        median_filter(y, n, atoi(argv[2]));
    else
        derive(y, n, atof(argv[2]), slope);
    for (int i = 0; i < n; i++)
        printf("%s%.4f", i > 0 ? " " : "", (argv[1][0] == 'f' ? y[i] : slope[i]) + 0.0);
    printf("\n");
    return 0;
}

int main(int argc, char *argv[])
{
    if (argc > 2 && strcmp(argv[1], "call") == 0)
        return call(argc - 1, argv + 1);
    static struct sample samples[MOST];
    static struct curve curve;
    int all = argc == 3 && strcmp(argv[1], "slope") == 0;
    double spacing = 64;

    if (argc != 2 && !all) {
        fprintf(stderr, "Usage: program [slope] TABLE\n");
        return 2;
    }
    int n = read_samples(argv[argc - 1], samples, &spacing);
    if (n < 2) {
        fprintf(stderr, "%s: two sizes are needed, with columns pages and ns\n", argv[argc - 1]);
        return 2;
    }
    draw_grid(&curve, samples, n);
    median_filter(curve.y, curve.count, 3);
    derive(curve.y, curve.count, curve.step, curve.slope);
    median_filter(curve.slope, curve.count, 1);
    printf("# program: edges\n");
    if (all) {
        printf("bytes\tns\tslope\n");
        print_slopes(&curve, spacing);
    } else {
        printf("level\tbytes\tlower_ns\tupper_ns\n");
        print_rises(&curve, spacing);
    }
    return 0;
}
