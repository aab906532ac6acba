/* tlbsim: runs a trace of memory accesses through the TLBs of a machine.
 *
 * usage: tlbsim [OPTION...] [TRACE]
 * Reads a trace of a program compiled by tlbcc, of valgrind's lackey, perf script or drmemtrace.
 * Writes a trace of the misses, or a table of them. Without --machine, --dtlb, --itlb and
 * --to curve it only converts.
 *
 * example: tlbsim --machine zen4 bfs.trace | misses --by object
 */
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include "platform.h"
#include "table/table.h"
#include "tlb/simulate/model.h"
#include "trace/format/text_table.h"
#include "trace/format/trace.h"
#include "trace/tlbs/all_sizes.h"
#include "trace/tlbs/level_list.h"
#include "trace/tlbs/threads.h"
#include "trace/tlbs/walk_reads.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { RECORDS, SUMMARY, WALKS, WALK_READS, CURVE };

/* What --to knows: forms of a trace, and tables. */
struct output {
    const char *name, *help;
    text_write *put; /* of RECORDS; NULL: binary */
    enum kind kind;
};
static const struct output outputs[] = {
    {"binary", "the trace, for misses and tlbsim (default)", NULL, RECORDS},
    {"table", "the trace as a table", text_put_table, RECORDS},
    {"lackey", "its accesses as valgrind's lackey writes them", text_put_lackey, RECORDS},
    {"perf", "as perf script does", text_put_perf, RECORDS},
    {"drmemtrace", "as drmemtrace's view does", text_put_drmemtrace, RECORDS},
    {"summary", "visits and misses of each thread and level", NULL, SUMMARY},
    {"walks", "how many references to memory walks need", NULL, WALKS},
    {"walk-reads", "which caches serve these references", NULL, WALK_READS},
    {"curve", "misses of fully associative LRU TLBs of all sizes", NULL, CURVE},
    {0}};

static const char *machine, *dtlb, *itlb, *page_ranges;
static uint64_t level, page_bytes, shards, ways, ring, host_page_bytes, seed = 1;
static uint64_t max_bytes; /* of a running program's trace; 0: any */
static struct choice to = {outputs, sizeof *outputs, outputs};
static bool contiguous;

static const struct flag flags[] = {
    {"machine", FLAG_TEXT, &machine, "MACHINE", "simulate the TLBs of this machine (simulate(1))",
     .excludes = "to=curve"},
    {"dtlb", FLAG_TEXT, &dtlb, "LEVELS",
     "or of this one: ENTRIES[:WAYS],… of the levels of its dTLB (LRU)",
     .excludes = "machine contiguous to=curve"},
    {"itlb", FLAG_TEXT, &itlb, "LEVELS", "and of its iTLB; of an iTLB alone without --dtlb",
     .excludes = "machine contiguous to=curve"},
    {"page-size", FLAG_POWER, &page_bytes, "SIZE",
     "pages of this size (default: the machine's; 4K)", .needs = "machine dtlb itlb to=curve"},
    {"page-ranges", FLAG_TEXT, &page_ranges, "RANGES",
     "other pages here: BEGIN-END[:SIZE],… (default SIZE: 2M)",
     .needs = "machine dtlb itlb to=curve"},
    {"contiguous", FLAG_YES, &contiguous, NULL, "frames are contiguous: entries coalesce",
     .needs = "machine"},
    {"nested", FLAG_POWER, &host_page_bytes, "SIZE", "in a guest of a host with such pages",
     .needs = "machine dtlb itlb", .excludes = "to=walk-reads", .min = 4096},
    {"level", FLAG_COUNT, &level, "N", "write misses of level N and beyond (default: the last)",
     .needs = "machine dtlb itlb"},
    {"to", FLAG_WORD, &to, "FORM", "what is written (binary): --help to"},
    {"shards", FLAG_COUNT, &shards, "PAGES", "approximate, follows at most PAGES pages",
     .needs = "to=curve", .excludes = "ways"},
    {"ways", FLAG_COUNT, &ways, "N", "of TLBs with N ways and 1 to 65536 sets", .needs = "to=curve",
     .max = 1024},
    {"ring", FLAG_COUNT, &ring, "FD", "read from the running program that started this (tlbcc(1))",
     .excludes = "TRACE"},
    {"seed", FLAG_COUNT, &seed, "N", "seed of random replacement (default 1)"},
    {0}};

static const struct topic topics[] = {
    {"to", "To", CHOICE_OF(outputs), NULL, "what is written"},
    {"machines", "Machines", {0}, model_print_names, "processors that come with tlblab"},
    {0}};

static const struct program program = {
    .name = "tlbsim",
    .purpose = "run a trace of memory accesses through the TLBs of a machine",
    .operands = "[TRACE]",
    .example = "tlbsim --machine zen4 bfs.trace | misses --by object",
    .flags = flags,
    .writes_table = true,
    .topics = topics,
};

static const struct output *chosen(void)
{
    return to.chosen;
}

/* Whether there are TLBs to run through. */
static bool has_tlbs(void)
{
    return machine != NULL || dtlb != NULL || itlb != NULL;
}

/* Whether only fetches are looked up. */
static bool code_alone(void)
{
    return itlb != NULL && dtlb == NULL;
}

static struct pages read_pages(uint64_t base)
{
    struct pages pages;
    const char *why;
    pages_open(&pages, page_bytes > 0 ? page_bytes : base);
    if (page_ranges != NULL && !pages_parse(&pages, page_ranges, &why))
        die_usage("--page-ranges: %s", why);
    return pages;
}

/* ---- a trace as it is ---- */

/* More than any walk needs: 17 tables in a guest of a host with 12. */
enum { REFERENCES_MAX = 256 };

/* The destination of records: a binary trace, or lines of text. */
struct sink {
    struct trace *source;
    struct trace_writer *writer; /* NULL: text */
    text_write *put;
    uint64_t written;
    bool real;            /* the pages are those that the trace notes */
    unsigned level_least; /* of misses */
    uint64_t references[REFERENCES_MAX];
    struct walk_reads *reads; /* NULL: caches play no part */
    struct pages *pages;      /* with `reads` */
};

static void put_record(struct sink *sink, const struct record *r)
{
    if (sink->put != NULL)
        sink->put(r, ++sink->written);
    else
        trace_put(sink->writer, r);
    if (max_bytes > 0 && sink->writer != NULL && trace_bytes(sink->writer) >= max_bytes) {
        trace_stop(sink->source, "--max-bytes");
        max_bytes = 0;
    }
}

/* Mappings have no place in a text. */
static void put_maps(struct sink *sink, const struct record *r)
{
    if (sink->writer != NULL)
        trace_put_maps(sink->writer, r->process, r->time_ns, trace_maps(sink->source));
}

static void open_sink(struct sink *sink, const char *record)
{
    sink->put = chosen()->put;
    if (sink->put == NULL && platform_is_terminal(stdout))
        die("a trace is binary: write it to a file, or use --to table");
    if (sink->put == NULL) {
        sink->writer = trace_create(stdout);
        trace_begin(sink->writer, sink->source);
        if (trace_meta(sink->source, "record") == NULL || strcmp(record, "misses") == 0)
            trace_put_meta(sink->writer, "record", "%s", record);
    } else if (sink->put == text_put_table) {
        trace_copy_meta(sink->source);
        if (trace_meta(sink->source, "record") == NULL || strcmp(record, "misses") == 0)
            table_put_meta("record", "%s", record);
    }
}

static void put_head(const struct sink *sink, const char *key, const char *value)
{
    if (sink->writer != NULL)
        trace_put_meta(sink->writer, key, "%s", value);
    else if (sink->put == text_put_table)
        table_put_meta(key, "%s", value);
}

static void end_head(const struct sink *sink)
{
    if (sink->writer == NULL && sink->put == text_put_table)
        text_table_put_header();
}

static void close_sink(struct sink *sink)
{
    if (sink->writer != NULL)
        trace_finish(sink->writer);
}

/* Records that do not go through TLBs, but for TOTAL. */
static void pass(struct sink *sink, const struct record *r)
{
    if (r->op == TRACE_MAPS)
        put_maps(sink, r);
    else if (r->op != TRACE_PAUSE)
        put_record(sink, r);
    else if (sink->writer != NULL)
        trace_flush(sink->writer);
}

static void convert(struct sink *sink)
{
    const struct record *r;
    open_sink(sink, "accesses");
    end_head(sink);
    if (sink->writer != NULL)
        trace_keep_orders(sink->source);
    while ((r = trace_next(sink->source)) != NULL)
        pass(sink, r);
    close_sink(sink);
}

/* ---- misses ---- */

/* The next record that the TLBs see: of the accesses an iTLB sees only fetches. */
static const struct record *next_seen(const struct sink *sink)
{
    const struct record *r;
    do
        r = trace_next(sink->source);
    while (code_alone() && r != NULL && record_is_access(r) && r->op != TRACE_EXECUTE);
    return r;
}

static void put_missed(void *context, const struct missed *missed)
{
    struct sink *sink = context;
    struct record record = *missed->access;
    if (sink->level_least == 0 ? !missed->walked : (unsigned)missed->levels < sink->level_least)
        return;
    record.address = missed->address;
    record.bytes = missed->bytes;
    record.level = (uint8_t)missed->levels;
    put_record(sink, &record);
}

static void open_misses(struct sink *sink, const struct model *model, const struct tlb_plan *plan)
{
    char number[64];
    open_sink(sink, "misses");
    put_head(sink, "machine", model->name);
    snprintf(number, sizeof number, "%016" PRIx64, threads_machine_sum(plan));
    put_head(sink, "machine_sum", number);
    snprintf(number, sizeof number, "%d", plan->data[0].levels);
    put_head(sink, "levels", number);
    snprintf(number, sizeof number, "%" PRIu64, level > 0 ? level : (uint64_t)plan->data[0].levels);
    put_head(sink, "level", number);
    snprintf(number, sizeof number, "%" PRIu64, page_bytes > 0 ? page_bytes : model->page_bytes);
    put_head(sink, "page_bytes", number);
    if (page_ranges != NULL)
        put_head(sink, "huge", page_ranges);
    end_head(sink);
}

/* The number of all accesses of each thread, which the misses do not show. */
static void put_totals(struct sink *sink, const struct threads *threads)
{
    for (size_t i = 0; i < threads->by_thread.count; i++) {
        struct record r = {.op = TRACE_TOTAL,
                           .sequence = threads_at(threads, i)->accesses,
                           .process = threads->by_thread.at[i].process,
                           .thread = threads->by_thread.at[i].thread};
        if (sink->put == NULL || sink->put == text_put_table)
            put_record(sink, &r);
    }
}

/* Of a program that runs and simulates its first level itself. */
static void warn_of_huge(const struct record *r)
{
    static bool warned;
    if (ring > 0 && page_bytes == 0 && r->bytes > 0 && !warned)
        warn("the program has huge pages, which pass for small ones when it records only misses: "
             "record accesses, or say TLBLAB_PAGES");
    warned = warned || r->bytes > 0;
}

static void write_misses(struct sink *sink, struct threads *threads)
{
    const struct record *r;
    while ((r = next_seen(sink)) != NULL)
        if (record_is_access(r) || r->op == TRACE_TOTAL)
            threads_run(threads, r, put_missed, sink);
        else if (r->op != TRACE_PAGES) {
            threads_run(threads, r, put_missed, sink);
            pass(sink, r);
        } else if (sink->real) {
            pages_take(threads->pages, r);
            pass(sink, r);
        } else
            warn_of_huge(r);
    put_totals(sink, threads);
    close_sink(sink);
}

/* ---- tables ---- */

static unsigned page_shift(const struct sink *sink, uint64_t address)
{
    return sink->pages->shift[pages_kind(sink->pages, address)];
}

static void count_walk(void *context, const struct missed *missed)
{
    struct sink *sink = context;
    if (!missed->walked)
        return;
    sink->references[missed->references]++;
    if (sink->reads != NULL)
        walk_reads_walk(sink->reads, missed->access->process, missed->address,
                        page_shift(sink, missed->address), missed->references);
}

static void write_summary(const struct threads *threads, int levels)
{
    table_put_header("process\tthread\taccesses\tlevel\tvisits\tmisses\tmiss_ratio");
    for (size_t i = 0; i < threads->by_thread.count; i++) {
        const struct thread_tlb *t = threads_at(threads, i);
        const struct tlb_count *count = code_alone() ? &t->tlb.code : &t->tlb.data;
        for (int k = 0; k < levels; k++) {
            double misses = (double)count->missed[k];
            put_count(threads->by_thread.at[i].process, '\t');
            put_count(threads->by_thread.at[i].thread, '\t');
            put_count(t->accesses, '\t');
            put_count((uint64_t)k + 1, '\t');
            put_count(k > 0 ? count->missed[k - 1] : count->visits, '\t');
            put_number(misses, '\t');
            put_number(t->accesses > 0 ? misses / (double)t->accesses : 0, '\n');
        }
    }
}

static void write_tables(struct sink *sink, struct threads *threads)
{
    const struct record *r;
    while ((r = next_seen(sink)) != NULL) {
        if (r->op == TRACE_PAGES && sink->real)
            pages_take(threads->pages, r);
        threads_run(threads, r, count_walk, sink);
        if (sink->reads != NULL && record_is_access(r))
            walk_reads_access(sink->reads, r->process, r->address, page_shift(sink, r->address));
    }
    trace_copy_meta(sink->source);
    if (chosen()->kind == SUMMARY)
        write_summary(threads, threads->plan->data[0].levels);
    else if (sink->reads != NULL)
        walk_reads_write(sink->reads);
    else {
        table_put_header("references\twalks");
        for (unsigned k = 0; k < REFERENCES_MAX; k++)
            if (sink->references[k] > 0)
                put_formatted("%u\t%" PRIu64 "\n", k, sink->references[k]);
    }
}

/* A running program that is traced may do the first levels itself. */
static void share_work(struct sink *sink, struct tlb_plan *plan, const struct pages *pages)
{
    struct tlb_chain *chains[] = {&plan->data[0], &plan->data[1], &plan->code[0], &plan->code[1]};
    bool fetched = trace_meta(sink->source, "fetches") != NULL;
    struct ring_level1 level1[RING_CHAINS] = {{0}};
    for (unsigned i = 0; i < (fetched ? RING_CHAINS : RING_CODE_CHAIN); i++) {
        const struct assoc_shape *first = &plan->shape[chains[i]->array[0]];
        unsigned shared = i - i % 2; /* data with data, code with code */
        if (chains[i]->levels > 0)
            level1[i] = (struct ring_level1){
                (uint32_t)first->entries, (uint32_t)(first->entries / first->ways),
                chains[i]->shift[0], chains[i]->array[0] == chains[shared]->array[0] ? shared : i};
    }
    if (!tlb_level1_alone(plan, pages, fetched) || !trace_ask_level1(sink->source, level1))
        return;
    for (int i = 0; i < RING_CHAINS; i++)
        chains[i]->done = chains[i]->levels > 0;
}

/* Whether the trace says which pages were huge, nobody else does, and the machine has TLBs for
 * them: without these a huge page is cut into small ones. A program that tlbcc has compiled does a
 * level itself as it runs, for which all pages have one size. */
static bool has_real_pages(const struct sink *sink, const struct model *model)
{
    const struct model_level *levels[MODEL_LEVELS];
    const char *noted = trace_meta(sink->source, "huge_pages");
    return noted != NULL && strcmp(noted, "noted") == 0 && page_ranges == NULL && page_bytes == 0 &&
           (ring == 0 || trace_meta(sink->source, "fetches") != NULL) &&
           model->page_bytes < HUGE_BYTES && model_levels(&model->dtlb, HUGE_BYTES, levels) > 0;
}

static void write_walk_reads(struct sink *sink, struct threads *threads, const struct model *model)
{
    static struct walk_reads all;
    walk_reads_open(&all, model, threads->plan->table_bits);
    sink->reads = &all;
    sink->pages = threads->pages;
    write_tables(sink, threads);
    sink->reads = NULL;
    sink->pages = NULL;
    walk_reads_close(&all);
}

static void simulate(struct sink *sink)
{
    struct model model;
    struct threads threads;
    if (itlb != NULL)
        trace_need_fetches(sink->source);
    if (machine != NULL)
        model_read(&model, model_find(machine));
    else
        model = level_list(dtlb, itlb);
    struct pages pages = read_pages(model.page_bytes);
    sink->real = has_real_pages(sink, &model);
    if (sink->real)
        pages_add(&pages, HUGE_BYTES);
    struct tlb_plan plan = tlb_plan(&model, &pages, contiguous, host_page_bytes);
    if (level > (uint64_t)plan.data[0].levels)
        die("--level: the machine has %d", plan.data[0].levels);
    sink->level_least = (unsigned)level;
    threads_check(sink->source, &plan, &pages);
    share_work(sink, &plan, &pages);
    threads_open(&threads, &plan, &pages, seed);
    if (chosen()->kind == WALK_READS)
        write_walk_reads(sink, &threads, &model);
    else if (chosen()->kind != RECORDS)
        write_tables(sink, &threads);
    else {
        open_misses(sink, &model, &plan);
        write_misses(sink, &threads);
    }
    threads_close(&threads);
    pages_close(&pages);
}

static void write_curve(const struct sink *sink)
{
    const struct record *r;
    const char *recorded = trace_meta(sink->source, "record");
    struct pages pages = read_pages(4096);
    struct all_sizes *c = all_sizes_open(&pages, shards, ways);
    uint64_t filter = size_or(trace_meta(sink->source, "filter_bytes"), 0);
    if (recorded != NULL && strcmp(recorded, "accesses") != 0)
        die("%s: the trace has only the misses of a TLB: a curve needs all accesses",
            trace_name(sink->source));
    for (int kind = 0; kind < pages.kinds; kind++)
        if (filter > (uint64_t)1 << pages.shift[kind])
            die("%s: the trace only distinguishes blocks of %" PRIu64
                " bytes, larger than the pages",
                trace_name(sink->source), filter);
    uint64_t recent = size_or(trace_meta(sink->source, "filter_pages"), 1);
    if (ways > 0 && ways < recent)
        die("%s: the trace leaves out accesses to the last %" PRIu64
            " pages: --ways must be at least that many (or trace again with TLBLAB_FILTER=1)",
            trace_name(sink->source), recent);
    all_sizes_begin_at(c, recent);
    while ((r = trace_next(sink->source)) != NULL)
        if (r->op != TRACE_EXECUTE) /* TLBs of code are others, and some traces lack fetches */
            all_sizes_run(c, r);
    trace_copy_meta(sink->source);
    table_put_header(ALL_SIZES_COLUMNS);
    all_sizes_write(c);
    all_sizes_close(c);
    pages_close(&pages);
}

/* TLBLAB_MAX_BYTES and TLBLAB_MAX_SECONDS, of the program that runs. */
static void bound_trace(struct trace *trace)
{
    const char *bytes = getenv("TLBLAB_MAX_BYTES"), *seconds = getenv("TLBLAB_MAX_SECONDS");
    double most = 0;
    if (bytes != NULL && !parse_size(bytes, &max_bytes))
        die("TLBLAB_MAX_BYTES: '%s' is not a size", bytes);
    if (seconds != NULL && (!parse_number(seconds, strlen(seconds), &most) || most <= 0))
        die("TLBLAB_MAX_SECONDS: '%s' is not a time", seconds);
    if (seconds != NULL)
        trace_stop_after(trace, most);
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    struct sink sink = {0};
    if (chosen()->kind != RECORDS && chosen()->kind != CURVE && !has_tlbs())
        die_usage("--to %s needs --machine, --dtlb or --itlb", chosen()->name);
    sink.source = ring > 0 ? trace_open_ring((int)ring)
                           : trace_open(first < argc ? argv[first] : "-");
    if (ring > 0)
        bound_trace(sink.source);
    if (chosen()->kind == CURVE)
        write_curve(&sink);
    else if (has_tlbs())
        simulate(&sink);
    else
        convert(&sink);
    int status = finish(trace_partial(sink.source));
    trace_close(sink.source); /* a traced program then knows that its trace is written */
    return status;
}
