/* what_if.c: the misses of each object, as the pages are and with some objects on huge pages.
 *
 *     status = what_if(trace, &model, "column,pred", false, &form, &penalties, &measured);
 */
#include "trace/saving/what_if.h"
#include "base/error.h"
#include "table/table.h"
#include "trace/attribution/attribution.h"
#include "trace/attribution/names.h"
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

/* Objects of one name. */
struct named {
    uint32_t name, label; /* that of one of them */
    bool chosen;
    struct object sum;
};

static int compare(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    uint64_t m = x->sum.misses[BASE], n = y->sum.misses[BASE];
    return m != n ? (m < n ? 1 : -1) : (x->name > y->name) - (x->name < y->name);
}

/* Adds up the objects that have misses, by their names, the most misses first; the caller frees
 * them. */
static struct named *add_up(const struct what_if *w, const struct name_form *form, size_t *count)
{
    uint32_t *names = attribution_names(w->attribution, form);
    struct named *all = allocate(w->labels.count + 1, sizeof *all);
    for (uint32_t i = 0; i < w->judged; i++)
        for (int kind = 0; kind < KINDS; kind++) {
            struct named *n = &all[names[i]];
            n->sum.misses[kind] += w->objects[i].misses[kind];
            n->sum.seconds[kind] += w->objects[i].seconds[kind];
            n->chosen = n->chosen || w->chosen[i];
            n->label = w->objects[i].misses[kind] > 0 ? i : n->label;
            n->name = names[i];
        }
    free(names);
    *count = 0;
    for (size_t i = 0; i < w->labels.count; i++)
        if (all[i].sum.misses[BASE] > 0 || all[i].sum.misses[HUGE] > 0)
            all[(*count)++] = all[i];
    qsort(all, *count, sizeof *all, compare);
    return all;
}

static void put_measured(const struct measured_run *run)
{
    put_number(run != NULL ? rounded(run->saved_s, 1e6) : NAN, '\t');
    put_number(run != NULL ? rounded(run->low_s, 1e6) : NAN, '\t');
    put_number(run != NULL ? rounded(run->high_s, 1e6) : NAN, '\t');
    put_number(run != NULL ? rounded(run->speedup, 1e4) : NAN, '\n');
}

static void write_rows(const struct what_if *w, const struct name_form *form)
{
    size_t count;
    struct named *all = add_up(w, form, &count);
    for (const struct named *n = all; n < all + count; n++) {
        put_text(w->labels.at[n->name], '\t');
        put_text(n->chosen ? "2M" : "4K", '\t');
        put_count(n->sum.misses[BASE], '\t');
        put_count(n->sum.misses[HUGE], '\t');
        put_number(w->penalties->known ? n->sum.seconds[BASE] : NAN, '\t');
        put_number(w->penalties->known ? n->sum.seconds[HUGE] : NAN, '\t');
        put_measured(measured_of(w->measured, w->labels.at[n->label]));
    }
    free(all);
}

static void check_names(const struct what_if *w)
{
    for (size_t i = 0; i < w->judged; i++)
        if (w->chosen[i])
            return;
    die("--huge: no object of the trace is named '%s' (misses --by object lists them)", w->huge);
}

int what_if(struct trace *trace, const struct model *model, const char *huge, bool contiguous,
            const struct name_form *form, const struct penalties *penalties,
            const struct measured *measured)
{
    struct what_if w = {.penalties = penalties, .measured = measured, .huge = huge};
    struct pages pages;
    const struct record *r;
    pages_open(&pages, model->page_bytes);
    pages_add(&pages, HUGE_BYTES);
    struct tlb_plan plan = tlb_plan(model, &pages, contiguous, 0);
    threads_check(trace, &plan, &pages);
    w.levels = plan.data[BASE].levels;
    w.attribution = attribution_open(&w.labels);
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
    write_rows(&w, form);
    for (int run = 0; run < KINDS; run++)
        threads_close(&w.threads[run]);
    attribution_close(w.attribution);
    labels_free(&w.labels);
    free(w.chosen);
    free(w.objects);
    pages_close(&pages);
    return STATUS_DONE;
}
