/* schedule.h: what a plan asks for, as text, and made-up machines that answer it.
 *
 *     CU_ASSERT(schedule_is(schedule_options(PLAN_TLB, 4, 16), two_levels, 0,
 *                           "sweep page 4096 x5: 4 5 6 7 8 10 11 13 16\n" ...));
 */
#ifndef TLBLAB_SCHEDULE_H
#define TLBLAB_SCHEDULE_H

#include "access/kernel.h"
#include "access/layout.h"
#include "tap.h"
#include "tlb/plan/plan.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEDULE_ROOM = 1 << 14 };

/* Nanoseconds of a load in a sample of this point. */
typedef double schedule_machine(const struct point *point);

static struct {
    struct point *points; /* the last batch */
    size_t count;
} schedule;

static inline void schedule_put(char text[SCHEDULE_ROOM], const char *format, ...)
{
    va_list arguments;
    size_t used = strlen(text);
    va_start(arguments, format);
    vsnprintf(text + used, SCHEDULE_ROOM - used, format, arguments);
    va_end(arguments);
}

/* How many samples of point i the batch has. */
static inline size_t schedule_samples(size_t i)
{
    size_t count = 0;
    for (size_t k = 0; k < schedule.count; k++)
        count += schedule.points[k].pages == schedule.points[i].pages &&
                 point_same_curve(&schedule.points[k], &schedule.points[i]);
    return count;
}

static inline bool schedule_met_before(size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (schedule.points[k].pages == schedule.points[i].pages &&
            point_same_curve(&schedule.points[k], &schedule.points[i]))
            return true;
    return false;
}

/* Shared by the sizes of a line. */
static inline void schedule_head(size_t i, char head[128])
{
    const struct point *p = &schedule.points[i];
    size_t used = (size_t)snprintf(head, 128, "%s %s", role_names[p->role], p->layout->name);
    if (p->kernel != &kernels[KERNEL_READ])
        used += (size_t)snprintf(head + used, 128 - used, " %s", p->kernel->name);
    if (p->backing != &backings[BACKING_SCATTERED])
        used += (size_t)snprintf(head + used, 128 - used, " %s", p->backing->name);
    if (p->chains > 1)
        used += (size_t)snprintf(head + used, 128 - used, " %llu chains",
                                 (unsigned long long)p->chains);
    snprintf(head + used, 128 - used, " %llu x%zu:", (unsigned long long)p->spacing,
             schedule_samples(i));
}

/* Asks the plan, and writes a line for each curve, role and number of samples: of the sizes in the
 * order of their first samples. */
static inline size_t schedule_next(const struct plan_options *options, struct series *series,
                                   char text[SCHEDULE_ROOM])
{
    free(schedule.points);
    schedule.count = plan_next(options, series, &schedule.points);
    text[0] = '\0';
    for (size_t i = 0; i < schedule.count; i++) {
        char head[128], other[128];
        schedule_head(i, head);
        if (schedule_met_before(i) || strstr(text, head) != NULL)
            continue;
        schedule_put(text, "%s", head);
        for (size_t k = i; k < schedule.count; k++) {
            schedule_head(k, other);
            if (strcmp(head, other) == 0 && !schedule_met_before(k))
                schedule_put(text, " %llu", (unsigned long long)schedule.points[k].pages);
        }
        schedule_put(text, "\n");
    }
    return schedule.count;
}

/* The batch that such a machine is asked for after `answered` others, as text; whether that is what
 * was expected. Shows both where they differ. Frees the sizes of the options. */
static inline bool schedule_is(struct plan_options options, schedule_machine *machine, int answered,
                               const char *expected)
{
    static char text[SCHEDULE_ROOM];
    struct series series;
    series_init(&series);
    size_t count = schedule_next(&options, &series, text);
    for (int batch = 0; batch < answered && count > 0; batch++) {
        for (size_t i = 0; i < count; i++) {
            struct sample s = {.point = schedule.points[i], .ns = machine(&schedule.points[i])};
            series_add(&series, &s);
        }
        count = schedule_next(&options, &series, text);
    }
    series_free(&series);
    if (strcmp(text, expected) == 0)
        return true;
    printf("# expected:\n%s# planned:\n%s", expected, text);
    return false;
}

/* Default options for pages of 4 KiB, from `from` to `to` nodes. */
static inline struct plan_options schedule_options(enum plan_kind kind, uint64_t from, uint64_t to)
{
    struct plan_options options = option_plan(NULL, 0, 4096, 64);
    options.kind = kind;
    options.least = from;
    options.most = to;
    return options;
}

#endif
