/* counters.c: which of the processor's counters count TLB misses and the cycles of page walks.
 *
 *     const char *missing = counters_find(&counters, wanted, platform_event_named);
 *     platform_run(command, library, pages, false, true, &counters.watch, &usage, why);
 *     double misses = counters_count(&counters, COUNTER_MISSES, &usage);
 */
#include "trace/saving/counters.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const counter_names[COUNTERS] = {"dtlb_misses", "walk_cycles"};

/* Events by kind of processor, the most exact first. Intel's count walks of loads and of stores;
 * those of a Zen are misses of the second level, for pages of each size. Linux's own name
 * comes last: it may count loads alone, or misses of the first level. [physics] */
static const char *const known[COUNTERS][4] = {
    {"DTLB_LOAD_MISSES:WALK_COMPLETED+DTLB_STORE_MISSES:WALK_COMPLETED",
     "L1_DTLB_MISS:TLB_RELOAD_4K_L2_MISS:TLB_RELOAD_2M_L2_MISS:TLB_RELOAD_1G_L2_MISS:"
     "TLB_RELOAD_COALESCED_PAGE_MISS",
     "perf::DTLB-LOAD-MISSES", NULL},
    {"DTLB_LOAD_MISSES:WALK_ACTIVE+DTLB_STORE_MISSES:WALK_ACTIVE",
     "DTLB_LOAD_MISSES:WALK_DURATION+DTLB_STORE_MISSES:WALK_DURATION",
     "DTLB_LOAD_MISSES:WALK_CYCLES", NULL}};

/* Adds the events of names joined by '+'; none where one is not there. */
static bool add_events(struct counters *c, int which, const char *names, name_event *named)
{
    char name[256];
    size_t count = c->watch.count;
    for (const char *at = names; *at != '\0'; at += *at == '+') {
        size_t length = strcspn(at, "+");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        at += length;
        if (count == PLATFORM_WATCHED || !named(name, &c->watch.event[count]))
            return false;
        count++;
    }
    c->events[which] = names;
    c->from[which] = c->watch.count;
    c->to[which] = c->watch.count = count;
    return true;
}

const char *counters_find(struct counters *c, const char *const wanted[COUNTERS], name_event *named)
{
    *c = (struct counters){{NULL}, {0}, {0}, {.count = 0}};
    for (int which = 0; which < COUNTERS; which++) {
        if (wanted[which] != NULL && !add_events(c, which, wanted[which], named))
            return wanted[which];
        for (int k = 0; c->events[which] == NULL && known[which][k] != NULL; k++)
            add_events(c, which, known[which][k], named);
    }
    return NULL;
}

double counters_count(const struct counters *c, enum counter which,
                      const struct platform_usage *usage)
{
    double sum = c->events[which] != NULL ? 0 : NAN;
    for (size_t i = c->from[which]; i < c->to[which]; i++)
        sum += usage->counted[i];
    return sum;
}
