#include "trace/saving/saving.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdlib.h>

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
