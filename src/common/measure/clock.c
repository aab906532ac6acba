/* clock.c: the timer, the frequency and the warm-up. */
#include "measure/clock.h"
#include "access/kernel.h"
#include "base/error.h"
#include "base/stats.h"
#include "platform.h"
#include "ticks.h"
#include <math.h>
#include <stdint.h>

void clock_warn_set_back(double ns)
{
    static bool warned;
    if (!warned)
        warn("the clock was set back by %.3g s while a lap ran: such laps do not count (was this "
             "virtual machine moved to another host?)",
             -ns / 1e9);
    warned = true;
}

/* The overhead is the minimum over the means of many short series of readings: if another program
 * gets the core for milliseconds during one of them, the others are unaffected. */
struct clock_quality clock_quality(void)
{
    enum { ROWS = 20, READINGS = 1000 };
    uint64_t smallest = UINT64_MAX;
    double min = INFINITY;
    for (int row = 0; row < ROWS; row++) {
        uint64_t first = platform_now_ns(), before = first;
        for (int i = 0; i < READINGS; i++) {
            uint64_t now = platform_now_ns();
            if (now > before && now - before < smallest)
                smallest = now - before;
            before = now;
        }
        min = fmin(min, (double)(before - first) / READINGS);
    }
    return (struct clock_quality){smallest == UINT64_MAX ? min : (double)smallest, min};
}

/* Nanoseconds per tick: the median of several stretches, since the operating system's clock may be
 * set, or another program run, during one of them. A stretch is so long that reading the clock
 * hardly matters. */
static double ns_per_tick(void)
{
    enum { STRETCHES = 5, ROUNDS = 1 << 20 };
    double rates[STRETCHES];
    for (int i = 0; i < STRETCHES; i++) {
        uint64_t start = platform_now_ns(), first = ticks_now();
        for (int round = 0; round < ROUNDS; round++)
            __asm__ volatile("" ::: "memory");
        double ticks = (double)(ticks_now() - first);
        rates[i] = ns_since(start) / ticks;
    }
    double rate = stats_quantile(rates, STRETCHES, 0.5);
    return rate > 0 ? rate : 1;
}

struct clock_ticks clock_ticks(void)
{
    enum { READINGS = 4000, DELAYS = 64 };
    struct clock_ticks clock = {ns_per_tick(), UINT64_MAX, UINT64_MAX};
    for (int i = 0; i < READINGS; i++) {
        uint64_t start = ticks_now(), ticks = ticks_now() - start;
        if (ticks < clock.overhead)
            clock.overhead = ticks;
    }
    for (uint64_t i = 0, before = 0; i < READINGS; i++) {
        uint64_t start = ticks_now();
        for (uint64_t k = 0; k < i % DELAYS; k++)
            __asm__ volatile("" ::: "memory");
        uint64_t ticks = ticks_now() - start,
                 apart = ticks > before ? ticks - before : before - ticks;
        if (apart > 0 && apart < clock.step)
            clock.step = apart;
        before = ticks;
    }
    if (clock.step == UINT64_MAX)
        clock.step = 1;
    return clock;
}

/* The empty asm statement claims to change the sum, which keeps the compiler from merging
 * additions. The addend is in a register: some processors (Intel since Alder Lake) add small
 * constants at register renaming, several in a cycle. */
#define ADD                                                                                        \
    sum += step;                                                                                   \
    __asm__ volatile("" : "+r"(sum));
#define ADD_8 ADD ADD ADD ADD ADD ADD ADD ADD

/* Additions per nanosecond, measured for about 0.1 ms. */
static double additions_per_ns(void)
{
    enum { ROUNDS = 1 << 13, EACH = 32 };
    uint64_t sum = 0, step = 1;
    __asm__ volatile("" : "+r"(step));
    uint64_t start = platform_now_ns();
    for (int round = 0; round < ROUNDS; round++) {
        ADD_8 ADD_8 ADD_8 ADD_8
    }
    double ns = (double)(platform_now_ns() - start);
    return ns > 0 ? (double)ROUNDS * EACH / ns : 0;
}

double clock_ghz(void)
{
    enum { IDLE = 60 };
    uint64_t start = platform_now_ns();
    double best = additions_per_ns();
    for (int idle = 0; idle < IDLE && platform_now_ns() - start < 200000000;) {
        double ghz = additions_per_ns();
        idle = ghz > best * 1.005 ? 0 : idle + 1;
        if (ghz > best)
            best = ghz;
    }
    return best;
}

/* Nanoseconds per load of a small chain: the minimum of 100 short runs. */
static double small_chain_ns(void **start)
{
    struct kernel_work work = {.start = {start}, .loads = 1 << 14};
    double min = 1e9;
    for (int i = 0; i < 100; i++) {
        uint64_t end[KERNEL_CHAINS], before = platform_now_ns();
        uint64_t loads = kernels[KERNEL_READ].run(&work, end);
        double ns = (double)(platform_now_ns() - before) / (double)loads;
        if (ns < min)
            min = ns;
    }
    return min;
}

/* Stops after 20 rounds of 2 ms without a gain of half a per cent: frequency steps are larger and
 * come every few milliseconds. [prior] */
double clock_warm_up(void)
{
    enum { NODES = 16 };
    void *nodes[NODES][8]; /* a cache line each */
    for (int i = 0; i < NODES; i++)
        nodes[i][0] = nodes[(i + 1) % NODES];
    uint64_t start = platform_now_ns();
    double best = small_chain_ns(nodes[0]);
    for (int idle = 0; idle < 20 && platform_now_ns() - start < 1000000000;) {
        double ns = small_chain_ns(nodes[0]);
        idle = ns < best * 0.995 ? 0 : idle + 1;
        if (ns < best)
            best = ns;
    }
    return (double)(platform_now_ns() - start) / 1e9;
}
