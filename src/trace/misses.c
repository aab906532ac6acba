/* misses: says where the TLB misses of a program come from, and what they cost.
 *
 * usage: misses [OPTION...] [TRACE]
 * Reads a trace of misses (tlbsim, or a program with TLBLAB_RECORD=misses). Writes a row for each
 * page, object, line, function, thread, phase, group of page-table entries or permission, the most
 * misses first.
 *
 * example: tlbsim --machine zen4 bfs.trace | misses --by object
 */
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include "table/table.h"
#include "tlb/simulate/model.h"
#include "trace/attribution/attribution.h"
#include "trace/attribution/comparison.h"
#include "trace/attribution/penalties.h"
#include "trace/attribution/tally.h"
#include "trace/saving/what_if.h"
#include "trace/tlbs/threads.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum grouping { PAGE, OBJECT, LINE, FUNCTION, OBJECT_FUNCTION, THREAD, PHASE, GROUP, PERMISSION };

struct by {
    const char *name, *help;
    enum grouping grouping;
};
static const struct by groupings[] = {
    {"page", "where the address is", PAGE},
    {"object", "a variable, or where a block was allocated", OBJECT},
    {"line", "of the source that made the access", LINE},
    {"function", "that made the access", FUNCTION},
    {"object,function", "both: which functions miss in which object", OBJECT_FUNCTION},
    {"thread", "that made the access", THREAD},
    {"phase", "of the program, as it marks them, or of --interval", PHASE},
    {"group", "pages whose page-table entries are adjacent", GROUP},
    {"permission", "read, write or execute", PERMISSION},
    {0}};

static struct choice by = {groupings, sizeof *groupings, groupings};
static uint64_t group = 8;
static double interval;
static bool cdf, contiguous, stack, fetches;
static const char *penalties_file, *huge, *machine, *measured_files, *skip, *compared;
static bool compares_programs; /* by two complete traces */
static uint64_t depth;

static const struct flag flags[] = {
    {"by", FLAG_WORD, &by, "NAME", "what misses are counted for (page): --help by"},
    {"skip", FLAG_TEXT, &skip, "NAMES", "name blocks after the caller of these functions (*, ?)",
     .needs = "by=object huge", .excludes = "stack"},
    {"depth", FLAG_COUNT, &depth, "N", "name blocks after N functions (default 2)",
     .needs = "by=object huge", .excludes = "stack", .max = STACK_MAX},
    {"stack", FLAG_YES, &stack, NULL, "name blocks after their whole call stack",
     .needs = "by=object huge"},
    {"group", FLAG_COUNT, &group, "N", "page-table entries of a group (default 8: a line)"},
    {"interval", FLAG_SECONDS, &interval, "SECONDS", "phases of this length", .needs = "by=phase"},
    {"fetches", FLAG_YES, &fetches, NULL, "only misses of instructions that were fetched"},
    {"compare", FLAG_TEXT, &compared, "TRACE",
     "write what has changed since this trace; the shares of samples beside its",
     .excludes = "huge cdf fetches interval by=thread,phase"},
    {"cdf", FLAG_YES, &cdf, NULL, "write how the misses are distributed", .needs = "by=page,group"},
    {"penalties", FLAG_TEXT, &penalties_file, "FILE",
     "seconds by these penalties (walkpenalty(1))"},
    {"huge", FLAG_TEXT, &huge, "OBJECTS", "what if these objects were on huge pages? All: all",
     .needs = "machine", .excludes = "cdf fetches by interval"},
    {"machine", FLAG_TEXT, &machine, "MACHINE", "of this machine; reads accesses", .needs = "huge"},
    {"measured", FLAG_TEXT, &measured_files, "FILES",
     "tables of 'tlbcost --huge', to show beside it", .needs = "huge"},
    {"contiguous", FLAG_YES, &contiguous, NULL, "frames are contiguous", .needs = "huge"},
    {0}};

static const struct topic topics[] = {
    {"by", "By", CHOICE_OF(groupings), NULL, "what misses are counted for"},
    {"machines", "Machines", {0}, model_print_names, "processors that come with tlblab"},
    {0}};

static const struct program program = {
    .name = "misses",
    .purpose = "say where the TLB misses of a program come from, and their cost",
    .operands = "[TRACE]",
    .example = "tlbsim --machine zen4 bfs.trace | misses --by object",
    .flags = flags,
    .writes_table = true,
    .topics = topics,
};

struct run {
    struct trace *trace;
    struct labels *labels;
    struct attribution *attribution;
    struct penalties penalties;
    struct pages pages;
    struct tally tally;
    enum grouping grouping;
    int levels; /* of the machine */
    uint64_t phase, first_ns;
    bool timed, sampled;
};

/* ---- one miss ---- */

static uint64_t function_of(struct run *run, const struct record *r)
{
    const char *name = trace_symbol(run->trace); /* of a text: no file explains it */
    return name != NULL ? labels_number(run->labels, name)
                        : attribution_function(run->attribution, r);
}

/* The row's key: an address, a number, or an index into labels. */
static uint64_t key_of(struct run *run, const struct record *r)
{
    unsigned shift = run->pages.shift[pages_kind(&run->pages, r->address)];
    switch (run->grouping) {
    case PAGE:
        return r->address >> shift << shift;
    case GROUP:
        return (r->address >> shift) / group * group << shift;
    case OBJECT:
        return attribution_object(run->attribution, r, r->address);
    case LINE:
        return attribution_line(run->attribution, r);
    case FUNCTION:
        return function_of(run, r);
    case OBJECT_FUNCTION:
        return (uint64_t)attribution_object(run->attribution, r, r->address) << 32 |
               function_of(run, r);
    case THREAD:
        return r->thread;
    case PHASE:
        return interval > 0 ? (uint64_t)((double)(r->time_ns - run->first_ns) / 1e9 / interval)
                            : run->phase;
    case PERMISSION:
        return r->op;
    }
    return 0;
}

static void count(struct run *run, const struct record *r)
{
    bool per_process = compared == NULL &&
                       (run->grouping == PAGE || run->grouping == GROUP || run->grouping == THREAD);
    if (!run->timed)
        run->first_ns = r->time_ns;
    run->timed = true;
    struct tally_row *row = tally_row(&run->tally, per_process ? r->process : 0, key_of(run, r));
    tally_add(row, r, penalties_seconds(&run->penalties, r->level, run->levels));
}

static void read_trace(struct run *run)
{
    const struct record *r;
    bool needs_names = run->grouping >= OBJECT && run->grouping <= OBJECT_FUNCTION;
    while ((r = trace_next(run->trace)) != NULL)
        if (record_is_access(r) && fetches && r->op != TRACE_EXECUTE)
            continue;
        else if (record_is_access(r))
            count(run, r);
        else if (r->op == TRACE_PAGES)
            pages_take(&run->pages, r);
        else if (r->op == TRACE_PHASE)
            run->phase = r->address;
        else if (needs_names && !(compared != NULL && !compares_programs && r->op == TRACE_FREE))
            attribution_take(run->attribution, run->trace, r);
}

/* Only all blocks together show which functions take memory for others. */
static void name_objects(struct run *run)
{
    const struct name_form form = {skip, (unsigned)depth, stack, compares_programs};
    uint32_t *names = attribution_names(run->attribution, &form);
    if (run->grouping == OBJECT || run->grouping == OBJECT_FUNCTION)
        tally_rename(&run->tally, names, run->grouping == OBJECT_FUNCTION);
    free(names);
}

static void say_stripped(const struct run *run)
{
    if (!args_quiet)
        attribution_say_stripped(run->attribution);
}

/* ---- the table ---- */

/* Rows of several processes have the process before a page or a thread. */
static void put_key(const struct run *run, const struct tally_row *row, bool several)
{
    if (several && row->process > 0)
        put_formatted("%" PRIu32 ":", row->process);
    switch (run->grouping) {
    case PAGE:
    case GROUP:
        put_formatted("0x%" PRIx64 "\t", row->key);
        break;
    case OBJECT:
    case LINE:
    case FUNCTION:
        put_text(run->labels->at[row->key], '\t');
        break;
    case OBJECT_FUNCTION:
        put_text(run->labels->at[row->key >> 32], '\t');
        put_text(run->labels->at[(uint32_t)row->key], '\t');
        break;
    case PERMISSION:
        put_text(trace_op_names[row->key], '\t');
        break;
    default:
        put_count(row->key, '\t');
    }
}

static void write_rows(struct run *run)
{
    uint64_t all = 0;
    bool several = false;
    tally_sort(&run->tally);
    for (size_t i = 0; i < run->tally.count; i++) {
        all += run->tally.rows[i].misses;
        several = several || run->tally.rows[i].process != run->tally.rows[0].process;
    }
    for (size_t i = 0; i < run->tally.count; i++) {
        const struct tally_row *row = &run->tally.rows[i];
        put_key(run, row, several);
        put_count(row->misses, '\t');
        put_count(row->reads, '\t');
        put_count(row->writes, '\t');
        put_number(rounded((double)row->misses / (double)all, 1e6), '\t');
        put_number(row->seconds, run->sampled ? '\t' : '\n');
        if (run->sampled)
            put_count(row->weight, '\n');
    }
}

#define MISSES_COLUMNS "misses\treads\twrites\tshare\tseconds"

static void write_head(const struct run *run)
{
    char header[128];
    const struct by *chosen = by.chosen;
    const char *columns = run->sampled ? MISSES_COLUMNS "\tweight" : MISSES_COLUMNS;
    trace_copy_meta(run->trace);
    if (cdf)
        table_put_header(TALLY_CDF_COLUMNS);
    else {
        snprintf(header, sizeof header, "%s\t%s",
                 run->grouping == OBJECT_FUNCTION ? "object\tfunction"
                 : chosen != NULL                 ? chosen->name
                                                  : "page",
                 compares_programs  ? CHANGE_COLUMNS
                 : compared != NULL ? COMPARISON_COLUMNS
                                    : columns);
        table_put_header(header);
    }
}

/* ---- input ---- */

/* A size of the metadata; `otherwise` where there is none. */
static uint64_t meta_size(const struct run *run, const char *key, uint64_t otherwise)
{
    const char *text = trace_meta(run->trace, key);
    uint64_t size = size_or(text, 0);
    if (text != NULL && size == 0)
        die("%s: metadata '%s': '%s' is not a size", trace_name(run->trace), key, text);
    return text != NULL ? size : otherwise;
}

/* The pages that the misses were found with. */
static void read_pages(struct run *run)
{
    const char *ranges = trace_meta(run->trace, "huge"), *why;
    uint64_t bytes = meta_size(run, "page_bytes", 4096);
    if (!is_power_of_two(bytes))
        die("%s: metadata 'page_bytes': %" PRIu64 " is not a power of two", trace_name(run->trace),
            bytes);
    pages_open(&run->pages, bytes);
    pages_add(&run->pages, HUGE_BYTES);
    if (ranges != NULL && !pages_parse(&run->pages, ranges, &why))
        die("%s: metadata 'huge': %s", trace_name(run->trace), why);
}

static void check_trace(struct run *run)
{
    const char *record = trace_meta(run->trace, "record");
    const char *level = trace_meta(run->trace, "level");
    uint64_t levels = meta_size(run, "levels", 2);
    run->sampled = trace_meta(run->trace, "sampled") != NULL;
    if (record == NULL || strcmp(record, "misses") != 0)
        die("%s: the trace has accesses, not misses: tlbsim --machine MACHINE %s | misses",
            trace_name(run->trace), trace_name(run->trace));
    if (fetches)
        trace_need_fetches(run->trace);
    if (levels > MODEL_LEVELS)
        die("%s: metadata 'levels': no machine has %" PRIu64, trace_name(run->trace), levels);
    run->levels = (int)levels;
    if (penalties_file != NULL && size_or(level, 1) > 1 && !args_quiet)
        warn("%s has only what missed %s levels: seconds leave out what a later level served "
             "(tlbsim --level 1)",
             trace_name(run->trace), level);
}

static int write_misses(struct run *run)
{
    check_trace(run);
    read_pages(run);
    read_trace(run);
    name_objects(run);
    say_stripped(run);
    write_head(run);
    if (cdf)
        tally_write_cdf(&run->tally);
    else
        write_rows(run);
    if (run->tally.count == 0)
        warn("%s: there are no misses", trace_name(run->trace));
    int status = run->tally.count > 0 ? STATUS_DONE : STATUS_PARTIAL;
    tally_free(&run->tally);
    pages_close(&run->pages);
    return status;
}

/* ---- beside another trace ---- */

static void put_compared_key(void *context, const struct tally_row *row)
{
    put_key(context, row, false);
}

/* Samples are named after the objects of the complete trace, where blocks stay known after
 * they are freed; a trace of another program has objects of its own. */
static int compare(struct run *run)
{
    struct run complete = *run;
    complete.trace = trace_open(compared);
    check_trace(run);
    check_trace(&complete);
    if (complete.sampled)
        die("--compare: %s has samples, not all misses", compared);
    compares_programs = !run->sampled;
    if (compares_programs)
        run->attribution = attribution_open(run->labels);
    read_pages(&complete);
    read_pages(run);
    read_trace(&complete);
    read_trace(run);
    name_objects(&complete);
    name_objects(run);
    say_stripped(run);
    write_head(run);
    int status = compares_programs ? STATUS_DONE : STATUS_PARTIAL;
    size_t before = complete.tally.count, after = run->tally.count;
    if (before == 0 && after == 0)
        status = STATUS_PARTIAL;
    if (compares_programs ? status != STATUS_DONE : before == 0 || after == 0)
        warn("there are no misses to compare");
    else if (compares_programs)
        comparison_write_change(&complete.tally, &run->tally, put_compared_key, run);
    else if (comparison_write(&complete.tally, &run->tally, put_compared_key, run))
        status = STATUS_DONE;
    tally_free(&complete.tally);
    tally_free(&run->tally);
    pages_close(&complete.pages);
    pages_close(&run->pages);
    trace_close(complete.trace);
    if (compares_programs)
        attribution_close(complete.attribution);
    return status;
}

int main(int argc, char **argv)
{
    struct labels labels = {0};
    struct run run = {.labels = &labels};
    int first = args_parse(&program, argc, argv), status;
    run.grouping = ((const struct by *)by.chosen)->grouping;
    if (penalties_file != NULL)
        penalties_read(&run.penalties, penalties_file);
    run.trace = trace_open(first < argc ? argv[first] : "-");
    run.attribution = attribution_open(run.labels);
    if (huge != NULL) {
        struct model model;
        struct measured measured = {0};
        const struct name_form form = {skip, (unsigned)depth, stack, false};
        model_read(&model, model_find(machine));
        if (measured_files != NULL)
            measured_read(&measured, measured_files);
        status = what_if(run.trace, &model, huge, contiguous, &form, &run.penalties, &measured);
        measured_free(&measured);
    } else if (compared != NULL)
        status = compare(&run);
    else
        status = write_misses(&run);
    if (trace_partial(run.trace) != STATUS_DONE)
        status = STATUS_PARTIAL;
    attribution_close(run.attribution);
    labels_free(run.labels);
    trace_close(run.trace);
    return finish(status);
}
