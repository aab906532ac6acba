/* mistake.c: the table of planted mistakes. A mistake is a loop here, or a flag that is read at
 * the place of the deviation: in measure.c, this_machine.c and chase.c. perturb.c has its effect
 * on a simulated machine under the same name. */
#include "measure/mistake.h"
#include "access/layout.h"
#include "base/args.h"
#include "base/error.h"
#include "machine/claim.h"
#include "platform.h"
#include <stdio.h>
#include <string.h>

/* The loads are not volatile and their values are unused: the compiler may leave them out. */
static __attribute__((noinline)) uint64_t chase_unused(const struct kernel_work *work,
                                                       uint64_t *end)
{
    void *node = work->start[0];
    uint64_t loads = work->loads > 0 ? work->loads : 1;
    for (uint64_t load = 0; load < loads; load++)
        node = *(void **)node;
    end[0] = (uint64_t)(uintptr_t)work->start[0];
    return loads;
}

/* The addresses come from a random generator (Knuth's MMIX, TAOCP vol. 2, 3.3.4), not from memory:
 * no store depends on another. */
static __attribute__((noinline)) uint64_t store_freely(const struct kernel_work *work,
                                                       uint64_t *end)
{
    uint64_t stores = work->loads > 0 ? work->loads : 1, random = 1;
    uint64_t pages = work->pages, spacing = work->spacing;
    char *memory = work->memory;
    for (uint64_t store = 0; store < stores; store++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        uint64_t node = (random >> 32) * pages >> 32;
        *(volatile uint64_t *)(void *)(memory + node * spacing) = random;
    }
    end[0] = (uint64_t)(uintptr_t)work->start[0];
    return stores;
}

/* An odd number: with two cores the thread ends up on the other one. */
enum { MOVES = 7 };

/* The correct loop, with moves to the next core in between. */
static uint64_t chase_moved(const struct kernel_work *work, uint64_t *end)
{
    struct kernel_work part = *work;
    uint64_t loads;
    int cpu;
    part.loads = work->loads / (MOVES + 1);
    loads = kernels[KERNEL_READ].run(&part, end);
    for (int move = 0; move < MOVES; move++) {
        platform_move(&cpu);
        part.start[0] = (void **)(uintptr_t)end[0];
        loads += kernels[KERNEL_READ].run(&part, end);
    }
    return loads;
}

const struct mistake mistakes[] = {
    {"vanished", "the loaded values are unused", "a compiler drops what has no effect",
     &kernels[KERNEL_READ], .run = chase_unused},
    {"dilution", "every word of a cache line is counted as an access",
     "memory moves in lines: the other words come with the first", &kernels[KERNEL_READ],
     .dilutes = true},
    {"storebuffer", "stores whose addresses do not depend on memory",
     "a store buffer hides the latency of independent stores", &kernels[KERNEL_WRITE],
     .run = store_freely},
    {"prefetched", "the chain goes through memory in order",
     "prefetchers fetch what they can predict", &kernels[KERNEL_READ], .ascends = true},
    {"swap", "more memory is taken than there is", "memory beyond the limit is a disk", NULL,
     .swaps = true, .simulated = true},
    {"claims", "sizes are taken from the system's claims", "what systems claim may be wrong", NULL,
     .lies = true, .simulated = true},
    {"cold", "no warm-up, the first samples count",
     "an idle processor needs time to reach its frequency", &kernels[KERNEL_READ], .cold = true,
     .simulated = true},
    {"migrate", "the thread is not pinned, and moved while it measures",
     "each core has its own caches and TLBs", &kernels[KERNEL_READ], .run = chase_moved,
     .wanders = true, .simulated = true},
    {0},
};

static bool is_known(const struct mistake *mistake, bool simulated)
{
    return !simulated || mistake->simulated;
}

const struct mistake *mistake_find(const char *name, bool simulated)
{
    char list[128] = "";
    if (name == NULL)
        return NULL;
    for (const struct mistake *mistake = mistakes; mistake->name != NULL; mistake++) {
        size_t used = strlen(list);
        if (!is_known(mistake, simulated))
            continue;
        if (strcmp(mistake->name, name) == 0)
            return mistake;
        snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", mistake->name);
    }
    die_usage("--mistake '%s': there are %s", name, list);
}

void mistake_check(const struct mistake *mistake, const struct point *p, uint64_t line_bytes)
{
    if (mistake->kernel == NULL)
        return;
    if (p->kernel != mistake->kernel || p->chains > 1)
        die_usage("--mistake %s needs kernel %s with one chain", mistake->name,
                  mistake->kernel->name);
    if (!layout_is_even(p->layout))
        die_usage("--mistake %s needs layout line or packed", mistake->name);
    if (mistake->dilutes && p->spacing < line_bytes)
        die_usage("--mistake %s needs nodes at least a line of %llu bytes apart", mistake->name,
                  (unsigned long long)line_bytes);
}

/* Halves entries and ways alike, so the number of sets stays the same. */
uint64_t mistake_claim(const struct mistake *mistake, const char *key, uint64_t value)
{
    if (mistake == NULL || !mistake->lies)
        return value;
    if (strcmp(key, claim_line_bytes) == 0)
        return 2 * value;
    return claim_is_size(key) ? (value + 1) / 2 : value;
}

enum { VALUE_ROOM = 24 };

void mistake_claim_facts(const struct mistake *mistake, struct facts *facts)
{
    for (size_t i = 0; i < facts->count; i++) {
        struct fact *fact = &facts->at[i];
        uint64_t truth = fact->used ? facts_number(facts, fact->key, 0) : 0;
        uint64_t claim = mistake_claim(mistake, fact->key, truth);
        if (claim == truth)
            continue;
        fact->value = reallocate(fact->value, 1, VALUE_ROOM);
        snprintf(fact->value, VALUE_ROOM, "%llu", (unsigned long long)claim);
    }
}

static void print_names(bool simulated)
{
    for (const struct mistake *mistake = mistakes; mistake->name != NULL; mistake++) {
        char text[256];
        snprintf(text, sizeof text, "%s: %s", mistake->help, mistake->lesson);
        if (is_known(mistake, simulated))
            help_entry(mistake->name, text);
    }
}

void mistake_print_all(void)
{
    print_names(false);
}

void mistake_print_simulated(void)
{
    print_names(true);
}
