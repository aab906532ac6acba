#include "trace/saving/saving.h"
#include "base/error.h"
#include "base/stats.h"
#include "tlb/detect/boundary.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From a logarithm of base over huge to the per cent that huge pages save. */
static double percent_of(double logarithm)
{
    return 100 * (1 - exp(-logarithm));
}

struct saving saving_of_pairs(const double *base_s, const double *huge_s, size_t n,
                              double confidence)
{
    double *logarithms = allocate(n, sizeof *logarithms);
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (base_s[i] > 0 && huge_s[i] > 0)
            logarithms[known++] = log(base_s[i] / huge_s[i]);
    struct signed_rank r = signed_rank(logarithms, known, confidence);
    free(logarithms);
    return (struct saving){percent_of(r.estimate), percent_of(r.low), percent_of(r.high)};
}

bool saving_is_shown(const struct saving *saving, double least)
{
    return (saving->low > 0 || saving->high < 0) && fabs(saving->percent) >= least;
}

bool saving_is_decided(const struct saving *saving, double least)
{
    return saving_is_shown(saving, least) || (saving->low > -least && saving->high < least);
}

size_t saving_pairs_next(size_t pairs, size_t most)
{
    return pairs < most - pairs ? 2 * pairs : most;
}

double saving_confidence_each(double confidence, size_t first, size_t most)
{
    int comparisons = 1;
    for (size_t pairs = first; pairs < most; pairs = saving_pairs_next(pairs, most))
        comparisons++;
    return 1 - (1 - confidence) / comparisons;
}

/* ---- backing ---- */

const char *backing_of(const struct platform_usage *usage, bool of_all)
{
    static const uint64_t little = 4 << 20; /* of what a command has. [prior] */
    bool is_rest = of_all && usage->rss_max > 4 * little &&
                   usage->rss < usage->rss_max / 2; /* the freed memory may have been on them */
    if (usage->rss == 0)
        return "unknown";
    if (usage->rss < little && of_all)
        return is_rest ? "unknown" : "little_memory";
    if (usage->huge_bytes > usage->rss / 4 * 3)
        return "huge";
    if (usage->huge_bytes > usage->rss / 20)
        return "partly";
    return is_rest ? "unknown" : "base";
}

bool backing_is_alike(const char *backing)
{
    return strcmp(backing, "base") == 0 || strcmp(backing, "little_memory") == 0;
}

static bool is_guest(void)
{
    struct platform_cpuid registers;
    return platform_cpuid(1, 0, &registers) && registers.ecx >> 31 != 0;
}

const char *backing_splintered(const char *file)
{
    const char *found = is_guest() ? "unknown" : "no";
    struct table *t = file != NULL ? table_open((char *[]){(char *)file}, 1) : NULL;
    if (t == NULL)
        return found;
    struct row_reader reader = row_reader_open(t, boundary_columns);
    struct boundary row;
    table_require(t, table_column(t, "note"));
    while (table_next(t)) {
        boundary_read(&reader, &row);
        if (note_has(&row.note, NOTE_SPLINTERED))
            found = "yes";
        else if (row.backing->huge && strcmp(found, "yes") != 0)
            found = "no";
    }
    table_close(t);
    return found;
}
