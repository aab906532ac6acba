/* ticks.h: the processor's time stamp counter, read without touching memory.
 *
 * A reading of the operating system's clock loads from its own page, and so takes a TLB entry that
 * the measured chain may need. Reading the counter waits until all loads before it are done, and
 * later ones wait for it. clock_ticks() (measure/clock.h) converts ticks to nanoseconds. */
#ifndef TLBLAB_PLATFORM_TICKS_H
#define TLBLAB_PLATFORM_TICKS_H

#include "platform.h"
#include <stdint.h>

static inline __attribute__((always_inline)) uint64_t ticks_now(void)
{
#if defined __x86_64__
    uint64_t low, high;
    __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high)::"memory");
    return high << 32 | low;
#elif defined __aarch64__
    uint64_t now;
    __asm__ volatile("dsb ish\n\tisb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(now)::"memory");
    return now;
#elif defined __riscv
    uint64_t now;
    __asm__ volatile("fence\n\trdtime %0\n\tfence" : "=r"(now)::"memory");
    return now;
#else
    return platform_now_ns();
#endif
}

#endif
