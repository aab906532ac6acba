/* cache_line.c: the line size of the caches, and how many bytes are fetched together.
 *
 *     struct cache_line line = cache_line_of(&series);
 *     printf("%llu bytes\n", (unsigned long long)line.bytes);
 */
#include "tlb/detect/cache_line.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/number.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The spacings PAIR_MIN × 2^k. [bound] */
enum { SPACINGS = 7 };

/* The gap between two values is at least these fractions of the lower one and of the difference
 * between the nearest and the farthest nodes. [significance] */
static const double line_step_min = 0.1, gap_min = 1.0 / 3;

/* Minimum time of a load beyond the second level, as a multiple of a hit in the first: on known
 * processors the second level takes at most six times as long as the first. [prior] */
static const double beyond_ratio = 7;

/* The chains of one number of nodes. */
struct size {
    double nodes;
    double ns[SPACINGS]; /* NaN if not measured */
    int step;            /* the smallest spacing at which the second node misses; 0: none */
    double low, high;    /* times at the smallest and the largest spacing */
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

/* The step is where the gap between all times below and all from there on is widest. The largest
 * spacing alone may be noise, so there must be two above. */
static void find_step(struct size *s)
{
    int first = 0, last = SPACINGS - 1;
    double widest = 0;
    while (first < last && isnan(s->ns[first]))
        first++;
    while (last > first && isnan(s->ns[last]))
        last--;
    s->low = s->ns[first];
    s->high = s->ns[last];
    for (int step = first + 1; step < last; step++) {
        double below = 0, above = INFINITY;
        for (int k = first; k <= last; k++)
            if (k < step)
                below = fmax(below, s->ns[k]);
            else
                above = fmin(above, s->ns[k]);
        bool wide = above - below >= fmax(line_step_min * below, gap_min * (s->high - s->low));
        if (wide && above - below > widest && !isnan(s->ns[step])) {
            widest = above - below;
            s->step = step;
        }
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

/* Whether a chain exceeds the second level. */
static bool is_beyond(const struct size *s, double hit_ns)
{
    return s->high >= beyond_ratio * hit_ns;
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
    if (first == sizes->count)
        return (struct cache_line){
            .why = "cannot determine the line size: the time of a pair shows no step as its "
                   "distance grows: the chains may be too short (larger --pages), or the noise too "
                   "large (repeat when idle)"};
    const struct size *s = &sizes->at[first];
    double hit_ns = sizes->at[0].low;
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
