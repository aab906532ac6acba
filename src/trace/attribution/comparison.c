/* comparison.c: the shares of a trace's misses beside those of samples; two traces beside each
 * other.
 *
 *     bool agree = comparison_write(&tally, &sampled, put_key, &run);
 */
#include "trace/attribution/comparison.h"
#include "base/number.h"
#include "table/table.h"
#include <math.h>
#include <stdlib.h>

/* [significance] errors by which a share may be off: one of 370 is further off by chance */
static const double errors_most = 3;

struct totals {
    double misses, samples, weights, squares; /* of weights */
};

static struct totals add_up(const struct tally *trace, const struct tally *sampled)
{
    struct totals sum = {0};
    for (size_t i = 0; i < trace->count; i++)
        sum.misses += (double)trace->rows[i].misses;
    for (size_t i = 0; i < sampled->count; i++) {
        sum.samples += (double)sampled->rows[i].misses;
        sum.weights += (double)sampled->rows[i].weight;
        sum.squares += sampled->rows[i].weight_squares;
    }
    return sum;
}

/* The distance of a row, in errors; a key that the trace does not have has no error, and is off by
 * infinitely many. */
static double put_row(const struct totals *sum, const struct tally_row *row)
{
    double share = (double)row->misses / sum->misses;
    double sampled = (double)row->samples / sum->samples;
    double weighted = sum->weights > 0 ? (double)row->weight / sum->weights : NAN;
    double error = sqrt(share * (1 - share) / sum->samples);
    put_count(row->misses, '\t');
    put_number(rounded(share, 1e6), '\t');
    put_count(row->samples, '\t');
    put_number(rounded(sampled, 1e6), '\t');
    put_number(rounded(error, 1e6), '\t');
    put_number(rounded(weighted, 1e6), '\t');
    put_number(rounded(sqrt(weighted * (1 - weighted) * sum->squares) / sum->weights, 1e6), '\n');
    return sampled == share ? 0 : fabs(sampled - share) / error;
}

/* Puts the samples into the rows of the trace, or into new ones. */
static void join(struct tally *trace, const struct tally *sampled)
{
    for (size_t i = 0; i < sampled->count; i++) {
        struct tally_row *row = tally_row(trace, 0, sampled->rows[i].key);
        row->samples = sampled->rows[i].misses;
        row->weight = sampled->rows[i].weight;
    }
}

bool comparison_write(struct tally *trace, const struct tally *sampled, put_comparison_key *put_key,
                      void *context)
{
    struct totals sum = add_up(trace, sampled);
    size_t off = 0;
    join(trace, sampled);
    tally_sort(trace);
    for (size_t i = 0; i < trace->count; i++) {
        put_key(context, &trace->rows[i]);
        off += put_row(&sum, &trace->rows[i]) > errors_most;
    }
    table_say("%.0f samples %s the trace: %zu of %zu shares are off by more than %.0f errors.",
              sum.samples, off == 0 ? "agree with" : "contradict", off, trace->count, errors_most);
    return off == 0;
}

static double change_of(const struct tally_row *row)
{
    return (double)row->samples - (double)row->misses;
}

static int compare_changes(const void *a, const void *b)
{
    const struct tally_row *x = a, *y = b;
    double m = fabs(change_of(x)), n = fabs(change_of(y));
    return m != n ? (m < n ? 1 : -1) : (x->key > y->key) - (x->key < y->key);
}

static double percent(double change, double of)
{
    return of > 0 ? rounded(100 * change / of, 100) : NAN;
}

void comparison_write_change(struct tally *before, const struct tally *after,
                             put_comparison_key *put_key, void *context)
{
    struct totals sum = add_up(before, after);
    join(before, after);
    qsort(before->rows, before->count, sizeof *before->rows, compare_changes);
    for (size_t i = 0; i < before->count; i++) {
        const struct tally_row *row = &before->rows[i];
        put_key(context, row);
        put_count(row->misses, '\t');
        put_count(row->samples, '\t');
        put_number(change_of(row), '\t');
        put_number(percent(change_of(row), (double)row->misses), '\n');
    }
    table_say("%.0f misses before, %.0f after: %s%g %%.", sum.misses, sum.samples,
              sum.samples > sum.misses ? "+" : "", percent(sum.samples - sum.misses, sum.misses));
}
