/* Exercise 21: the memory of a graphics card.
 *
 * Usage: ./program flat SAMPLES           how far the times differ in windows of the curve
 *        ./program stride > stride.dat    what neighbouring work items fetch, by stride
 *        ./program launches LAUNCHES      the time of a load from the times of kernels
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_MAX = 10000, ITEMS = 32, SECTOR = 32 };

/* The longest time divided by the shortest one, of the sizes from `from` to `to`, both included. 0
 * if there is no such size. */
double flatness(const double *bytes, const double *ns, long n, double from, double to)
{
    /* HOLE: the longest and the shortest time of the sizes in the window. */
    (void)bytes;
    (void)ns;
    (void)n;
    (void)from;
    (void)to;
    return 0;
}

/* Four kernels were timed: with many loads and with few, and the same arithmetic without a load.
 * Each time includes what it costs to launch a kernel. */
struct launch {
    double loads_many, loads_few;       /* how many */
    double many_ns, few_ns;             /* their times */
    double empty_many_ns, empty_few_ns; /* those of as many steps without a load */
};

/* The time of one load, in ns. */
double load_ns(const struct launch *l)
{
    /* HOLE: the difference of two kernels has no launch in it. Without a load, the steps take time,
     * too. */
    (void)l;
    return 0;
}

/* Each of so many neighbouring work items reads `bytes` bytes; item i begins at i * stride. How
 * many sectors of `sector` bytes does the card fetch? A sector is fetched once. */
long sectors(long items, long stride, long bytes, long sector)
{
    /* HOLE: the sectors from the first byte of each item to its last one; none counts twice. */
    (void)items;
    (void)stride;
    (void)bytes;
    (void)sector;
    return 0;
}

/* How many pieces of `bytes` bytes have to be under way, for so many GB/s at this latency? */
double under_way(double gb_per_s, double latency_ns, double bytes)
{
    /* HOLE: GB/s times ns is bytes. */
    (void)gb_per_s;
    (void)latency_ns;
    (void)bytes;
    return 0;
}

/* ---- the rest is complete ---- */

static int cut(char *line, char **cells, int most)
{
    int count = 0;

    for (char *word = strtok(line, "\t\n"); word != NULL && count < most;
         word = strtok(NULL, "\t\n"))
        cells[count++] = word;
    return count;
}

/* The next row of a table as numbers, in the order of `names`. Metadata is skipped, the header
 * read. */
static int next_row(FILE *file, char *const *names, int wanted, double *numbers, int *at)
{
    static char line[65536];
    char *cells[64];

    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#')
            continue;
        int count = cut(line, cells, 64);
        if (at[0] >= 0) {
            for (int k = 0; k < wanted; k++)
                numbers[k] = at[k] < count ? atof(cells[at[k]]) : 0;
            return 1;
        }
        for (int k = 0; k < wanted; k++)
            for (int c = 0; c < count; c++)
                if (strcmp(cells[c], names[k]) == 0)
                    at[k] = c;
        for (int k = 0; k < wanted; k++)
            if (at[k] < 0)
                return 0;
    }
    return 0;
}

static FILE *open_table(const char *path)
{
    FILE *file = fopen(path, "r");

    if (file == NULL) {
        perror(path);
        exit(2);
    }
    return file;
}

/* The least time of each size; the number of sizes. */
static long read_curve(const char *path, double *bytes, double *ns)
{
    char *const names[] = {"pages", "spacing_bytes", "ns"};
    int at[] = {-1, -1, -1};
    double row[3];
    long n = 0;
    FILE *file = open_table(path);

    while (n < SIZES_MAX && next_row(file, names, 3, row, at)) {
        long k = 0;
        while (k < n && bytes[k] != row[0] * row[1])
            k++;
        if (k == n || row[2] < ns[k])
            ns[k] = row[2];
        if (k == n)
            bytes[n++] = row[0] * row[1];
    }
    fclose(file);
    return n;
}

static void print_flat(const char *path)
{
    static double bytes[SIZES_MAX], ns[SIZES_MAX];
    long n = read_curve(path, bytes, ns);

    printf("# program: flat\nfrom_bytes\tto_bytes\ttimes\n");
    for (double from = 8192; from <= 4194304; from *= 2)
        printf("%.0f\t%.0f\t%.3f\n", from, 8 * from, flatness(bytes, ns, n, from, 8 * from));
    printf("0\t1e12\t%.3f\n", flatness(bytes, ns, n, 0, 1e12));
}

static void print_strides(void)
{
    printf("# program: stride\nstride_bytes\tsectors\tuseful_percent\n");
    for (long stride = 4; stride <= 256; stride *= 2) {
        long fetched = sectors(ITEMS, stride, 4, SECTOR);
        printf("%ld\t%ld\t%.2f\n", stride, fetched,
               fetched > 0 ? 100.0 * ITEMS * 4 / (double)(fetched * SECTOR) : 0.0);
    }
}

static void print_launches(const char *path)
{
    char *const names[] = {"bytes",  "loads_many",    "loads_few",   "many_ns",
                           "few_ns", "empty_many_ns", "empty_few_ns"};
    int at[] = {-1, -1, -1, -1, -1, -1, -1};
    double row[7];
    FILE *file = open_table(path);

    printf("# program: launches\nbytes\tns\n");
    while (next_row(file, names, 7, row, at)) {
        struct launch l = {row[1], row[2], row[3], row[4], row[5], row[6]};
        printf("%.0f\t%.1f\n", row[0], load_ns(&l));
    }
    fclose(file);
}

/* Calls one function with the numbers that follow, and prints what it returns:
 *
 *   program call flat FROM TO BYTES NS [BYTES NS]...
 *   program call load MANY FEW MANY_NS FEW_NS EMPTY_MANY_NS EMPTY_FEW_NS
 *   program call sectors ITEMS STRIDE BYTES SECTOR
 *   program call under GB_PER_S LATENCY_NS BYTES */
static int call(int argc, char *argv[])
{
    double given[100] = {0}, bytes[50], ns[50];
    int count = argc - 2;

    if (argc < 5 || count > 100)
        return 2;
    for (int i = 0; i < count; i++)
        given[i] = atof(argv[i + 2]);
    if (strcmp(argv[1], "flat") == 0) {
        for (int i = 2; i + 1 < count; i += 2) {
            bytes[i / 2 - 1] = given[i];
            ns[i / 2 - 1] = given[i + 1];
        }
        printf("%.3f\n", flatness(bytes, ns, (count - 2) / 2, given[0], given[1]));
    } else if (strcmp(argv[1], "load") == 0) {
        struct launch l = {given[0], given[1], given[2], given[3], given[4], given[5]};
        printf("%.3f\n", load_ns(&l));
    } else if (strcmp(argv[1], "sectors") == 0) {
        printf("%ld\n", sectors((long)given[0], (long)given[1], (long)given[2], (long)given[3]));
    } else {
        printf("%.3f\n", under_way(given[0], given[1], given[2]));
    }
    return 0;
}

int main(int argc, char *argv[])
{
    if (argc > 2 && strcmp(argv[1], "call") == 0)
        return call(argc - 1, argv + 1);
    if (argc == 3 && strcmp(argv[1], "flat") == 0)
        print_flat(argv[2]);
    else if (argc == 2 && strcmp(argv[1], "stride") == 0)
        print_strides();
    else if (argc == 3 && strcmp(argv[1], "launches") == 0)
        print_launches(argv[2]);
    else {
        fprintf(stderr, "Usage: program flat SAMPLES, program stride, or program launches FILE\n");
        return 2;
    }
    return 0;
}
