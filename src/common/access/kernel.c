/* kernel.c: the hot loops.
 *
 * The loads go through a volatile pointer: the compiler may neither drop nor merge them, and adds
 * nothing to them. The results are not volatile. tests/common/access/disassembly.t checks the
 * object. */
#include "access/kernel.h"
#include "access/probe.h"
#include "platform.h"
#include "ticks.h"

enum { UNROLLED = 64 };

#define TIMES_8(what) what what what what what what what what

/* Rounds of a loop that makes `each` accesses a round, for at least `loads` accesses. */
static uint64_t rounds_of(uint64_t loads, uint64_t each)
{
    uint64_t rounds = loads / each + (loads % each > 0);
    return rounds > 0 ? rounds : 1;
}

/* ---- one chain ---- */

#define FOLLOW node = *(void *volatile *)node;

/* Dependent loads: the address of each is the value of the one before, so time per load is latency.
 */
static __attribute__((noinline)) uint64_t chase_read(const struct kernel_work *work, uint64_t *end)
{
    void *node = work->start[0];
    uint64_t rounds = rounds_of(work->loads, UNROLLED);
    for (uint64_t round = rounds; round > 0; round--) {
        TIMES_8(TIMES_8(FOLLOW))
    }
    end[0] = (uint64_t)(uintptr_t)node;
    return rounds * UNROLLED;
}

/* The same, and reads the time stamp counter around each run. */
static __attribute__((noinline)) struct kernel_runs time_reads(const struct kernel_work *work,
                                                               uint64_t loads, uint64_t runs)
{
    struct kernel_runs time = {.fastest = UINT64_MAX};
    void *node = work->start[0];
    for (uint64_t run = runs; run > 0; run--) {
        uint64_t ticks = ticks_now(), left = loads;
        for (; left >= 8; left -= 8) {
            TIMES_8(FOLLOW)
        }
        for (; left > 0; left--)
            FOLLOW
        ticks = ticks_now() - ticks;
        time.fastest = ticks < time.fastest ? ticks : time.fastest;
        time.all += ticks;
    }
    time.end = node;
    return time;
}

#define STORE_FOLLOW                                                                               \
    ((void *volatile *)node)[1] = node, /* one statement, since the loop contains 64 of them */    \
        FOLLOW

/* A store to the node, then the load of the next address from the same line. The store may wait in
 * the store buffer, but the load reads another word, so the buffer cannot forward it: the load
 * waits for the line. The next store waits for the load, which brings its address. */
static __attribute__((noinline)) uint64_t chase_write(const struct kernel_work *work, uint64_t *end)
{
    void *node = work->start[0];
    uint64_t rounds = rounds_of(work->loads, UNROLLED);
    for (uint64_t round = rounds; round > 0; round--) {
        TIMES_8(TIMES_8(STORE_FOLLOW))
    }
    end[0] = (uint64_t)(uintptr_t)node;
    return rounds * UNROLLED;
}

/* ---- several chains ---- */

/* EACH_k(what) is what(0) what(1) … what(k − 1). */
#define EACH_2(what)  what(0) what(1)
#define EACH_3(what)  EACH_2(what) what(2)
#define EACH_4(what)  EACH_3(what) what(3)
#define EACH_5(what)  EACH_4(what) what(4)
#define EACH_6(what)  EACH_5(what) what(5)
#define EACH_7(what)  EACH_6(what) what(6)
#define EACH_8(what)  EACH_7(what) what(7)
#define EACH_9(what)  EACH_8(what) what(8)
#define EACH_10(what) EACH_9(what) what(9)
#define EACH_11(what) EACH_10(what) what(10)
#define EACH_12(what) EACH_11(what) what(11)
#define EACH_13(what) EACH_12(what) what(12)
#define EACH_14(what) EACH_13(what) what(13)
#define EACH_15(what) EACH_14(what) what(14)
#define EACH_16(what) EACH_15(what) what(15)

#define BEGIN(i) void *node##i = work->start[i];
#define STEP(i)  node##i = *(void *volatile *)node##i;
#define END(i)   end[i] = (uint64_t)(uintptr_t)node##i;

/* Loads of one chain depend on one another, loads of different chains do not: the processor keeps
 * as many outstanding as it can. The loop counter runs in their shadow, so the loop is not
 * unrolled. Each chain has a register; on x86-64 those beyond 13 go through the stack, which adds
 * a store and a load. */
#define CHASE(k)                                                                                   \
    static __attribute__((noinline))                                                               \
    uint64_t chase_read_##k(const struct kernel_work *work, uint64_t *end)                         \
    {                                                                                              \
        uint64_t rounds = rounds_of(work->loads, k);                                               \
        EACH_##k(BEGIN);                                                                           \
        for (uint64_t round = rounds; round > 0; round--) {                                        \
            EACH_##k(STEP);                                                                        \
        }                                                                                          \
        EACH_##k(END);                                                                             \
        return rounds * (k);                                                                       \
    }

CHASE(2)
CHASE(3)
CHASE(4)
CHASE(5)
CHASE(6)
CHASE(7)
CHASE(8)
CHASE(9)
CHASE(10)
CHASE(11)
CHASE(12)
CHASE(13)
CHASE(14)
CHASE(15)
CHASE(16)

static kernel_loop *const read_several[KERNEL_CHAINS - 1] = {
    chase_read_2,  chase_read_3,  chase_read_4,  chase_read_5,  chase_read_6,
    chase_read_7,  chase_read_8,  chase_read_9,  chase_read_10, chase_read_11,
    chase_read_12, chase_read_13, chase_read_14, chase_read_15, chase_read_16};

/* ---- random nodes ---- */

/* A linear congruential generator (multiplier of Knuth's MMIX, TAOCP vol. 2, 3.3.4) to which the
 * loaded value is added, which makes the loads depend on one another. The upper half of the state
 * draws a page, bits from LINE_BITS on a line of that page. */
#define DRAW_PAGE page = work->memory + ((state >> 32) * pages >> 32) * page_bytes;
#define DRAW_LINE                                                                                  \
    state = state * 6364136223846793005u + 1 +                                                     \
            *(volatile uint64_t *)(page + (state >> LINE_BITS & lines));

enum { LINE_BITS = 20 };

/* Random loads: a random page, then KERNEL_DRAWS random lines of it, so few loads miss the TLB.
 * Each line is drawn independently of those before: the hit rate of a cache is the share of the
 * lines that it holds, whatever its replacement. */
static __attribute__((noinline)) uint64_t draw_read(const struct kernel_work *work, uint64_t *end)
{
    uint64_t state = (uint64_t)(uintptr_t)work->start[0];
    uint64_t page_bytes = work->window * work->spacing, pages = work->pages / work->window;
    uint64_t lines = page_bytes - work->spacing, rounds = rounds_of(work->loads, KERNEL_DRAWS);
    for (uint64_t round = rounds; round > 0; round--) {
        const char *page;
        DRAW_PAGE TIMES_8(DRAW_LINE)
    }
    end[0] = state;
    return rounds * KERNEL_DRAWS;
}

/* ---- code, and the printed lab ---- */

/* Laps over the generated code, whose nodes jump from one to the next (code.c). */
static uint64_t chase_code(const struct kernel_work *work, uint64_t *end)
{
    uint64_t laps = rounds_of(work->loads, work->nodes);
    work->enter(laps);
    end[0] = (uint64_t)(uintptr_t)work->start[0];
    return laps * work->nodes;
}

/* The same, and reads the time stamp counter around each run. */
static __attribute__((noinline)) struct kernel_runs time_code(const struct kernel_work *work,
                                                              uint64_t loads, uint64_t runs)
{
    struct kernel_runs time = {.fastest = UINT64_MAX, .end = work->start[0]};
    void (*enter)(uint64_t) = work->enter;
    uint64_t laps = loads / work->nodes;
    for (uint64_t run = runs; run > 0; run--) {
        uint64_t ticks = ticks_now();
        enter(laps);
        ticks = ticks_now() - ticks;
        time.fastest = ticks < time.fastest ? ticks : time.fastest;
        time.all += ticks;
    }
    return time;
}

/* The number of rounds over the pages for which the number of references is nearly the same at
 * every number of pages (Montelius 2020, §1.2). */
static uint64_t lab_rounds(const struct kernel_work *work)
{
    return work->loads >= work->pages ? work->loads / work->pages : 1;
}

/* The printed lab's loop, `sum += memory[p * PAGESIZE]` (Montelius 2020, §2.1). */
static __attribute__((noinline)) uint64_t lab_linear(const struct kernel_work *work, uint64_t *end)
{
    uint64_t rounds = lab_rounds(work);
    uint64_t pages = work->pages, spacing = work->spacing;
    long sum = 0;
    for (uint64_t round = 0; round < rounds; round++)
        for (uint64_t page = 0; page < pages; page++)
            sum += *(const volatile char *)(work->memory + page * spacing);
    end[0] = (uint64_t)sum;
    return rounds * pages;
}

/* The lab's dummy operation, `sum++` (Montelius 2020, §1.2): the cost of the loops alone. The empty
 * asm statement, which claims to change sum, keeps -O2 from replacing the loop by its result. */
static __attribute__((noinline)) uint64_t lab_dummy(const struct kernel_work *work, uint64_t *end)
{
    uint64_t rounds = lab_rounds(work);
    uint64_t pages = work->pages;
    long sum = 0;
    for (uint64_t round = 0; round < rounds; round++)
        for (uint64_t page = 0; page < pages; page++) {
            sum++;
            __asm__ volatile("" : "+r"(sum));
        }
    end[0] = (uint64_t)sum;
    return rounds * pages;
}

/* ---- probes ---- */

#if defined(__x86_64__)
#define FLUSH_LINE(line) __asm__ volatile("clflush (%0)" : : "r"(line) : "memory")
#define FLUSH_WAIT()     __asm__ volatile("mfence" : : : "memory")
#define LOADS_WAIT()     __asm__ volatile("lfence" : : : "memory")
#elif defined(__aarch64__)
#define FLUSH_LINE(line) __asm__ volatile("dc civac, %0" : : "r"(line) : "memory")
#define FLUSH_WAIT()     __asm__ volatile("dsb ish" : : : "memory")
#define LOADS_WAIT()     FLUSH_WAIT()
#else
#define FLUSH_LINE(line) (void)(line)
#define FLUSH_WAIT()     (void)0
#define LOADS_WAIT()     (void)0
#endif

enum { FLUSH_BYTES = 64 };

/* Flushes all lines, then follows the chain once. One instruction loads all touches, since some
 * prefetchers watch the addresses of an instruction, and another one the probes (probe.h). The
 * cost of reading the clock is the minimum over pairs of readings with nothing in between. */
static __attribute__((noinline)) uint64_t time_probes(const struct kernel_work *work, uint64_t *end)
{
    uintptr_t node = (uintptr_t)work->start[0];
    uint64_t timed = 0, ns = 0, min = UINT64_MAX;
    for (uint64_t at = 0; at < work->bytes; at += FLUSH_BYTES)
        FLUSH_LINE(work->memory + at);
    FLUSH_WAIT();
    for (uint64_t i = 0; i < work->pages; i++) {
        uintptr_t link = *(volatile uintptr_t *)node;
        node = link & ~(uintptr_t)PROBE_TAGS;
        if ((link & PROBE_TAG) == 0)
            continue;
        LOADS_WAIT();
        uint64_t begin = platform_now_ns();
        uintptr_t next = *(volatile uintptr_t *)node;
        LOADS_WAIT();
        uint64_t took = platform_now_ns() - begin, counts = (link & PROBE_TIMED) != 0;
        uint64_t empty = platform_now_ns();
        LOADS_WAIT();
        empty = platform_now_ns() - empty;
        min = empty < min ? empty : min;
        ns += counts * took;
        timed += counts;
        node = next;
        i++;
    }
    end[0] = node;
    end[1] = ns > timed * min ? ns - timed * min : timed;
    end[2] = timed;
    return work->pages;
}

#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(__ILP32__)
#define PROBE_UNAVAILABLE NULL
#define CODE_UNAVAILABLE  NULL
#elif defined(__riscv) && __riscv_xlen == 64
#define PROBE_UNAVAILABLE "a program flushes lines on x86-64 and aarch64 only"
#define CODE_UNAVAILABLE  NULL
#else
#define PROBE_UNAVAILABLE "a program flushes lines on x86-64 and aarch64 only"
#define CODE_UNAVAILABLE  "its nodes are written for x86-64, aarch64 and riscv64 only"
#endif

/* Nodes on a card hold 32-bit offsets. */
#define OF_CARDS                                                                                   \
    .chases = true, .card = true, .holds = "hold 32-bit offsets", .node_bytes = sizeof(uint32_t),  \
    .unavailable = "it runs on graphics cards only (gpu chase)"
#define OF_SMALL_MEMORY OF_CARDS, .small = true, .layout = "line"

#define HOLD_POINTERS .holds = "hold pointers", .node_bytes = sizeof(void *)

const struct kernel kernels[] = {
    [KERNEL_READ] = {"read", "dependent loads along a random chain", .chases = true, HOLD_POINTERS,
                     .run = chase_read, .timer = time_reads, .several = read_several},
    [KERNEL_WRITE] = {"write", "a store to each node of the chain, and the load that waits for it",
                      .chases = true, .holds = "hold a pointer and a word",
                      .node_bytes = 2 * sizeof(void *), .run = chase_write},
    [KERNEL_RANDOM] =
        {"random",
         "loads at random places of random pages: what fits is hit, whatever the replacement",
         .chases = true, .draws = true, .layout = "local", HOLD_POINTERS, .run = draw_read},
    [KERNEL_CODE] = {"code", "jumps along a random chain of code, for the instruction TLB",
                     .chases = true, .executes = true, .holds = "are code",
                     .node_bytes = CODE_NODE_BYTES, .unavailable = CODE_UNAVAILABLE,
                     .run = chase_code, .timer = time_code},
    [KERNEL_LINEAR] = {"linear", "the printed lab's sum += memory[p * PAGESIZE], on layout line",
                       .layout = "line", HOLD_POINTERS, .run = lab_linear},
    [KERNEL_DUMMY] = {"dummy", "the printed lab's sum++, its loops alone", .layout = "line",
                      HOLD_POINTERS, .run = lab_dummy},
    [KERNEL_PROBE] = {"probe",
                      "dependent loads, then a timed one: whether a prefetcher fetched its line",
                      .chases = true, .times = true, HOLD_POINTERS,
                      .unavailable = PROBE_UNAVAILABLE, .run = time_probes},
    [KERNEL_VOLATILE] = {"read_volatile", "read on a card, past its first cache", OF_CARDS,
                         .bypasses = true},
    [KERNEL_LOCAL] = {"read_local", "read in the local memory of a card's work group",
                      OF_SMALL_MEMORY},
    [KERNEL_CONSTANT] = {"read_constant", "read in the constant memory of a card", OF_SMALL_MEMORY},
    [KERNEL_BANKS] =
        {"banks", "a work item for each node of local memory, all at once: conflicts by spacing",
         OF_SMALL_MEMORY, .lanes = true},
    {0},
};

kernel_loop *kernel_loop_of(const struct kernel *kernel, uint64_t chains)
{
    if (chains < 2)
        return kernel->run;
    return kernel->several != NULL && chains <= KERNEL_CHAINS ? kernel->several[chains - 2] : NULL;
}
