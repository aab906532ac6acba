/* probe.c: the nodes of the layouts that show prefetchers. */
#include "access/probe.h"
#include "access/chain.h"
#include "base/error.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Bytes of a block: prefetchers of known processors work within 4 KiB. [prior] */
enum { BLOCK_BYTES = 4096 };

/* Distances and positions are whole multiples of this, the line of nearly all processors; a longer
 * line holds several positions. */
enum { STEP_BYTES = 64 };

/* Limits of a group. [bound] */
enum { TOUCHES_MAX = 4096, PAGE_MAX = 1 << 30 };

/* A random place is at least this many steps away from all touches, if the block is large enough.
 * [prior] */
enum { FAR_STEPS = 8, TRIES = 64 };

/* ---- a group ---- */

/* Positions in steps from the start of the block, counted backwards where the touches descend. */
struct probe_group {
    int64_t first, last, probe, opener; /* the opener: of the second page, in `crossing` */
    bool decoy;
};

static bool crosses(const struct point *p)
{
    return p->layout->touches == TOUCHES_CROSS;
}

static uint64_t page_steps(const struct point *p)
{
    return (crosses(p) ? p->page_bytes : BLOCK_BYTES) / STEP_BYTES;
}

static uint64_t block_bytes(const struct point *p)
{
    return crosses(p) ? 2 * p->page_bytes : BLOCK_BYTES;
}

uint64_t probe_group_nodes(const struct point *p)
{
    return p->touches + 1 + crosses(p);
}

static int64_t span_of(const struct point *p)
{
    return (int64_t)((p->touches - 1) * (p->spacing / STEP_BYTES));
}

static int64_t distance_of(const struct point *p)
{
    return isnan(p->probe) ? 0 : (int64_t)(p->probe / STEP_BYTES);
}

/* The range of the first touch. */
static void bounds_of(const struct point *p, int64_t *min, int64_t *max)
{
    int64_t span = span_of(p), end = span + distance_of(p), steps = (int64_t)page_steps(p);
    if (crosses(p)) {
        *min = *max = steps - 1 - span;
        return;
    }
    *min = end < 0 ? -end : 0;
    *max = steps - 1 - (end > span ? end : span);
    *min += (*min + span + 1) % 2; /* the last touch is on the second line of a pair */
}

/* A place far from all touches; in `crossing` on the second page. */
static int64_t far_place(const struct point *p, const struct probe_group *g, uint64_t hash)
{
    int64_t steps = (int64_t)page_steps(p), from = crosses(p) ? steps : 0, place = from;
    for (int try = 0; try < TRIES; try++) {
        hash = random_mix(hash, (uint64_t)try);
        place = from + (int64_t)(hash % (uint64_t)steps);
        if (place < g->first - FAR_STEPS || place > g->last + (crosses(p) ? 2 : 1) * FAR_STEPS)
            return place;
    }
    return place;
}

/* The places in a group depend only on its number and on that of the sample. */
static struct probe_group group_of(const struct point *p, uint64_t number)
{
    int64_t min, max;
    uint64_t hash = random_mix(random_mix(number, p->sample), 0x70726f6265);
    struct probe_group g = {.decoy = number > 0 && hash % (p->decoys + 1) != 0}; /* one is timed */
    bounds_of(p, &min, &max);
    hash = random_mix(hash, 1);
    g.first = min + 2 * (int64_t)(hash % (uint64_t)((max - min) / 2 + 1));
    g.last = g.first + span_of(p);
    g.opener = far_place(p, &g, random_mix(hash, 2));
    g.probe = g.decoy || isnan(p->probe) ? far_place(p, &g, random_mix(hash, 3))
                                         : g.last + distance_of(p);
    return g;
}

uint64_t probe_offset(const struct point *p, uint64_t line_bytes, uint64_t i)
{
    uint64_t each = probe_group_nodes(p), number = i / each, member = i % each;
    struct probe_group g = group_of(p, number);
    int64_t step;
    (void)line_bytes;
    if (member == each - 1)
        step = g.probe;
    else if (crosses(p) && member == 0)
        step = g.opener;
    else
        step = g.first + (int64_t)((member - crosses(p)) * (p->spacing / STEP_BYTES));
    if (p->layout->touches == TOUCHES_DESCEND)
        step = (int64_t)page_steps(p) - 1 - step;
    /* The probe is the second word, since it may be on the line of a touch. */
    return number * block_bytes(p) + (uint64_t)step * STEP_BYTES +
           (member == each - 1 ? sizeof(void *) : 0);
}

unsigned probe_tag(const struct point *p, uint64_t i)
{
    uint64_t each = probe_group_nodes(p);
    if (i % each != each - 1)
        return 0;
    return group_of(p, i / each).decoy ? PROBE_TAG : PROBE_TAG | PROBE_TIMED;
}

/* ---- the chain ---- */

void probe_chain(uint32_t *next, const struct point *p, struct random *random)
{
    uint64_t each = probe_group_nodes(p), groups = p->pages / each;
    uint32_t *after = allocate(groups, sizeof *after);
    chain_cycle(after, groups, random);
    for (uint64_t g = 0; g < groups; g++)
        for (uint64_t i = 0; i < each; i++)
            next[g * each + i] = (uint32_t)(i + 1 < each ? g * each + i + 1 : after[g] * each);
    free(after);
}

uint64_t probe_bytes(const struct point *p)
{
    uint64_t groups = p->pages / probe_group_nodes(p);
    return groups > UINT64_MAX / block_bytes(p) ? 0 : groups * block_bytes(p);
}

uint64_t probe_number(const struct point *p)
{
    return isnan(p->probe) ? UINT64_MAX : (uint64_t)(int64_t)p->probe;
}

/* ---- refusals ---- */

static bool fits(const struct point *p)
{
    uint64_t steps = page_steps(p), apart = p->spacing / STEP_BYTES;
    int64_t min, max;
    if (p->touches > steps || (p->touches - 1) * apart >= steps || fabs(p->probe) >= 0x1p30)
        return false;
    if (crosses(p) && !isnan(p->probe) && (p->probe < 0 || p->probe > (double)p->page_bytes))
        return false;
    bounds_of(p, &min, &max);
    return max >= min;
}

void probe_refuse(const struct point *p, char why[REFUSAL_ROOM])
{
    const char *name = p->layout->name;
    if (p->touches > TOUCHES_MAX || p->page_bytes > PAGE_MAX)
        snprintf(why, REFUSAL_ROOM, "layout %s takes at most %d touches, and pages of 1 GiB", name,
                 TOUCHES_MAX);
    else if (p->touches == 0 || p->pages % probe_group_nodes(p) != 0)
        snprintf(why, REFUSAL_ROOM,
                 "layout %s needs `touches` above 0, and `pages` a multiple of a group's nodes "
                 "(plan --preset prefetch prints such points)",
                 name);
    else if (p->spacing > BLOCK_BYTES)
        snprintf(why, REFUSAL_ROOM, "layout %s: the stride is at most %d bytes", name, BLOCK_BYTES);
    else if (p->spacing % STEP_BYTES != 0 || (!isnan(p->probe) && fmod(p->probe, STEP_BYTES) != 0))
        snprintf(why, REFUSAL_ROOM,
                 "layout %s: stride and distance of the probe are multiples of %d bytes", name,
                 STEP_BYTES);
    else if (!fits(p))
        snprintf(why, REFUSAL_ROOM,
                 "layout %s: %llu touches %llu bytes apart and a probe at that distance do not fit "
                 "into a page",
                 name, (unsigned long long)p->touches, (unsigned long long)p->spacing);
}
