/* pairs.c: pairs of cores, and groups of cores that are close to each other.
 *
 * In the sorted times of all pairs, a large step separates near pairs from far ones. Cores joined
 * by near pairs form a group. The machine's claims are grouped the same way; where the two
 * disagree, a guest's tables do not match its host. */
#include "memory/cores/pairs.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct column pair_columns[] = {
    COLUMN(NUMBER, "core_a", offsetof(struct pair_row, core_a), .needed = true),
    COLUMN(NUMBER, "core_b", offsetof(struct pair_row, core_b), .needed = true),
    COLUMN(NUMBER, "sample", offsetof(struct pair_row, sample), .view = COLUMN_IF_ROOM),
    COLUMN(NUMBER, "ns", offsetof(struct pair_row, ns), .per_unit = 1000),
    COLUMN(NUMBER, "min_ns", offsetof(struct pair_row, min_ns), .per_unit = 1000),
    COLUMN(NUMBER, "laps", offsetof(struct pair_row, laps), .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "shares", offsetof(struct pair_row, shares)),
    COLUMN(TEXT, "package", offsetof(struct pair_row, package), .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "node", offsetof(struct pair_row, node), .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "kernel", offsetof(struct pair_row, kernel), .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "pinned", offsetof(struct pair_row, pinned), .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "run_s", offsetof(struct pair_row, run_s), .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "t_s", offsetof(struct pair_row, t_s), .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "note", offsetof(struct pair_row, note)),
    {0},
};

const char *const pair_shares[] = {"core", "L1", "L2", "L3", "L4", "package", "machine", NULL};

int pair_shares_find(const char *word)
{
    for (int i = 0; word != NULL && pair_shares[i] != NULL; i++)
        if (strcmp(pair_shares[i], word) == 0)
            return i;
    return -1;
}

const struct column core_group_columns[] = {
    COLUMN(LEVEL, "level", offsetof(struct core_group, level)),
    COLUMN(TEXT, "cores", offsetof(struct core_group, cores), .needed = true),
    COLUMN(NUMBER, "count", offsetof(struct core_group, count)),
    COLUMN(NUMBER, "ns", offsetof(struct core_group, ns), .per_unit = 1000),
    COLUMN(NUMBER, "least_ns", offsetof(struct core_group, least_ns), .per_unit = 1000),
    COLUMN(NUMBER, "most_ns", offsetof(struct core_group, most_ns), .per_unit = 1000),
    COLUMN(NUMBER, "next_ns", offsetof(struct core_group, next_ns), .per_unit = 1000),
    COLUMN(TEXT, "claim", offsetof(struct core_group, claim)),
    COLUMN(TEXT, "note", offsetof(struct core_group, note)),
    {0},
};

/* A pair slower than the previous one by this factor belongs to the next level. [prior] */
static const double level_ratio = 1.25;

/* ---- the matrix ---- */

/* Cores in ascending order; between two of them the time (NaN: none) and the claim (-1: none). */
struct matrix {
    double *core;
    size_t count;
    double *ns;
    int *claim;
};

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static size_t place_of(const struct matrix *m, double core)
{
    const double *found = bsearch(&core, m->core, m->count, sizeof core, compare);
    return (size_t)(found - m->core);
}

static void list_cores(struct matrix *m, const struct pair_row *rows, size_t count)
{
    m->core = allocate(2 * count + 1, sizeof *m->core);
    for (size_t i = 0; i < count; i++) {
        m->core[2 * i] = rows[i].core_a;
        m->core[2 * i + 1] = rows[i].core_b;
    }
    qsort(m->core, 2 * count, sizeof *m->core, compare);
    for (size_t i = 0; i < 2 * count; i++)
        if (i == 0 || m->core[i] > m->core[m->count - 1])
            m->core[m->count++] = m->core[i];
}

static struct matrix matrix_of(const struct pair_row *rows, size_t count)
{
    struct matrix m = {0};
    list_cores(&m, rows, count);
    m.ns = allocate(m.count * m.count + 1, sizeof *m.ns);
    m.claim = allocate(m.count * m.count + 1, sizeof *m.claim);
    for (size_t i = 0; i < m.count * m.count; i++) {
        m.ns[i] = NAN;
        m.claim[i] = -1;
    }
    for (size_t i = 0; i < count; i++) {
        size_t a = place_of(&m, rows[i].core_a), b = place_of(&m, rows[i].core_b);
        size_t there = a * m.count + b, back = b * m.count + a;
        m.ns[there] = m.ns[back] = fmin(m.ns[there], rows[i].min_ns); /* fmin() ignores NaN */
        m.claim[there] = m.claim[back] = pair_shares_find(rows[i].shares);
    }
    return m;
}

static void matrix_free(struct matrix *m)
{
    free(m->core);
    free(m->ns);
    free(m->claim);
}

/* ---- sets of cores ---- */

/* Joins cores: label[i] is the lowest index of a core joined with i, by pairs of at most `ns` or
 * (claim ≥ 0) by claims at least as near. */
static void join(const struct matrix *m, double ns, int claim, size_t *label)
{
    for (size_t i = 0; i < m->count; i++)
        label[i] = i;
    for (size_t i = 0; i < m->count; i++)
        for (size_t k = 0; k < i; k++) {
            size_t at = i * m->count + k, from = label[i], to = label[k];
            bool near = claim < 0 ? m->ns[at] <= ns : m->claim[at] >= 0 && m->claim[at] <= claim;
            if (!near || from == to)
                continue;
            for (size_t j = 0; j < m->count; j++)
                if (label[j] == from || label[j] == to)
                    label[j] = from < to ? from : to;
        }
}

/* Lists the cores with this label as "0-3,8"; returns their number. */
static const char *list_of(const struct matrix *m, const size_t *label, size_t which, double *count)
{
    char *text = allocate(m->count + 1, 16);
    size_t used = 0;
    *count = 0;
    for (size_t i = 0, last; i < m->count; i = last + 1) {
        last = i;
        if (label[i] != which)
            continue;
        while (last + 1 < m->count && label[last + 1] == which &&
               m->core[last + 1] == m->core[last] + 1)
            last++;
        used += (size_t)snprintf(text + used, 16, "%s%.0f", used > 0 ? "," : "", m->core[i]);
        if (last > i)
            used += (size_t)snprintf(text + used, 16, "%c%.0f", last > i + 1 ? '-' : ',',
                                     m->core[last]);
        *count += (double)(last - i + 1);
    }
    const char *kept = field_keep((struct field){text, used});
    free(text);
    return kept;
}

/* The times within a group, and to the others. */
static void describe(const struct matrix *m, const size_t *label, size_t which,
                     struct core_group *group)
{
    double *inside = allocate(m->count * m->count, sizeof *inside);
    size_t count = 0;
    group->next_ns = group->most_ns = group->least_ns = NAN;
    for (size_t i = 0; i < m->count; i++)
        for (size_t k = 0; k < i; k++) {
            double ns = m->ns[i * m->count + k];
            int members = (label[i] == which) + (label[k] == which);
            if (members == 2 && !isnan(ns)) {
                inside[count++] = ns;
                group->most_ns = fmax(group->most_ns, ns);
                group->least_ns = fmin(group->least_ns, ns);
            } else if (members == 1) {
                group->next_ns = fmin(group->next_ns, ns);
            }
        }
    group->ns = stats_median(inside, count);
    free(inside);
}

/* ---- times ---- */

/* The times of all pairs, or (label) of a group's pairs that share `claim` and nothing nearer, in
 * ascending order; returns their number. */
static size_t sorted_times(const struct matrix *m, const size_t *label, size_t which, int claim,
                           double *times)
{
    size_t count = 0;
    for (size_t i = 0; i < m->count; i++)
        for (size_t k = 0; k < i; k++) {
            size_t at = i * m->count + k;
            bool wanted = label == NULL ||
                          (label[i] == which && label[k] == which && m->claim[at] == claim);
            if (wanted && !isnan(m->ns[at]))
                times[count++] = m->ns[at];
        }
    qsort(times, count, sizeof *times, compare);
    return count;
}

/* Whether a level ends after the i-th of the sorted times. */
static bool level_ends(const double *times, size_t count, size_t i)
{
    return i + 1 == count || times[i + 1] >= level_ratio * times[i];
}

/* Whether pairs of a group with the same claim belong to several levels. */
static bool is_uneven(const struct matrix *m, const size_t *label, size_t which, int claim)
{
    double *times = allocate(m->count * m->count, sizeof *times);
    size_t count = sorted_times(m, label, which, claim, times), i = 0;
    while (i + 1 < count && !level_ends(times, count, i))
        i++;
    free(times);
    return i + 1 < count;
}

/* ---- groups ---- */

static struct core_group *find_group(const struct core_groups *groups, const char *cores)
{
    for (size_t i = 0; i < groups->count; i++)
        if (strcmp(groups->at[i].cores, cores) == 0)
            return &groups->at[i];
    return NULL;
}

/* Adds the groups of two or more cores that are not known yet; known groups get the claim. Returns
 * whether any was added. */
static bool add_groups(struct core_groups *groups, const struct matrix *m, const size_t *label,
                       int level, int claim)
{
    bool added = false;
    for (size_t i = 0; i < m->count; i++) {
        struct core_group group = {.level = level}, *known;
        if (label[i] != i)
            continue;
        group.cores = list_of(m, label, i, &group.count);
        if (group.count < 2)
            continue;
        if ((known = find_group(groups, group.cores)) == NULL) {
            describe(m, label, i, &group);
            groups->at = reallocate(groups->at, groups->count + 1, sizeof *groups->at);
            known = &groups->at[groups->count++];
            *known = group;
            added = true;
        }
        if (claim >= 0 && known->claim == NULL) {
            known->claim = pair_shares[claim];
            known->uneven = is_uneven(m, label, i, claim);
        }
    }
    return added;
}

/* Anything larger than a cache, such as a package, may well have near and far cores. */
static void set_notes(struct core_groups *groups, bool claims)
{
    for (size_t i = 0; i < groups->count; i++) {
        struct core_group *g = &groups->at[i];
        bool cache = g->claim != NULL && pair_shares_find(g->claim) < pair_shares_find("package");
        g->uneven = g->uneven && cache;
        g->note = groups->cores == 2 ? "alone"
                  : g->uneven        ? "claim_uneven"
                  : g->level == 0    ? "only_claimed"
                  : g->claim != NULL ? "as_claimed"
                  : claims           ? "not_claimed"
                                     : NULL;
    }
}

/* Counts the samples that are a level slower than the fastest of their pair. */
static void count_moved(struct core_groups *groups, const struct matrix *m,
                        const struct pair_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t a = place_of(m, rows[i].core_a), b = place_of(m, rows[i].core_b);
        if (!(rows[i].min_ns >= level_ratio * m->ns[a * m->count + b]))
            continue;
        groups->moved++;
        groups->moved_ns = fmax(groups->moved_ns, rows[i].min_ns);
    }
}

struct core_groups core_groups_find(const struct pair_row *rows, size_t count)
{
    struct matrix m = matrix_of(rows, count);
    struct core_groups groups = {.cores = m.count};
    size_t *label = allocate(m.count + 1, sizeof *label);
    double *times = allocate(m.count * m.count + 1, sizeof *times);
    bool claims = false;
    int level = 1;
    groups.pairs = sorted_times(&m, NULL, 0, -1, times);
    groups.missing = m.count * (m.count - (m.count > 0)) / 2 - groups.pairs;
    for (size_t i = 0; i < groups.pairs; i++) {
        if (!level_ends(times, groups.pairs, i))
            continue;
        join(&m, times[i], -1, label);
        level += add_groups(&groups, &m, label, level, -1);
    }
    for (int claim = 0; pair_shares[claim] != NULL; claim++) {
        join(&m, 0, claim, label);
        add_groups(&groups, &m, label, 0, claim);
    }
    for (size_t i = 0; i < m.count * m.count; i++)
        claims = claims || m.claim[i] >= 0;
    set_notes(&groups, claims);
    count_moved(&groups, &m, rows, count);
    free(label);
    free(times);
    matrix_free(&m);
    return groups;
}

void core_groups_free(struct core_groups *groups)
{
    free(groups->at);
    *groups = (struct core_groups){0};
}

/* ---- in words ---- */

/* "They share the L3 cache", as far as it is claimed. */
static const char *claim_words(const char *claim, char text[64])
{
    bool cache = claim[0] == 'L';
    snprintf(text, 64, "share the %s%s", claim, cache ? " cache" : "");
    return text;
}

/* Without times inside the group there is nothing to say; without times to others, nothing to
 * compare. */
static void explain(const struct core_group *g)
{
    char text[64];
    bool apart = !isnan(g->next_ns);
    if (isnan(g->most_ns) || (g->level == 0 && !apart))
        return;
    if (g->uneven)
        warn("cores %s: the system says they %s, yet some pairs take %.1f ns, others as little as "
             "%.1f ns (a guest's tables may not match its host)",
             g->cores, claim_words(g->claim, text), g->most_ns, g->least_ns);
    else if (g->level == 0)
        warn("cores %s: the system says they %s, but the times do not set them apart from other "
             "cores (up to %.1f ns within, from %.1f ns to others)",
             g->cores, claim_words(g->claim, text), g->most_ns, g->next_ns);
    else if (!apart)
        warn("cores %s: up to %.1f ns between two cores", g->cores, g->most_ns);
    else if (g->claim != NULL)
        warn("cores %s: %.1f ns among them, from %.1f ns to others; they %s, as the system says",
             g->cores, g->ns, g->next_ns, claim_words(g->claim, text));
    else
        warn("cores %s: %.1f ns among them, from %.1f ns to others: they share something the "
             "system does not report (a guest's tables may not match its host)",
             g->cores, g->ns, g->next_ns);
}

void core_groups_explain(const struct core_groups *groups)
{
    if (groups->cores == 2 && groups->pairs == 1)
        warn("cores %s: %.1f ns; one pair alone cannot show whether they share a cache: there is "
             "no other to compare it with",
             groups->at[0].cores, groups->at[0].ns);
    for (size_t i = 0; i < groups->count && groups->cores > 2; i++)
        explain(&groups->at[i]);
    if (groups->missing > 0)
        warn("%zu of %zu pairs have no time: groups may be larger than they seem", groups->missing,
             groups->missing + groups->pairs);
    if (groups->moved > 0)
        warn("samples far above the fastest of their pair: %zu, up to %.1f ns; the cores were "
             "busy, or the host moved its virtual processors apart in the meantime",
             groups->moved, groups->moved_ns);
}
