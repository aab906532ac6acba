/* handover.c: a line between two cores.
 *
 * Two threads take turns waiting for the other's number on one line and writing the next. One way
 * is half a round trip. How the line travels depends on the instructions: compare-and-swap fetches
 * it for writing, so one transfer is enough; a load that sees the number fetches a copy, and the
 * store after it must take the line away from the other core. But a locked instruction itself takes
 * longer, so no kernel is the fastest on every processor. Two lines, one for each direction, need
 * two transfers each way; on a Zen 4 that took twice as long. */
#include "memory/cores/handover.h"
#include "base/args.h"
#include "base/choice.h"
#include "base/error.h"
#include "base/stats.h"
#include "machine/outcome.h"
#include "memory/streams/team.h"
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Laps alternate between lines on several pages: a line's home, the place where the cores look for
 * it, may be near or far. Between two CCXs of a Zen 4 it makes the difference between 98 and 108 ns
 * one way. [tuned: Zen 4] */
enum { LINES = 32, LINE_APART = 4096 + 128 };

struct exchange {
    char *lines;
    const struct exchange_kernel *kernel;
    const int *cpus;
    uint64_t laps, done, deadline_ns;
    double *ns; /* of each lap */
    struct platform_outcome pinned[2];
    _Alignas(128) atomic_bool over; /* time is up: both stop waiting */
};

struct exchange_kernel {
    const char *name, *help;
    bool cas; /* waits and writes in one instruction */
    bool own; /* else: prefetches the line for writing before each load */
};

/* ---- kernels ---- */

/* Reading the clock takes as long as a transfer, so only a long wait reads it, and yields.
 * [bound] */
static bool waits_on(struct exchange *exchange, unsigned *turn)
{
    enum { TURNS = 1 << 14 };
    if (++*turn % TURNS != 0)
        return true;
    if (platform_now_ns() > exchange->deadline_ns)
        atomic_store(&exchange->over, true);
    platform_sleep(0);
    return !atomic_load(&exchange->over);
}

static inline __attribute__((always_inline)) bool pass_by_cas(struct exchange *exchange,
                                                              _Atomic uint64_t *line, uint64_t from)
{
    uint64_t seen = from;
    unsigned turn = 0;
    while (!atomic_compare_exchange_weak_explicit(line, &seen, from + 1, memory_order_acq_rel,
                                                  memory_order_relaxed)) {
        seen = from;
        if (!waits_on(exchange, &turn))
            return false;
    }
    return true;
}

/* Waits with loads and writes with a store. */
static inline __attribute__((always_inline)) bool
pass_by_store(struct exchange *exchange, _Atomic uint64_t *line, uint64_t from, bool own)
{
    unsigned turn = 0;
    if (own)
        __builtin_prefetch((const void *)line, 1, 3);
    while (atomic_load_explicit(line, memory_order_acquire) != from) {
        if (!waits_on(exchange, &turn))
            return false;
        if (own)
            __builtin_prefetch((const void *)line, 1, 3);
    }
    atomic_store_explicit(line, from + 1, memory_order_release);
    return true;
}

static const struct exchange_kernel kernels[] = {
    {"cas", "compare-and-swap, until it finds the other's number", true, false},
    {"store", "loads until then, and a store", false, false},
    {"own", "the same, with a prefetch for writing before each load", false, true},
    {0},
};

/* Passes the line for a whole lap: waits for the number `from` and writes from + 1, then from + 2 …
 * False if time is up. */
static bool pass_lap(struct exchange *exchange, _Atomic uint64_t *line, uint64_t from)
{
    const struct exchange_kernel *kernel = exchange->kernel;
    bool passed = true;
    for (int i = 0; i < HANDOVER_ROUND_TRIPS && passed; i++, from += 2)
        passed = kernel->cas ? pass_by_cas(exchange, line, from)
                             : pass_by_store(exchange, line, from, kernel->own);
    return passed;
}

/* ---- both sides ---- */

/* Member 0 waits for even numbers and times the laps, member 1 for odd ones. */
static void pass(void *context, size_t member)
{
    struct exchange *exchange = context;
    enum { STEP = 2 * HANDOVER_ROUND_TRIPS };
    exchange->pinned[member] = platform_pin_to(exchange->cpus[member]);
    for (uint64_t lap = 0; lap < exchange->laps; lap++) {
        uint64_t begin = member == 0 ? platform_now_ns() : 0;
        char *line = exchange->lines + lap % LINES * LINE_APART;
        if (!pass_lap(exchange, (_Atomic uint64_t *)(void *)line, lap / LINES * STEP + member))
            return;
        if (member == 0)
            exchange->ns[exchange->done++] = (double)(platform_now_ns() - begin) / STEP;
    }
}

static void take_if_faster(struct handover *best, const struct exchange *exchange,
                           double overhead_ns)
{
    double least = INFINITY;
    for (uint64_t i = 0; i < exchange->done; i++)
        least = fmin(least, exchange->ns[i]);
    least -= overhead_ns;
    if (exchange->done == 0 || (best->kernel != NULL && least >= best->min_ns))
        return;
    best->kernel = exchange->kernel->name;
    best->min_ns = least;
    best->ns = stats_median(exchange->ns, exchange->done) - overhead_ns;
    best->laps = exchange->done;
}

struct handover handover_measure(const int cpus[2], uint64_t laps, double most_s,
                                 struct clock_quality clock)
{
    struct handover best = {.pinned = {.verdict = PLATFORM_YES}};
    struct team_options options = {
        .cpus = cpus, .count = 2, .bytes = (uint64_t)LINES * LINE_APART, .base_pages = true};
    struct team *team = team_open(&options);
    struct exchange exchange = {.cpus = cpus, .laps = laps};
    team_reach(team, options.bytes);
    exchange.lines = team_memory(team, 0);
    exchange.ns = allocate(laps, sizeof *exchange.ns);
    for (exchange.kernel = kernels; exchange.kernel->name != NULL; exchange.kernel++) {
        memset(exchange.lines, 0, (size_t)LINES * LINE_APART);
        exchange.over = false;
        exchange.done = 0;
        exchange.deadline_ns = platform_now_ns() + (uint64_t)(most_s * 1e9);
        team_run(team, pass, &exchange);
        take_if_faster(&best, &exchange, clock.overhead_ns / (2 * HANDOVER_ROUND_TRIPS));
        for (int i = 0; i < 2; i++)
            outcome_keep_worse(&best.pinned, &exchange.pinned[i]);
    }
    free(exchange.ns);
    team_close(team);
    return best;
}

void handover_print_kernels(void)
{
    help_words(&(struct choice)CHOICE_OF(kernels));
}
