/* watch.c: a short chase now and then, within a budget. */
#include "trace/saving/watch.h"
#include "base/error.h"
#include <math.h>

/* Beyond a first level, and beyond a second one. [prior] */
const uint64_t watch_pages[WATCH_SIZES] = {1024, 8192};

#define MEMBER(name) offsetof(struct watch_row, name)
const struct column watch_columns[] = {
    COLUMN(NUMBER, "t_s", MEMBER(t_s), .per_unit = 1000),
    COLUMN(COUNT, "pages", MEMBER(pages)),
    COLUMN(NUMBER, "page_ns", MEMBER(page_ns), .per_unit = 1000),
    COLUMN(NUMBER, "packed_ns", MEMBER(packed_ns), .per_unit = 1000),
    COLUMN(NUMBER, "cost_ns", MEMBER(cost_ns), .per_unit = 1000),
    COLUMN(NUMBER, "cpu_s", MEMBER(cpu_s), .per_unit = 1e6),
    {0},
};

/* Measures a size, if what it took the last time is left of the budget. */
static void put_size(const struct watch_parts *parts, int size, double t_s, double allowed_s,
                     double *took_s)
{
    struct watch_row row;
    row_clear(watch_columns, &row);
    row.t_s = t_s;
    row.pages = watch_pages[size];
    double before = parts->cpu_s(parts->self);
    if (before + *took_s <= allowed_s) {
        row.page_ns = parts->chase_ns(parts->self, size, false);
        row.packed_ns = parts->chase_ns(parts->self, size, true);
        row.cost_ns = row.page_ns - row.packed_ns;
        *took_s = parts->cpu_s(parts->self) - before;
    }
    row.cpu_s = parts->cpu_s(parts->self);
    table_put_row(watch_columns, 0, &row);
}

/* A period that passed while the host slept has no row. */
void watch_run(const struct watch_parts *parts, const struct watch_options *options)
{
    double begin = parts->now_s(parts->self), took_s[WATCH_SIZES] = {0};
    uint64_t period = 0;
    while (options->periods == 0 || period < options->periods) {
        double t_s = parts->now_s(parts->self) - begin;
        for (int size = 0; size < WATCH_SIZES; size++)
            put_size(parts, size, t_s, options->share * (t_s + options->period_s), &took_s[size]);
        flush_output();
        t_s = parts->now_s(parts->self) - begin;
        period = (uint64_t)fmax((double)period + 1, floor(t_s / options->period_s) + 1);
        if (options->periods == 0 || period < options->periods)
            parts->wait_s(parts->self, (double)period * options->period_s - t_s);
    }
}
