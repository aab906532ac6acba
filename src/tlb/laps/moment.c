/* moment.c: the samples of each moment, and the families of moments. */
#include "tlb/laps/moment.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/number.h"
#include <stdlib.h>

static bool same_family(const struct point *a, const struct point *b)
{
    return a->layout == b->layout && a->kernel == b->kernel && a->backing == b->backing &&
           a->page_bytes == b->page_bytes && a->spacing == b->spacing && a->others == b->others &&
           a->others_spacing == b->others_spacing;
}

/* A sample of a moment. */
struct row {
    const struct sample *sample;
};

/* In order of moments, then of arrival. */
static int compare(const void *a, const void *b)
{
    const struct sample *x = ((const struct row *)a)->sample, *y = ((const struct row *)b)->sample;
    uint64_t m = x->point.moment, n = y->point.moment;
    return m != n ? (m > n) - (m < n) : (x > y) - (x < y);
}

struct family *family_like(const struct families *families, const struct point *point)
{
    for (size_t i = 0; i < families->count; i++)
        if (same_family(&families->at[i].like, point))
            return &families->at[i];
    return NULL;
}

static struct family *family_of(struct families *families, const struct point *point)
{
    struct family *found = family_like(families, point);
    if (found != NULL)
        return found;
    families->at = extend(families->at, families->count, sizeof *families->at);
    families->at[families->count] = (struct family){.like = *point};
    return &families->at[families->count++];
}

static struct moment *add_moment(struct family *family, const struct sample *sample)
{
    family->at = extend(family->at, family->count, sizeof *family->at);
    family->at[family->count] = (struct moment){.t_s = sample->t_s, .sample = sample->point.sample};
    return &family->at[family->count++];
}

static struct lap *lap_of(struct moment *m, enum role role)
{
    struct lap *const laps[] = {[ROLE_FEW] = &m->few,
                                [ROLE_CONTROL] = &m->control,
                                [ROLE_ASKED] = &m->asked,
                                [ROLE_ALL] = &m->all};
    return laps[role];
}

static void set_lap(struct moment *moment, const struct sample *sample)
{
    const struct point *p = &sample->point;
    struct lap *lap = lap_of(moment, p->role);
    uint64_t targets = p->targets > 0 ? p->targets : p->pages;
    double fastest = sample->min_ns > 0 ? sample->min_ns : sample->ns;
    double ns = fastest * (double)(targets + p->others);
    if (lap != NULL)
        *lap = (struct lap){targets, ns};
}

static struct row *sorted_rows(const struct series *series)
{
    struct row *rows = allocate(series->moment_count, sizeof *rows);
    for (size_t i = 0; i < series->moment_count; i++)
        rows[i].sample = &series->moments[i];
    if (series->moment_count > 0)
        qsort(rows, series->moment_count, sizeof *rows, compare);
    return rows;
}

static void share_few(struct family *family)
{
    for (size_t from = 0, to; from < family->count; from = to) {
        struct lap few = {0};
        to = family->count - from > SHARE_FEW ? from + SHARE_FEW : family->count;
        for (size_t i = from; i < to; i++)
            if (family->at[i].few.targets > 0 &&
                (few.targets == 0 || family->at[i].few.ns < few.ns))
                few = family->at[i].few;
        for (size_t i = from; i < to; i++) {
            struct moment *m = &family->at[i];
            m->few = few;
            m->control = m->control.targets > 0 ? m->control : few;
        }
    }
}

struct families families_of(const struct series *series)
{
    struct families families = {.count = 0};
    struct row *rows = sorted_rows(series);
    struct family *family = NULL;
    struct moment *moment = NULL;
    for (size_t i = 0; i < series->moment_count; i++) {
        const struct point *p = &rows[i].sample->point;
        if (p->moment != families.last || family == NULL || !same_family(&family->like, p)) {
            family = family_of(&families, p);
            moment = add_moment(family, rows[i].sample);
            families.last = p->moment;
        }
        set_lap(moment, rows[i].sample);
    }
    free(rows);
    for (size_t i = 0; i < families.count; i++)
        share_few(&families.at[i]);
    return families;
}

void families_free(struct families *families)
{
    for (size_t i = 0; i < families->count; i++)
        free(families->at[i].at);
    free(families->at);
    *families = (struct families){0};
}

static bool is_like(const struct point *p, const struct point *like)
{
    return like == NULL || (p->kernel == like->kernel && p->backing == like->backing &&
                            p->page_bytes == like->page_bytes);
}

static bool is_before(const struct point *a, const struct point *b)
{
    return a->spacing != b->spacing ? a->spacing < b->spacing : a->others < b->others;
}

const struct family *family_find(const struct families *families, const struct point *like,
                                 uint64_t from, uint64_t to, bool others)
{
    const struct family *found = NULL;
    for (size_t i = 0; i < families->count; i++) {
        const struct point *p = &families->at[i].like;
        uint64_t apart = p->spacing / p->page_bytes;
        if (p->layout->targets && is_like(p, like) && (p->others > 0) == others && apart >= from &&
            apart <= to && is_power_of_two(apart) && (found == NULL || !is_before(p, &found->like)))
            found = &families->at[i];
    }
    return found;
}
