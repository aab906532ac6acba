/* victim_set.c: how often pages miss in a set of an exclusive level. */
#include "curve/victim_set.h"
#include "base/random.h"
#include <math.h>

/* Rounds before and of the measurement, repetitions, and points of the table over `outside`.
 * [bound] */
enum { WARM_UP = 16, ROUNDS = 8, TRIALS = 12, GRID = 16, NONE = -1 };

/* Lists of the pages that return to the set before each visit of a round. */
struct returns {
    int first[VICTIM_SET_PAGES_MOST + 1], last[VICTIM_SET_PAGES_MOST + 1],
        next[VICTIM_SET_PAGES_MOST + 1];
};

static void add_return(struct returns *returns, int visit, int page)
{
    *(returns->first[visit] == NONE ? &returns->first[visit]
                                    : &returns->next[returns->last[visit]]) = page;
    returns->last[visit] = page;
    returns->next[page] = NONE;
}

/* Draws how many visits to this set each page spends in the level before: the visits within `part`
 * of a round after its own. The pages of the set lie at random among those of all sets. */
static void draw_stays(struct random *random, int pages, double part, int *stays)
{
    double when[VICTIM_SET_PAGES_MOST + 1], round = 0;
    for (int page = 0; page < pages; page++)
        when[page] = round -= log(1 - random_unit(random));
    for (int page = 0; page < pages; page++) {
        double later = 0;
        stays[page] = 0;
        for (int k = 1; k < pages && later < part * round; k++) {
            later = when[(page + k) % pages] - when[page];
            later += later < 0 ? round : 0;
            stays[page] += later < part * round;
        }
    }
}

static void return_pages(struct assoc *set, struct returns *returns, int visit)
{
    for (int page = returns->first[visit], next; page != NONE; page = next) {
        next = returns->next[page];
        assoc_fill(set, (uint32_t)page);
    }
    returns->first[visit] = NONE;
}

/* Misses of the ROUNDS after WARM_UP. A page that spends a whole round in the level before hits
 * there. */
static int count_misses(struct assoc *set, int pages, const int *stays)
{
    struct returns returns;
    int misses = 0;
    for (int visit = 0; visit < pages; visit++)
        returns.first[visit] = NONE;
    for (int round = 0; round < WARM_UP + ROUNDS; round++)
        for (int page = 0; page < pages; page++) {
            return_pages(set, &returns, page);
            if (stays[page] == pages - 1 && round > 0)
                continue;
            misses += round >= WARM_UP && !assoc_hit(set, (uint32_t)page);
            assoc_drop(set, (uint32_t)page);
            if (stays[page] < pages - 1)
                add_return(&returns, (page + stays[page] + 1) % pages, page);
        }
    return misses;
}

static double simulate(enum assoc_replacement replacement, int ways, int pages, double part)
{
    struct assoc_shape shape = {
        .entries = (uint64_t)ways, .ways = (uint64_t)ways, .replacement = replacement};
    uint64_t numbers[VICTIM_SET_PAGES_MOST + 1] = {0};
    int stays[VICTIM_SET_PAGES_MOST + 1], misses = 0;
    struct random random;
    random_seed(&random, (uint64_t)ways, (uint64_t)pages);
    for (int trial = 0; trial < TRIALS; trial++) {
        struct assoc set;
        assoc_open(&set, &shape, numbers, (uint32_t)pages, (uint64_t)trial);
        draw_stays(&random, pages, part, stays);
        misses += count_misses(&set, pages, stays);
        assoc_close(&set);
    }
    return (double)misses / (TRIALS * ROUNDS * pages);
}

double victim_set_misses(enum assoc_replacement replacement, int ways, int others, double outside)
{
    static float known[2][VICTIM_SET_WAYS_MOST + 1][VICTIM_SET_PAGES_MOST]
                      [GRID + 1];                      /* 1 + the share; 0: not simulated yet */
    double share[2], place = sqrt(1 - outside) * GRID; /* a few empty ways change much */
    int left = (int)fmin(GRID - 1, floor(place));
    for (int side = 0; side < 2; side++) {
        float *cell = &known[replacement == REPLACE_PLRU][ways][others][left + side];
        double part = (double)(left + side) / GRID;
        if (*cell == 0)
            *cell = 1 + (float)simulate(replacement, ways, others + 1, part * part);
        share[side] = (double)*cell - 1;
    }
    return share[0] + (place - left) * (share[1] - share[0]);
}
