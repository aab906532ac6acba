/* what_if.c: the misses of each object, as the pages are and with some objects on huge pages.
 *
 *     status = what_if(trace, &model, "column,pred", false, &form, &penalties, &measured);
 */
#include "trace/saving/what_if.h"
#include "base/error.h"
#include "table/table.h"
#include "trace/attribution/attribution.h"
#include "trace/attribution/object_names.h"
#include "trace/tlbs/threads.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BASE, HUGE, KINDS };
static const unsigned huge_shift = 21; /* HUGE_BYTES [physics] */

struct object {
    uint64_t misses[KINDS]; /* walks, with the object on base pages and as was asked */
    double seconds[KINDS];
};

struct what_if {
    const struct penalties *penalties;
    const struct measured *measured;
    const char *huge;
    struct labels labels;
    struct attribution *attribution;
    bool *chosen; /* of each label */
    size_t judged;
    struct object *objects; /* of each label */
    size_t room;
    struct threads threads[KINDS];
    int levels;
    int run;        /* the threads that run now */
    uint32_t label; /* of the access */
};

/* Room for all labels so far, and whether they are chosen. */
static void follow_labels(struct what_if *w)
{
    if (w->labels.count > w->room) {
        size_t room = 2 * w->labels.count;
        w->objects = reallocate(w->objects, room, sizeof *w->objects);
        memset(w->objects + w->room, 0, (room - w->room) * sizeof *w->objects);
        w->chosen = reallocate(w->chosen, room, sizeof *w->chosen);
        w->room = room;
    }
    for (; w->judged < w->labels.count; w->judged++)
        w->chosen[w->judged] = object_is_named(w->huge, w->labels.at[w->judged]);
}

static void count(void *context, const struct missed *missed)
{
    struct what_if *w = context;
    struct object *object = &w->objects[w->label];
    object->misses[w->run] += missed->walked;
    object->seconds[w->run] += penalties_seconds(w->penalties, missed->levels, w->levels);
}

/* Huge pages lie wholly within the object, as madvise() has it. */
static int kind_of(struct what_if *w, const struct record *r, uint64_t address)
{
    uint64_t begin, last, page = address >> huge_shift << huge_shift;
    w->label = attribution_object(w->attribution, r, address);
    follow_labels(w);
    if (!w->chosen[w->label])
        return BASE;
    attribution_range(w->attribution, r, address, &begin, &last);
    return page >= begin && page + ((uint64_t)1 << huge_shift) - 1 <= last ? HUGE : BASE;
}

static void run_access(struct what_if *w, const struct record *r, unsigned base_shift)
{
    uint64_t address = r->address;
    for (uint64_t left = record_length(r), here; left > 0; left -= here, address += here) {
        here = pages_part(address, left, base_shift);
        int kind = kind_of(w, r, address);
        for (w->run = 0; w->run < KINDS; w->run++)
            threads_run_page(&w->threads[w->run], r, address, w->run == BASE ? BASE : kind, count,
                             w);
    }
}

/* ---- the table ---- */

static const struct what_if *sorted; /* for qsort() */

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint64_t m = sorted->objects[x].misses[BASE], n = sorted->objects[y].misses[BASE];
    return m != n ? (m < n ? 1 : -1) : (x > y) - (x < y);
}

static void put_measured(const struct measured_run *run)
{
    put_number(run != NULL ? rounded(run->saved_s, 1e6) : NAN, '\t');
    put_number(run != NULL ? rounded(run->low_s, 1e6) : NAN, '\t');
    put_number(run != NULL ? rounded(run->high_s, 1e6) : NAN, '\t');
    put_number(run != NULL ? rounded(run->speedup, 1e4) : NAN, '\n');
}

static void write_rows(const struct what_if *w)
{
    uint32_t *order = allocate(w->labels.count + 1, sizeof *order);
    for (uint32_t i = 0; i < w->labels.count; i++)
        order[i] = i;
    sorted = w;
    qsort(order, w->labels.count, sizeof *order, compare);
    for (size_t i = 0; i < w->labels.count && i < w->room; i++) {
        const struct object *object = &w->objects[order[i]];
        if (object->misses[BASE] == 0 && object->misses[HUGE] == 0)
            continue;
        put_text(w->labels.at[order[i]], '\t');
        put_text(w->chosen[order[i]] ? "2M" : "4K", '\t');
        put_count(object->misses[BASE], '\t');
        put_count(object->misses[HUGE], '\t');
        put_number(w->penalties->known ? object->seconds[BASE] : NAN, '\t');
        put_number(w->penalties->known ? object->seconds[HUGE] : NAN, '\t');
        put_measured(measured_of(w->measured, w->labels.at[order[i]]));
    }
    free(order);
}

static void check_names(const struct what_if *w)
{
    for (size_t i = 0; i < w->judged; i++)
        if (w->chosen[i])
            return;
    die("--huge: no object of the trace is named '%s' (misses --by object lists them)", w->huge);
}

int what_if(struct trace *trace, const struct model *model, const char *huge, bool contiguous,
            const struct stack_form *form, const struct penalties *penalties,
            const struct measured *measured)
{
    struct what_if w = {.penalties = penalties, .measured = measured, .huge = huge};
    struct pages pages;
    const struct record *r;
    pages_open(&pages, model->page_bytes);
    pages.shift[pages.kinds++] = huge_shift;
    struct tlb_plan plan = tlb_plan(model, &pages, contiguous, 0);
    threads_check(trace, &plan, &pages);
    w.levels = plan.data[BASE].levels;
    w.attribution = attribution_open(&w.labels, form);
    for (int run = 0; run < KINDS; run++)
        threads_open(&w.threads[run], &plan, &pages, 1);
    while ((r = trace_next(trace)) != NULL)
        if (record_is_access(r))
            run_access(&w, r, pages.shift[BASE]);
        else {
            for (int run = 0; run < KINDS; run++)
                threads_run(&w.threads[run], r, count, &w);
            attribution_take(w.attribution, trace, r);
        }
    follow_labels(&w);
    check_names(&w);
    trace_copy_meta(trace);
    table_put_meta("machine", "%s", model->name);
    table_put_header("object\tpages\tmisses\tmisses_huge\tseconds\tseconds_huge\t"
                     "measured_saved_s\tmeasured_low_s\tmeasured_high_s\tmeasured_speedup");
    write_rows(&w);
    for (int run = 0; run < KINDS; run++)
        threads_close(&w.threads[run]);
    attribution_close(w.attribution);
    labels_free(&w.labels);
    free(w.chosen);
    free(w.objects);
    pages_close(&pages);
    return STATUS_DONE;
}
