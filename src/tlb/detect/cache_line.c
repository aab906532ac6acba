/* cache_line.c: the line size of the caches, and how many bytes are fetched together.
 *
 *     struct cache_line line = cache_line_of(&series);
 *     printf("%llu bytes\n", (unsigned long long)line.bytes);
 */
#include "tlb/detect/cache_line.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/number.h"
#include "base/stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The spacings PAIR_MIN × 2^k. [bound] */
enum { SPACINGS = 7 };

/* The gap between two values is at least these fractions of the lower one and of their difference.
 * [significance] */
static const double line_step_min = 0.1, gap_min = 1.0 / 3;

/* Minimum time of a load beyond the second level, as a multiple of a hit in the first: on known
 * processors the second level takes at most six times as long as the first. [prior] */
static const double beyond_ratio = 7;

/* The chains of one number of nodes. */
struct size {
    double nodes;
    double ns[SPACINGS]; /* NaN if not measured */
    int step;            /* the smallest spacing at which the second node misses; 0: none */
    double low, high;    /* median times below the step, and from it on */
};

struct sizes {
    struct size *at; /* ascending */
    size_t count;
};

/* ---- samples as sizes ---- */

/* The chains of so many nodes, which are added if there are none yet. */
static struct size *size_of(struct sizes *sizes, double nodes)
{
    size_t i = 0;
    while (i < sizes->count && sizes->at[i].nodes < nodes)
        i++;
    if (i == sizes->count || sizes->at[i].nodes > nodes) {
        sizes->at = reallocate(sizes->at, sizes->count + 1, sizeof *sizes->at);
        memmove(&sizes->at[i + 1], &sizes->at[i], (sizes->count++ - i) * sizeof *sizes->at);
        sizes->at[i] = (struct size){.nodes = nodes};
        for (int k = 0; k < SPACINGS; k++)
            sizes->at[i].ns[k] = NAN;
    }
    return &sizes->at[i];
}

/* Takes the minimum of the samples: other users of caches and memory only add time, and to all
 * spacings alike. */
static struct sizes read_sizes(const struct series *series, const struct point *pair)
{
    struct sizes sizes = {0};
    for (size_t i = 0; i < series->count; i++) {
        struct point point = series->groups[i].point;
        uint64_t spacing = point.spacing;
        point.spacing = pair->spacing;
        if (point_same_curve(&point, pair))
            size_of(&sizes, (double)point.pages)
                ->ns[highest_bit(spacing / PAIR_MIN)] = group_quantile(&series->groups[i], 0);
    }
    return sizes;
}

/* ---- one size ---- */

/* The times of the spacings [from, to); returns their number. */
static size_t times_of(const struct size *s, int from, int to, double times[SPACINGS])
{
    size_t count = 0;
    for (int k = from; k < to; k++)
        if (!isnan(s->ns[k]))
            times[count++] = s->ns[k];
    return count;
}

/* The gap between the times below `step` and the others; 0 if it is too small a fraction of the
 * difference of their medians. A single large spacing may be noise, so there must be two. */
static double gap_at(const struct size *s, int step, double *low, double *high)
{
    double below[SPACINGS], above[SPACINGS];
    size_t lows = times_of(s, 0, step, below), highs = times_of(s, step, SPACINGS, above);
    if (lows < 1 || highs < 2)
        return 0;
    double most = stats_select(below, lows, lows - 1);
    double gap = stats_select(above, highs, 0) - most;
    *low = stats_select(below, lows, lows / 2);
    *high = stats_select(above, highs, highs / 2);
    return gap >= line_step_min * most && gap >= gap_min * (*high - *low) ? gap : 0;
}

static void find_step(struct size *s)
{
    double widest = 0, low = NAN, high = NAN;
    for (int step = 1; step < SPACINGS; step++) {
        double gap = isnan(s->ns[step]) ? 0 : gap_at(s, step, &low, &high);
        if (gap <= widest)
            continue;
        widest = gap;
        s->step = step;
        s->low = low;
        s->high = high;
    }
}

/* ---- all of them ---- */

/* The first size of two neighbours that agree; `count` if there is none. */
static size_t first_agreeing(const struct sizes *sizes)
{
    size_t i = 0;
    while (i + 1 < sizes->count &&
           (sizes->at[i].step == 0 || sizes->at[i].step != sizes->at[i + 1].step))
        i++;
    return i + 1 < sizes->count ? i : sizes->count;
}

/* The minimum time of all. */
static double hit_of(const struct sizes *sizes)
{
    double hit = INFINITY;
    for (size_t i = 0; i < sizes->count; i++)
        for (int k = 0; k < SPACINGS; k++)
            hit = fmin(hit, sizes->at[i].ns[k]);
    return hit;
}

/* Whether a chain exceeds the second level, judged by its largest spacing. */
static bool is_beyond(const struct size *s, double hit_ns)
{
    int k = SPACINGS - 1;
    while (k > 0 && isnan(s->ns[k]))
        k--;
    return s->ns[k] >= beyond_ratio * hit_ns;
}

/* The step of most chains beyond the second level, at least two of them; 0 if they disagree. */
static int fetched_step(const struct sizes *sizes, size_t first, double hit_ns)
{
    int votes[SPACINGS] = {0}, best = 1;
    for (size_t i = first; i < sizes->count; i++)
        if (is_beyond(&sizes->at[i], hit_ns))
            votes[sizes->at[i].step]++;
    for (int k = 1; k < SPACINGS; k++)
        best = votes[k] > votes[best] ? k : best;
    for (int k = 1; k < SPACINGS; k++)
        if (k != best && 2 * votes[k] > votes[best])
            return 0;
    return votes[best] > 1 && best >= sizes->at[first].step ? best : 0;
}

static struct cache_line line_of(const struct sizes *sizes)
{
    size_t first = first_agreeing(sizes), near = 0;
    double hit_ns = hit_of(sizes);
    if (first == sizes->count)
        return (struct cache_line){
            .why = "cannot determine the line size: the time of a pair shows no step as its "
                   "distance grows: the chains may be too short (larger --pages), or the noise too "
                   "large (repeat when idle)"};
    const struct size *s = &sizes->at[first];
    struct cache_line line = {.bytes = (uint64_t)PAIR_MIN << s->step,
                              .nodes = s->nodes,
                              .plateau_ns = s->low,
                              .step_ns = s->high - s->low};
    for (size_t i = first; i < sizes->count; i++) {
        bool beyond = is_beyond(&sizes->at[i], hit_ns);
        line.beyond += beyond;
        near += !beyond && sizes->at[i].step == s->step;
    }
    int fetched = near > 1 ? fetched_step(sizes, first, hit_ns) : 0;
    line.fetched = fetched > 0 ? (uint64_t)PAIR_MIN << fetched : 0;
    line.criteria = near > 2 ? 2 : near > 1 ? 1 : 0;
    return line;
}

struct cache_line cache_line_of(const struct series *series)
{
    const struct point *pair = series_with(series, offsetof(struct layout, pairs));
    if (pair == NULL)
        return (struct cache_line){
            .why = "cannot determine the line size: no samples of layout pair (sweep --preset line "
                   "measures them)"};
    struct sizes sizes = read_sizes(series, pair);
    for (size_t i = 0; i < sizes.count; i++)
        find_step(&sizes.at[i]);
    struct cache_line line = line_of(&sizes);
    free(sizes.at);
    return line;
}

void cache_line_detect(const struct series *series, struct boundaries *found)
{
    struct cache_line line = cache_line_of(series);
    if (line.bytes == 0)
        return;
    struct boundary *b = boundary_add(found, STRUCTURE_LINE, 0, "line");
    b->bytes_min = b->bytes_max = (double)line.bytes;
    boundary_set_step(b, line.plateau_ns, line.step_ns);
    b->criteria = line.criteria;
    if (line.fetched == 0)
        note_add(&b->note, NOTE_FETCH_UNKNOWN);
    else if (line.fetched == line.bytes)
        note_add(&b->note, NOTE_FETCHED_SINGLY);
    else if (line.fetched == 2 * line.bytes)
        note_add(&b->note, NOTE_FETCHED_IN_PAIRS);
    else
        note_add_number(&b->note, NOTE_FETCHED_BYTES, (double)line.fetched);
}
