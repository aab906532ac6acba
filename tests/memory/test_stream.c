/* test_stream.c: what the streaming kernels compute, that they go through all of their arrays and
 * nothing else, and what their bytes are. No time is judged.
 *
 *     bin/.obj/plain/tests/memory/test_stream
 */
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#include "base/choice.h"
#include "base/error.h"
#include "memory/streams/streams.h"
#include "platform.h"
#include "tap.h"
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCKS = 75, ROOM = (BLOCKS + 2) * STREAM_BLOCK };

static const struct stream_op *op_of(const char *name)
{
    const struct stream_op *op = choice_find(&(struct choice)CHOICE_OF(stream_ops), name,
                                             strlen(name));
    CU_ASSERT_PTR_NOT_NULL_FATAL(op);
    return op;
}

/* ---- what they compute ---- */

/* Three arrays between blocks that must not be touched. */
static _Alignas(64) double a[ROOM], b[ROOM], c[ROOM];

static void fill(void)
{
    for (int i = 0; i < ROOM; i++) {
        a[i] = -1;
        b[i] = i;
        c[i] = 1000 + 2 * i;
    }
}

static double expected(enum stream_loop loop, int i)
{
    switch (loop) {
    case STREAM_WRITE:
        return stream_fill;
    case STREAM_COPY:
        return i;
    case STREAM_SCALE:
        return stream_scalar * i;
    case STREAM_ADD:
        return i + 1000 + 2 * i;
    case STREAM_TRIAD:
        return i + stream_scalar * (1000 + 2 * i);
    default:
        return -1;
    }
}

/* Wrong elements after two passes over `blocks` blocks. */
static int wrong(const struct stream_kernel *kernel, enum stream_loop loop, size_t blocks)
{
    int first = STREAM_BLOCK, behind = first + (int)blocks * STREAM_BLOCK, bad = 0;
    struct stream_work work = {.loop = loop,
                               .a = a + first,
                               .b = b + first,
                               .c = c + first,
                               .count = blocks * STREAM_BLOCK,
                               .passes = 2,
                               .spacing = 3};
    fill();
    kernel->run(&work);
    for (int i = 0; i < ROOM; i++) {
        double right = i >= first && i < behind ? expected(loop, i) : -1;
        bad += a[i] != right || b[i] != i || c[i] != 1000 + 2 * i;
    }
    return bad;
}

TEST(kernels_compute_what_they_should)
{
    const struct stream_kernel *kernel;
    int tried = 0;
    for (size_t k = 0; (kernel = stream_kernel(k)) != NULL; k++) {
        if (kernel->unavailable != NULL && kernel->unavailable() != NULL)
            continue;
        for (unsigned loop = 0; loop < STREAM_LOOPS; loop++)
            for (size_t blocks = 1; kernel->loops >> loop & 1 && blocks <= BLOCKS; blocks++) {
                int bad = wrong(kernel, (enum stream_loop)loop, blocks);
                tried++;
                CU_ASSERT_EQUAL(bad, 0);
                if (bad > 0)
                    fprintf(stderr, "# %s, loop %u, %zu blocks: %d wrong\n", kernel->name, loop,
                            blocks, bad);
            }
    }
    CU_ASSERT(tried > BLOCKS * STREAM_LOOPS);
}

/* ---- what they read ---- */

enum { TRIPPED = 3 };

static void trip(int number)
{
    (void)number;
    _exit(TRIPPED);
}

/* Runs a reading kernel in a child; true when it came to a page without access. */
static bool trips(const struct stream_kernel *kernel, const struct stream_work *work)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, trip);
        signal(SIGBUS, trip);
        kernel->run(work);
        _exit(0);
    }
    CU_ASSERT_FATAL(child > 0 && waitpid(child, &status, 0) == child);
    CU_ASSERT(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == TRIPPED));
    return WEXITSTATUS(status) == TRIPPED;
}

enum { PAGES = 5 };
static char *pages;
static size_t page;

/* Protects one page after another: all of them except the last, beyond the array, are read. */
static void check_pages(const struct stream_kernel *kernel, struct stream_work work)
{
    for (size_t i = 0; i < PAGES; i++) {
        CU_ASSERT_FATAL(mprotect(pages + i * page, page, PROT_NONE) == 0);
        bool skipped = work.loop == STREAM_SPACED && i % 2 == 1;
        CU_ASSERT_EQUAL(trips(kernel, &work), i < PAGES - 1 && !skipped);
        CU_ASSERT_FATAL(mprotect(pages + i * page, page, PROT_READ | PROT_WRITE) == 0);
    }
}

TEST(reads_reach_every_page_and_none_beyond)
{
    const struct stream_kernel *kernel;
    int readers = 0;
    page = platform_page_bytes();
    pages = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CU_ASSERT_FATAL(pages != MAP_FAILED);
    struct stream_work work = {.a = (double *)(void *)pages,
                               .count = (PAGES - 1) * page / sizeof(double),
                               .passes = 1,
                               .spacing = 2 * page / sizeof(double)};
    for (size_t k = 0; (kernel = stream_kernel(k)) != NULL; k++)
        for (int spaced = 0; spaced < 2; spaced++) {
            if (stream_unfit(kernel, op_of("read"), spaced) != NULL)
                continue;
            work.loop = spaced ? STREAM_SPACED : STREAM_READ;
            check_pages(kernel, work);
            readers++;
        }
    CU_ASSERT(readers >= 2);
    munmap(pages, PAGES * page);
}

/* ---- tables ---- */

TEST(tables_agree_with_themselves)
{
    const struct stream_kernel *kernel;
    for (size_t k = 0; (kernel = stream_kernel(k)) != NULL; k++) {
        CU_ASSERT_PTR_EQUAL(stream_kernel_find(kernel->name), kernel);
        CU_ASSERT(kernel->loops > 0 && kernel->loops < 1U << STREAM_LOOPS);
    }
    CU_ASSERT_PTR_NULL(stream_kernel_find("none"));
    for (const struct stream_op *op = stream_ops; op->name != NULL; op++) {
        CU_ASSERT_PTR_EQUAL(op_of(op->name), op);
        CU_ASSERT_EQUAL(op->arrays, op->loop <= STREAM_WRITE ? 1 : op->reads + op->writes);
        CU_ASSERT_EQUAL(stream_bytes(op), 8 * op->arrays);
        CU_ASSERT_EQUAL(op->past_only, strstr(op->name, "_nt") != NULL);
    }
    kernel = stream_kernel_find("libc");
    CU_ASSERT_PTR_NULL(stream_unfit(kernel, op_of("copy"), false));
    CU_ASSERT_PTR_NOT_NULL(stream_unfit(kernel, op_of("triad"), false));
    CU_ASSERT_PTR_NOT_NULL(stream_unfit(kernel, op_of("copy_nt"), false));
    CU_ASSERT_PTR_NOT_NULL(stream_unfit(kernel, op_of("read"), true));
    CU_ASSERT_PTR_NULL(stream_unfit(stream_kernel_find("c"), op_of("read"), true));
}

/* ---- rates ---- */

TEST(sizes_are_whole_lines_for_each_thread_and_array)
{
    struct rate rate = rate_of(op_of("triad"), 4096, 0, 0, 1);
    rate.kernel = stream_kernel_find("c");
    CU_ASSERT_EQUAL(rate.part, 1344); /* 21 lines */
    CU_ASSERT_EQUAL(rate_bytes(&rate), 4032);
    CU_ASSERT(rate_memory(&rate) >= 4032);
    CU_ASSERT_EQUAL(rate_moved(&rate), 4032);
    rate = rate_of(op_of("read"), 65536, 512, 1, 2);
    rate.kernel = stream_kernel_find("c");
    CU_ASSERT_EQUAL(rate_bytes(&rate), 65536);
    CU_ASSERT_EQUAL(rate_moved(&rate), 65536 / 512 * 8);
    CU_ASSERT_EQUAL(rate_of(op_of("read"), 100, 0, 0, 2).part, 0);
    CU_ASSERT_EQUAL(rate_of(op_of("copy"), UINT64_MAX, 0, 0, 1).part % 64, 0);
}

/* Has to come first: a thread that is pinned has one core. */
TEST(cores_are_there_once_each)
{
    char why[PLATFORM_WHY_ROOM];
    int cpus[1024], one[1] = {-1};
    size_t cores = platform_cores(cpus, 1024);
    if (!platform_can_measure(why)) {
        CU_ASSERT_EQUAL(cores, 0);
        CU_ASSERT_EQUAL(platform_pin_to(0).verdict, PLATFORM_NO);
        return;
    }
    CU_ASSERT_FATAL(cores >= 1 && cores <= 1024);
    for (size_t i = 0; i < cores; i++)
        for (size_t k = 0; k < i; k++)
            CU_ASSERT_NOT_EQUAL(cpus[i], cpus[k]);
    CU_ASSERT_EQUAL(platform_cores(one, 1), cores);
    CU_ASSERT(one[0] >= 0);
    struct platform_outcome pinned = platform_pin_to(cpus[cores - 1]);
    CU_ASSERT(pinned.verdict != PLATFORM_NO);
    if (pinned.verdict == PLATFORM_YES) {
        CU_ASSERT_EQUAL(platform_cores(one, 1), 1);
        CU_ASSERT_EQUAL(one[0], cpus[cores - 1]);
    }
}

/* Two threads on one core will do: nothing here depends on their speed. */
static struct team *open_team(size_t count, size_t without, uint64_t bytes)
{
    static int cpus[4];
    size_t cores = platform_cores(cpus, 4);
    for (size_t i = cores; i < 4; i++)
        cpus[i] = cpus[0];
    struct team *team = team_open(
        &(struct team_options){.cpus = cpus, .count = count, .without = without, .bytes = bytes});
    team_reach(team, bytes);
    return team;
}

struct tally {
    struct team *team;
    int calls[4];
    bool ones[4];
};

static void count_calls(void *context, size_t member)
{
    struct tally *tally = context;
    tally->calls[member]++;
    if (member == 0)
        return;
    double *own = (double *)(void *)team_memory(tally->team, member);
    tally->ones[member] = own[0] == 1 && own[511] == 1;
    own[0] = own[511] = (double)member;
}

TEST(a_team_works_together_each_in_its_own_memory)
{
    char why[PLATFORM_WHY_ROOM];
    if (!platform_can_measure(why))
        return;
    struct tally tally = {.team = open_team(3, 1, 4096)};
    CU_ASSERT_EQUAL(team_count(tally.team), 3);
    for (int i = 0; i < 100; i++)
        CU_ASSERT(team_run(tally.team, count_calls, &tally) >= 0);
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(tally.calls[i], 100);
    CU_ASSERT_EQUAL(tally.calls[3], 0);
    for (int i = 1; i < 3; i++)
        CU_ASSERT(*(double *)(void *)team_memory(tally.team, (size_t)i) == i);
    team_close(tally.team);
    tally = (struct tally){.team = open_team(3, 1, 4096)};
    team_run(tally.team, count_calls, &tally);
    CU_ASSERT(tally.ones[1] && tally.ones[2]);
    team_close(tally.team);
}

TEST(a_kernel_is_chosen_that_fits)
{
    char why[PLATFORM_WHY_ROOM];
    static const char *const names[] = {"read", "write_nt", "triad"};
    if (!platform_can_measure(why))
        return;
    struct team *team = open_team(2, 0, 1 << 20);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct rate rate = rate_of(op_of(names[i]), 65536, 0, 0, 2);
        if (!stream_is_possible(rate.op, false)) /* some processors have no such stores */
            continue;
        rate_choose(&rate, team);
        CU_ASSERT_PTR_NOT_NULL_FATAL(rate.kernel);
        CU_ASSERT(rate.op->past_only ? rate.kernel->past : true);
        CU_ASSERT(rate_passes(&rate, team, 100000) >= 1);
        CU_ASSERT(rate_time(&rate, team, 1) > 0);
        uint64_t at = 0;
        double bytes = rate_block(&rate, team, 1, &at);
        CU_ASSERT_EQUAL(bytes, 16384.0 / 8 * stream_bytes(rate.op) *
                                   (rate.part < 16384 ? (double)rate.part / 16384 : 1));
        CU_ASSERT_EQUAL(at, rate.part > 16384 ? 16384 : 0);
    }
    team_close(team);
}

/* ---- the table ---- */

static const char *peak; /* of the memory, as a claim */

static void put_row(void)
{
    struct rates rates = {.facts = allocate(1, sizeof *rates.facts)};
    struct rate_row row = {.op = "read", .gb_per_s = 38.4, .ns = NAN};
    facts_add(rates.facts, "memory_peak_gb_per_s", peak, "GB/s", "s");
    rates_put(&rates, &row);
    facts_free(rates.facts);
}

/* The last field of a row, without its newline. */
static const char *last_field(char *text)
{
    text[strcspn(text, "\n")] = '\0';
    const char *tab = strrchr(text, '\t');
    return tab != NULL ? tab + 1 : "";
}

TEST(a_rate_has_its_share_of_a_known_peak)
{
    char text[512];
    peak = "76.8";
    CU_ASSERT_EQUAL(tap_fork(put_row, "", text, sizeof text), 0);
    CU_ASSERT_STRING_EQUAL(last_field(text), "50");
    peak = "unknown"; /* the column is left out, and `huge` is the last */
    CU_ASSERT_EQUAL(tap_fork(put_row, "", text, sizeof text), 0);
    CU_ASSERT_STRING_EQUAL(last_field(text), "-");
}
