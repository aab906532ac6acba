/* frames: where the pages of a running process lie in physical memory.
 *
 * usage: frames [OPTION...] PID
 * Writes its page table, a row for each run of pages on neighbouring frames; or how many entries of
 * a TLB these pages need, if an entry holds several of them.
 *
 * example: frames --entries $(pidof redis-server)
 */
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include "platform.h"
#include "table/table.h"
#include "trace/tlbs/frame_groups.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool entries;

static const struct flag flags[] = {
    {"entries", FLAG_YES, &entries, NULL,
     "write how many entries of a TLB the pages need, if one holds several"},
    {0}};

static const struct program program = {
    .name = "frames",
    .purpose = "write where the pages of a process lie in physical memory",
    .operands = "PID",
    .example = "frames --entries $(pidof redis-server)",
    .flags = flags,
    .writes_table = true,
};

static void begin_table(uint32_t process, const char *header)
{
    table_put_meta("process", "%" PRIu32, process);
    table_put_meta("page_bytes", "%" PRIu64, (uint64_t)platform_page_bytes());
    table_put_header(header);
}

static const char runs_header[] = "address\tphysical\tbytes\tmapping";

/* Pages of one mapping on neighbouring frames. */
struct run {
    uint32_t process;
    char mapping[4096];
    uint64_t page_bytes, address, frame, pages;
};

static void put_run(const struct run *run)
{
    if (run->pages == 0)
        return;
    put_formatted("0x%" PRIx64 "\t0x%" PRIx64 "\t", run->address, run->frame * run->page_bytes);
    put_count(run->pages * run->page_bytes, '\t');
    put_text(*run->mapping != '\0' ? run->mapping : "-", '\n');
}

static void take_run(void *context, const char *mapping, uint64_t address, uint64_t frame)
{
    struct run *run = context;
    if (run->pages > 0 && address == run->address + run->pages * run->page_bytes &&
        frame == run->frame + run->pages && strcmp(mapping, run->mapping) == 0) {
        run->pages++;
        return;
    }
    if (run->pages == 0) /* the first page: it is certain that there is a table */
        begin_table(run->process, runs_header);
    put_run(run);
    run->address = address;
    run->frame = frame;
    run->pages = 1;
    snprintf(run->mapping, sizeof run->mapping, "%s", mapping);
}

static void take_page(void *context, const char *mapping, uint64_t address, uint64_t frame)
{
    (void)mapping;
    frame_groups_add(context, address / platform_page_bytes(), frame);
}

static void check(struct platform_outcome outcome)
{
    if (outcome.verdict != PLATFORM_YES)
        die("%s", outcome.why);
}

static int write_runs(uint32_t process)
{
    static struct run run;
    run.process = process;
    run.page_bytes = platform_page_bytes();
    check(platform_frames(process, take_run, &run));
    if (run.pages == 0)
        begin_table(process, runs_header);
    put_run(&run);
    return run.pages > 0 ? STATUS_DONE : STATUS_PARTIAL;
}

static int write_entries(uint32_t process)
{
    struct frame_groups groups = {0};
    check(platform_frames(process, take_page, &groups));
    double all = (double)groups.entries[0];
    begin_table(process, "pages_per_entry\tentries\tsaved_percent");
    for (unsigned k = 0; k < FRAME_GROUPS && all > 0; k++) {
        put_count((uint64_t)1 << k, '\t');
        put_count(groups.entries[k], '\t');
        put_number(rounded(100 - 100 * (double)groups.entries[k] / all, 100), '\n');
    }
    return all > 0 ? STATUS_DONE : STATUS_PARTIAL;
}

static uint32_t process_of(const char *text)
{
    double number;
    if (!parse_number(text, strlen(text), &number) || number < 1 || number > INT32_MAX ||
        floor(number) < number)
        die_usage("'%s' is not the number of a process", text);
    return (uint32_t)number;
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    if (argc - first != 1)
        die_usage(first == argc ? "which process?" : "one process at a time");
    uint32_t process = process_of(argv[first]);
    int status = entries ? write_entries(process) : write_runs(process);
    if (status != STATUS_DONE)
        warn("no page of process %" PRIu32 " is in memory", process);
    return finish(status);
}
