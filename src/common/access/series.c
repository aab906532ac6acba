/* series.c: samples grouped by point. */
#include "access/series.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/random.h"
#include "base/stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The identity of a curve: its points agree in all of these. */
struct curve_key {
    const char *names[3];
    double numbers[12];
};

static struct curve_key key_of(const struct point *p)
{
    return (struct curve_key){{p->layout->name, p->kernel->name, p->backing->name},
                              {(double)p->spacing, (double)p->page_bytes, (double)p->buffer,
                               p->buffer > 0 ? p->chain : 0, (double)p->chains, (double)p->others,
                               (double)p->touches, (double)p->decoys, isnan(p->probe),
                               isnan(p->probe) ? 0 : p->probe, (double)layout_rounds(p),
                               p->role == ROLE_COMPARISON}};
}

static int compare_kinds(const struct point *p, const struct point *q)
{
    struct curve_key a = key_of(p), b = key_of(q);
    int order = 0;
    for (size_t i = 0; i < sizeof a.names / sizeof *a.names && order == 0; i++)
        order = strcmp(a.names[i], b.names[i]);
    for (size_t i = 0; i < sizeof a.numbers / sizeof *a.numbers && order == 0; i++)
        order = (a.numbers[i] > b.numbers[i]) - (a.numbers[i] < b.numbers[i]);
    return order;
}

static bool same_kind(const struct point *a, const struct point *b)
{
    return compare_kinds(a, b) == 0;
}

static bool same_point(const struct point *a, const struct point *b)
{
    return a->pages == b->pages && same_kind(a, b);
}

bool point_same_curve(const struct point *a, const struct point *b)
{
    return same_kind(a, b) && a->role != ROLE_COMPARISON;
}

static uint64_t hash_point(const struct point *p)
{
    return random_mix(random_mix(p->pages, p->spacing),
                      random_mix((uint64_t)(uintptr_t)p->layout, p->page_bytes));
}

/* Linear probing in a table of 2^k slots, at most half full; a slot holds a group's number + 1.
 * Returns the slot of the point, or the free slot where it belongs. */
static size_t find_place(const struct series *s, const struct point *point)
{
    size_t place = (size_t)hash_point(point) & (s->index_room - 1);
    while (s->index[place] != 0 && !same_point(&s->groups[s->index[place] - 1].point, point))
        place = (place + 1) & (s->index_room - 1);
    return place;
}

static void rebuild_index(struct series *s)
{
    free(s->index);
    s->index = allocate(s->index_room, sizeof *s->index);
    for (size_t g = 0; g < s->count; g++)
        s->index[find_place(s, &s->groups[g].point)] = g + 1;
}

void series_init(struct series *s)
{
    *s = (struct series){.index_room = 64};
    rebuild_index(s);
}

static void free_group(struct group *group)
{
    free(group->ns);
    free(group->fastest);
    free(group->taken);
}

void series_free(struct series *s)
{
    for (size_t g = 0; g < s->count; g++)
        free_group(&s->groups[g]);
    free(s->groups);
    free(s->index);
    free(s->moments);
    *s = (struct series){0};
}

static struct group *add_group(struct series *s, const struct point *point)
{
    s->groups = extend(s->groups, s->count, sizeof *s->groups);
    s->groups[s->count] = (struct group){.point = *point};
    s->count++;
    if (2 * s->count > s->index_room) {
        s->index_room *= 2;
        rebuild_index(s);
    } else
        s->index[find_place(s, point)] = s->count;
    return &s->groups[s->count - 1];
}

struct group *series_find(const struct series *s, const struct point *point)
{
    size_t number = s->index[find_place(s, point)];
    return number > 0 ? &s->groups[number - 1] : NULL;
}

static bool is_disturbed(const struct sample *sample)
{
    return sample->faults > 0 || sample->switches > 0 || sample->migrations > 0;
}

static void add_to_moments(struct series *s, const struct sample *sample)
{
    s->moments = extend(s->moments, s->moment_count, sizeof *s->moments);
    s->moments[s->moment_count++] = *sample;
}

void series_add(struct series *s, const struct sample *sample)
{
    if (sample->point.moment > 0) {
        add_to_moments(s, sample);
        return;
    }
    /* rows of one point are mostly consecutive */
    struct group *group = s->last < s->count &&
                                  same_point(&s->groups[s->last].point, &sample->point)
                              ? &s->groups[s->last]
                              : series_find(s, &sample->point);
    if (group == NULL)
        group = add_group(s, &sample->point);
    s->last = (size_t)(group - s->groups);
    group->ns = extend(group->ns, group->count, sizeof *group->ns);
    group->fastest = extend(group->fastest, group->count, sizeof *group->fastest);
    group->taken = extend(group->taken, group->count, sizeof *group->taken);
    group->ns[group->count] = sample->ns;
    group->fastest[group->count] = sample->min_ns > 0 ? sample->min_ns : sample->ns;
    group->taken[group->count++] = (struct taken){(uint32_t)sample->point.sample,
                                                  is_disturbed(sample), sample->row};
}

bool series_warn_of_cut(const struct series *s, struct table *table)
{
    if (s->count > 0 || s->moment_count == 0)
        return false;
    table_warn(table, s->moments[s->moment_count - 1].row,
               "the samples end here, before those of the curve (sweep --resume FILE measures what "
               "is missing)");
    return true;
}

static int compare_groups(const void *a, const void *b)
{
    const struct point *p = &((const struct group *)a)->point;
    const struct point *q = &((const struct group *)b)->point;
    int order = compare_kinds(p, q);
    return order != 0 ? order : (p->pages > q->pages) - (p->pages < q->pages);
}

struct numbered {
    struct taken taken;
    size_t arrival; /* samples from several files may have the same numbers */
    double ns, fastest;
};

static int compare_numbered(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    int order = (x->taken.sample > y->taken.sample) - (x->taken.sample < y->taken.sample);
    return order != 0 ? order : (x->arrival > y->arrival) - (x->arrival < y->arrival);
}

/* Sorts a group's samples by number. Usually they already are. */
static void sort_samples(struct group *group)
{
    size_t i = 1;
    while (i < group->count && group->taken[i - 1].sample <= group->taken[i].sample)
        i++;
    if (i >= group->count)
        return;
    struct numbered *rows = allocate(group->count, sizeof *rows);
    for (i = 0; i < group->count; i++)
        rows[i] = (struct numbered){group->taken[i], i, group->ns[i], group->fastest[i]};
    qsort(rows, group->count, sizeof *rows, compare_numbered);
    for (i = 0; i < group->count; i++) {
        group->taken[i] = rows[i].taken;
        group->ns[i] = rows[i].ns;
        group->fastest[i] = rows[i].fastest;
    }
    free(rows);
}

void series_sort(struct series *s)
{
    for (size_t g = 0; g < s->count; g++)
        sort_samples(&s->groups[g]);
    if (s->count > 1)
        qsort(s->groups, s->count, sizeof *s->groups, compare_groups);
    rebuild_index(s);
}

/* Moves the items after one of an array to its place. */
static void close_gap(void *items, size_t size, size_t count, size_t gap)
{
    char *at = (char *)items + gap * size;
    memmove(at, at + size, (count - gap - 1) * size);
}

void series_remove(struct series *s, size_t group, size_t sample)
{
    struct group *g = &s->groups[group];
    close_gap(g->ns, sizeof *g->ns, g->count, sample);
    close_gap(g->fastest, sizeof *g->fastest, g->count, sample);
    close_gap(g->taken, sizeof *g->taken, g->count, sample);
    if (--g->count > 0)
        return;
    free_group(g);
    close_gap(s->groups, sizeof *s->groups, s->count, group);
    s->count--;
    s->last = 0;
    rebuild_index(s);
}

size_t series_samples(const struct series *s, size_t *disturbed)
{
    size_t count = s->moment_count;
    *disturbed = 0;
    for (size_t i = 0; i < s->moment_count; i++)
        *disturbed += is_disturbed(&s->moments[i]);
    for (size_t g = 0; g < s->count; g++) {
        count += s->groups[g].count;
        for (size_t i = 0; i < s->groups[g].count; i++)
            *disturbed += s->groups[g].taken[i].disturbed;
    }
    return count;
}

static void copy_undisturbed(struct series *to, const struct group *group)
{
    struct sample sample = {.point = group->point};
    for (size_t i = 0; i < group->count; i++) {
        sample.point.sample = group->taken[i].sample;
        sample.ns = group->ns[i];
        sample.min_ns = group->fastest[i];
        if (!group->taken[i].disturbed)
            series_add(to, &sample);
    }
}

struct series series_undisturbed(const struct series *s)
{
    struct series quiet;
    series_init(&quiet);
    for (size_t g = 0; g < s->count; g++)
        copy_undisturbed(&quiet, &s->groups[g]);
    for (size_t i = 0; i < s->moment_count; i++)
        add_to_moments(&quiet, &s->moments[i]);
    return quiet;
}

const struct point *series_with(const struct series *series, size_t flag)
{
    for (size_t i = 0; i < series->count; i++)
        if (*(const bool *)((const char *)series->groups[i].point.layout + flag))
            return &series->groups[i].point;
    return NULL;
}

const struct layout *group_layout(const struct group *group)
{
    static const struct layout shows_nothing;
    return group->point.role != ROLE_COMPARISON ? group->point.layout : &shows_nothing;
}

double group_quantile(const struct group *group, double q)
{
    return stats_quantile(group->ns, group->count, q);
}

double group_fastest(const struct group *group, double q)
{
    return stats_quantile(group->fastest, group->count, q);
}

size_t group_pairs(const struct group *a, const struct group *b, struct sample_pair **pairs)
{
    size_t max = a->count < b->count ? a->count : b->count, count = 0;
    *pairs = allocate(max, sizeof **pairs);
    for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
        if (a->taken[i].sample == b->taken[k].sample)
            (*pairs)[count++] = (struct sample_pair){i++, k++};
        else if (a->taken[i].sample < b->taken[k].sample)
            i++;
        else
            k++;
    }
    if (count > 0)
        return count;
    for (; count < max; count++)
        (*pairs)[count] = (struct sample_pair){count, count};
    return count;
}
