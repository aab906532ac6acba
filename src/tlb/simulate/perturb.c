/* perturb.c: broken conditions on a simulated machine. */
#include "tlb/simulate/perturb.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/random.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Reading a page from a fast disk, including the work of the operating system; the flash accounts
 * for some 25 µs. */
static const double swap_ns = 100e3;

/* The initial excess of the time, and the time constant of its decay: processors need a tenth of a
 * second of work or more to reach their full clock. */
static const double cold_more = 2, cold_s = 0.05;

/* One in MOVED_ONE_IN samples migrates, up to MOVES_MAX times. */
enum { MOVED_ONE_IN = 3, MOVES_MAX = 7 };

/* All cores share the cache levels from this one on. */
enum { SHARED_FROM = 3 };

/* The share of accesses that find their page swapped out, under LRU over `frames` page frames. A
 * page with v visits per cycle, spread at random, is swapped out if `frames` other pages were
 * visited since its last visit. That takes a fraction x = 1 - (1 - frames / pages)^(1/v) of a
 * cycle, and a gap between visits is longer than x with probability (1 - x)^(v - 1). With one visit
 * per cycle every access misses: the cliff. */
static double swapped_share(const struct point *p, double frames)
{
    double nodes = (double)layout_nodes(p), window = (double)layout_window(p);
    double pages = fmin(nodes, ceil((double)layout_bytes(p) / (double)p->page_bytes));
    if (pages <= frames)
        return 0;
    double on_page = nodes / pages;
    /* The nodes of a page that lie in one window, which fits, count as one visit. */
    bool windows = window < nodes && window / on_page < frames;
    double together = windows ? fmin(on_page, window) : 1;
    double visits = on_page / together;
    return pow(1 - frames / pages, (visits - 1) / visits) / together;
}

static void perturb_swap(struct conditions *c, struct sample *s)
{
    double frames = floor((double)c->memory_bytes / (double)s->point.page_bytes);
    double share = s->point.kernel->chases ? swapped_share(&s->point, fmax(frames, 1)) : 0;
    s->faults = round(share * s->loads);
    s->ns += s->faults / s->loads * swap_ns;
}

static void perturb_cold(struct conditions *c, struct sample *s)
{
    s->ns *= 1 + cold_more * exp(-c->elapsed_s / cold_s);
    s->t_s = c->elapsed_s;
    c->elapsed_s += s->loads * s->ns / 1e9;
}

/* The first load of a node after a migration: a page walk, then the shared cache or memory. */
static double fresh_ns(const struct model *m, const struct point *p)
{
    const struct model_level *cache[MODEL_LEVELS];
    int count = model_levels(&m->cache, m->page_bytes, cache);
    double ns = m->memory_ns;
    for (int i = count - 1; i + 1 >= SHARED_FROM; i--)
        if (layout_nodes(p) <= cache[i]->shape.entries)
            ns = cache[i]->ns;
    return ns + m->walk_ns;
}

static void perturb_migrate(struct conditions *c, struct sample *s)
{
    struct random random;
    random_seed(&random, c->seed, random_mix(model_stream(&s->point), MOVES_MAX));
    s->migrations = 0;
    if (!s->point.kernel->chases || random_below(&random, MOVED_ONE_IN) > 0)
        return;
    s->migrations = 1 + (double)random_below(&random, MOVES_MAX);
    double stay = s->loads / (s->migrations + 1);
    double fresh = fmin((double)layout_nodes(&s->point), stay) * s->migrations / s->loads;
    s->ns += fresh * fmax(0, fresh_ns(c->model, &s->point) - s->ns);
}

static const struct {
    const char *mistake;
    perturb *change;
} perturbs[] = {{"swap", perturb_swap}, {"cold", perturb_cold}, {"migrate", perturb_migrate}};

perturb *perturb_of(const char *mistake)
{
    for (size_t i = 0; i < sizeof perturbs / sizeof *perturbs; i++)
        if (strcmp(perturbs[i].mistake, mistake) == 0)
            return perturbs[i].change;
    return NULL;
}
