/* tally.c: counts of misses by what they are grouped by.
 *
 *     struct tally tally = {0};
 *     tally_add(tally_row(&tally, record->process, page), record, seconds);
 */
#include "trace/attribution/tally.h"
#include "base/error.h"
#include "base/random.h"
#include "table/table.h"
#include <math.h>
#include <stdlib.h>

struct tally_row *tally_row(struct tally *t, uint32_t process, uint64_t key)
{
    uint64_t mixed = process > 0 ? random_mix(process, key) : key;
    uint64_t *at = number_map_at(&t->at, mixed);
    while (*at != 0 && (t->rows[*at - 1].key != key || t->rows[*at - 1].process != process))
        at = number_map_at(&t->at, ++mixed); /* another key has the same hash */
    if (*at == 0) {
        if (t->count % 1024 == 0)
            t->rows = reallocate(t->rows, t->count + 1024, sizeof *t->rows);
        t->rows[t->count] = (struct tally_row){.key = key, .process = process};
        *at = ++t->count;
    }
    return &t->rows[*at - 1];
}

void tally_add(struct tally_row *row, const struct record *miss, double seconds)
{
    row->misses++;
    row->reads += miss->op == TRACE_READ;
    row->writes += miss->op == TRACE_WRITE;
    row->weight += miss->weight;
    row->weight_squares += (double)miss->weight * miss->weight;
    row->seconds += seconds;
}

void tally_rename(struct tally *t, const uint32_t *names, bool pairs)
{
    struct tally renamed = {0};
    for (size_t i = 0; i < t->count; i++) {
        const struct tally_row *row = &t->rows[i];
        uint64_t first = pairs ? (uint64_t)names[row->key >> 32] << 32 : 0;
        struct tally_row *to = tally_row(&renamed, row->process, first | names[(uint32_t)row->key]);
        to->misses += row->misses;
        to->reads += row->reads;
        to->writes += row->writes;
        to->weight += row->weight;
        to->weight_squares += row->weight_squares;
        to->seconds += row->seconds;
    }
    tally_free(t);
    *t = renamed;
}

static int compare(const void *a, const void *b)
{
    const struct tally_row *x = a, *y = b;
    if (x->misses != y->misses)
        return x->misses < y->misses ? 1 : -1;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}

void tally_sort(struct tally *t)
{
    if (t->count > 0)
        qsort(t->rows, t->count, sizeof *t->rows, compare);
    number_map_free(&t->at);
    t->at = (struct number_map){0};
}

/* A page within which a per cent ends counts in part to each side. */
void tally_write_cdf(struct tally *t)
{
    double all = 0, before = 0, sum = 0, n = (double)t->count;
    size_t page = 0; /* pages wholly in `sum` */
    tally_sort(t);
    for (size_t i = 0; i < t->count; i++)
        all += (double)t->rows[i].misses;
    for (int percent = 1; percent <= 100 && t->count > 0; percent++) {
        double end = n * percent / 100, part;
        while (page + 1 <= (size_t)floor(end))
            sum += (double)t->rows[t->count - ++page].misses;
        part = page < t->count ? (end - (double)page) * (double)t->rows[t->count - page - 1].misses
                               : 0;
        put_count((uint64_t)percent, '\t');
        put_number(rounded((sum + part - before) / (n / 100), 1000), '\t');
        put_number(rounded(100 * (sum + part) / all, 1000), '\n');
        before = sum + part;
    }
}

void tally_free(struct tally *t)
{
    free(t->rows);
    number_map_free(&t->at);
}
