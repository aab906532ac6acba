/* this_machine.c: the machine that the program runs on. */
#include "access/earlier.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include "measure/clock.h"
#include "measure/measure.h"
#include "measure/mistake.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *refuses(void *self, const struct point *point)
{
    (void)self;
    return point_refuses(point);
}

/* The requested backings and locking. The rows have the outcomes, which follow the header. */
static void put_requested(const struct rig_options *options, const struct point *points,
                          size_t count)
{
    char list[128] = "";
    for (const struct backing *backing = backings; backing->name != NULL; backing++)
        for (size_t i = 0; i < count; i++)
            if (points[i].backing == backing) {
                size_t used = strlen(list);
                snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "",
                         backing->name);
                break;
            }
    table_put_meta("backing", "%s", *list != '\0' ? list : "-");
    if (options->memory.lock)
        table_put_meta("locked", "asked");
}

static void put_meta(void *self, const struct table *source, const struct point *points,
                     size_t count)
{
    const struct this_machine *here = self;
    size_t box = 0;
    rig_check(here->rig, points, count);
    table_begin(source);
    earlier_put_options();
    facts_put_meta(here->facts);
    while (box < count && points[box].buffer == 0)
        box++;
    if (box < count) {
        table_put_meta("buffer_bytes", "%llu", (unsigned long long)points[box].buffer);
        table_put_meta("chain", "%s", chain_names[points[box].chain]);
    }
    put_requested(here->options, points, count);
    rig_put_meta(here->rig);
}

static void prepare(void *self, const struct point *points, size_t count)
{
    const struct this_machine *here = self;
    bool cold = here->options->mistake != NULL && here->options->mistake->cold;
    rig_prepare(here->rig, points, count);
    if (isinf(here->quickest_ns) && !cold)
        clock_warm_up();
}

static double estimate_s(void *self, const struct point *point)
{
    return rig_estimate_s(((const struct this_machine *)self)->rig, point);
}

/* Measures, and keeps the minimum time of a dependent access. */
static void measure(void *self, const struct point *point, struct sample *s)
{
    struct this_machine *here = self;
    rig_measure(here->rig, point, s);
    double ns = s->ns * (s->point.chains > 1 ? (double)s->point.chains : 1);
    if (s->point.kernel->chases && !s->point.kernel->executes && ns < here->quickest_ns)
        here->quickest_ns = ns;
}

/* No load takes less than a cycle. Estimates the frequency again, since the processor is warm now,
 * but only for samples below a cycle of 1 GHz, because that takes milliseconds. */
static void warn_impossible(double quickest_ns)
{
    double cycle_ns = quickest_ns < 1 ? 1 / clock_ghz() : 0;
    if (quickest_ns < cycle_ns)
        warn("an access took %.2g ns, less than a cycle of this processor (%.2g ns): that is "
             "impossible for a dependent load. Most likely the compiler dropped the loop, or the "
             "accesses do not depend on one another",
             quickest_ns, cycle_ns);
}

static bool close_rig(void *self)
{
    const struct this_machine *here = self;
    warn_impossible(here->quickest_ns);
    rig_close(here->rig);
    return true;
}

struct machine this_machine_open(struct this_machine *here, const struct rig_options *options,
                                 const struct facts *facts)
{
    *here = (struct this_machine){options, facts, rig_open(options), INFINITY};
    return (struct machine){.self = here,
                            .columns = SAMPLE_COUNTED | SAMPLE_BACKED |
                                       (options->memory.lock ? SAMPLE_LOCKED : 0) |
                                       (options->memory.node.wanted ? SAMPLE_NODE : 0),
                            .refuses = refuses,
                            .put_meta = put_meta,
                            .prepare = prepare,
                            .estimate_s = estimate_s,
                            .measure = measure,
                            .close = close_rig};
}
