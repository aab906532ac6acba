/* uncore_system.c: the uncore of this machine: a counter per slice, memory, loads. */
#include "base/error.h"
#include "slices/counters/pmu.h"
#include "slices/counters/uncore.h"
#include <stdlib.h>
#include <string.h>

struct system {
    struct pmu pmu;
    int cpu;
    unsigned candidate;      /* that is counted */
    int counter[SLICES_MAX]; /* negative: not open */
    char *memory;
    size_t bytes;
};

/* ---- loads ---- */

#if defined(__x86_64__) || defined(__i386__)
static const bool can_flush = true;

/* The first fence completes the load before the flush; the second completes the flush. */
static void load_and_flush(const char *line)
{
    __asm__ volatile("movb (%0), %%al\n\t"
                     "mfence\n\t"
                     "clflush (%0)\n\t"
                     "mfence"
                     :
                     : "r"(line)
                     : "al", "memory");
}
#else
static const bool can_flush = false;

static void load_and_flush(const char *line)
{
    (void)line;
}
#endif

static void load(void *context, size_t offset, uint64_t times)
{
    const struct system *s = context;
    for (uint64_t i = 0; i < times; i++)
        load_and_flush(s->memory + offset);
}

/* ---- counters ---- */

static const char *event_text(void *context, unsigned candidate, const char **source)
{
    const struct system *s = context;
    const struct pmu_candidate *c = pmu_candidate(&s->pmu, candidate);
    *source = c->source;
    return c->terms;
}

static void close_counters(struct system *s)
{
    for (unsigned i = 0; i < s->pmu.slices; i++) {
        if (s->counter[i] >= 0)
            platform_counter_close(s->counter[i]);
        s->counter[i] = -1;
    }
}

static bool choose_event(void *context, unsigned candidate, unsigned first, unsigned last,
                         char why[PLATFORM_WHY_ROOM])
{
    struct system *s = context;
    const struct pmu_candidate *c = pmu_candidate(&s->pmu, candidate);
    if (s->candidate == candidate && s->counter[first] >= 0 && s->counter[last] >= 0)
        return true;
    close_counters(s);
    s->candidate = candidate;
    for (unsigned i = first; i <= last; i++) {
        struct platform_event event;
        if (!pmu_event(&s->pmu, i, c->terms, s->cpu, &event, why))
            return false;
        s->counter[i] = platform_counter_open(&event, why);
        if (s->counter[i] < 0)
            return false;
    }
    return true;
}

static bool read_counters(void *context, unsigned first, unsigned last, uint64_t *counts)
{
    const struct system *s = context;
    bool whole = true;
    for (unsigned i = first; i <= last; i++)
        whole = platform_counter_read(s->counter[i], &counts[i]) && whole;
    return whole;
}

/* ---- memory ---- */

static bool physical(void *context, size_t offset, uint64_t *paddr, char why[PLATFORM_WHY_ROOM])
{
    const struct system *s = context;
    struct platform_outcome outcome = platform_physical(s->memory + offset, paddr);
    memcpy(why, outcome.why, PLATFORM_WHY_ROOM);
    return outcome.verdict == PLATFORM_YES;
}

static bool take_memory(struct system *s, uint64_t page_bytes, char why[PLATFORM_WHY_ROOM])
{
    struct platform_outcome outcome;
    bool base = page_bytes == platform_page_bytes();
    uint64_t pages = s->bytes / page_bytes;
    s->memory = base ? platform_map(s->bytes, 0, &outcome)
                     : platform_map_huge(s->bytes, page_bytes, page_bytes, pages, &outcome);
    if (s->memory == NULL) {
        snprintf(why, PLATFORM_WHY_ROOM, "no memory on such pages: %.200s", outcome.why);
        return false;
    }
    for (uint64_t i = 0; i < pages; i++)
        if (!platform_touch(s->memory + i * page_bytes, page_bytes)) {
            snprintf(why, PLATFORM_WHY_ROOM, "no memory for page %llu of %llu",
                     (unsigned long long)i + 1, (unsigned long long)pages);
            return false;
        }
    if (!base) {
        outcome = platform_huge(s->memory, s->bytes, page_bytes, pages);
        memcpy(why, outcome.why, PLATFORM_WHY_ROOM);
    }
    return base || outcome.verdict != PLATFORM_NO;
}

/* ---- all of it ---- */

static void rest(void *context)
{
    (void)context;
    platform_sleep(1);
}

static void close_system(void *context)
{
    struct system *s = context;
    close_counters(s);
    if (s->memory != NULL)
        platform_unmap(s->memory, s->bytes);
    free(s);
}

bool uncore_system(struct uncore *uncore, size_t bytes, uint64_t page_bytes, int cpu,
                   char why[PLATFORM_WHY_ROOM])
{
    struct system *s = allocate(1, sizeof *s);
    struct platform_outcome pinned;
    s->bytes = bytes;
    s->cpu = cpu;
    for (unsigned i = 0; i < SLICES_MAX; i++)
        s->counter[i] = -1;
    *uncore = (struct uncore){.context = s,
                              .event = event_text,
                              .choose = choose_event,
                              .read = read_counters,
                              .load = load,
                              .physical = physical,
                              .sleep = rest,
                              .close = close_system};
    bool ready = pmu_find(&s->pmu, why);
    if (ready && !can_flush) {
        snprintf(why, PLATFORM_WHY_ROOM, "no way to flush a line on this processor (x86 has one)");
        ready = false;
    }
    /* A candidate is opened before memory is allocated, to report at once if that is forbidden. */
    ready = ready && choose_event(s, 0, 0, s->pmu.slices - 1, why);
    if (ready) {
        pinned = platform_pin_to(cpu >= 0 ? cpu : s->pmu.cpu);
        memcpy(why, pinned.why, PLATFORM_WHY_ROOM);
        ready = pinned.verdict == PLATFORM_YES;
    }
    if (!ready || !take_memory(s, page_bytes, why)) {
        close_system(s);
        return false;
    }
    uncore->slices = uncore->at_once = s->pmu.slices;
    while (pmu_candidate(&s->pmu, uncore->candidates) != NULL)
        uncore->candidates++;
    return true;
}
