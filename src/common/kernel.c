/* kernel.c: the hot loops.
 *
 * A volatile pointer to the memory, never to the result, is what keeps the loads: the compiler may
 * neither drop nor merge them, and adds nothing to them. tests/pipes/disassembly.t looks. */
#include "kernel.h"
#include "code.h"
#include <string.h>

#define FOLLOW   node = *(void *volatile *)node;
#define FOLLOW_8 FOLLOW FOLLOW FOLLOW FOLLOW FOLLOW FOLLOW FOLLOW FOLLOW

enum { UNROLLED = 64 };

/* Dependent loads: the address of each is the value of the one before, so that time per load is
 * latency. */
static __attribute__((noinline)) uint64_t chase_read(const struct kernel_work *work, uint64_t *end)
{
    void *node = work->start;
    uint64_t rounds = work->loads / UNROLLED + (work->loads % UNROLLED > 0);
    if (rounds == 0)
        rounds = 1;
    for (uint64_t round = rounds; round > 0; round--) {
        FOLLOW_8 FOLLOW_8 FOLLOW_8 FOLLOW_8 FOLLOW_8 FOLLOW_8 FOLLOW_8 FOLLOW_8
    }
    *end = (uint64_t)(uintptr_t)node;
    return rounds * UNROLLED;
}

/* Jumps from node to node of generated code, which does the loop's work itself: code.c. */
static uint64_t chase_code(const struct kernel_work *work, uint64_t *end)
{
    uint64_t rounds = work->loads / work->length + (work->loads % work->length > 0);
    if (rounds == 0)
        rounds = 1;
    for (uint64_t round = rounds; round > 0; round--)
        work->enter(work->start);
    *end = (uint64_t)(uintptr_t)work->start;
    return rounds * work->length;
}

/* Rounds over the pages so that the total number of references is nearly the same for every number
 * of pages (Montelius 2020, §1.2). */
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
    *end = (uint64_t)sum;
    return rounds * pages;
}

/* Its dummy operation, `sum++` (Montelius 2020, §1.2): the cost of the loops alone. The empty
 * statement that claims to change sum keeps -O2 from replacing the loop by its result. */
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
    *end = (uint64_t)sum;
    return rounds * pages;
}

const struct kernel kernels[] = {
    {"read", "dependent loads along a random chain", .chases = true, .node_bytes = sizeof(void *),
     .run = chase_read},
    {"code", "jumps along a random chain of code, for the instruction TLB", .chases = true,
     .executes = true, .node_bytes = CODE_NODE_BYTES, .unavailable = CODE_UNAVAILABLE,
     .run = chase_code},
    {"linear", "the printed lab's sum += memory[p * PAGESIZE], on layout line",
     .node_bytes = sizeof(void *), .run = lab_linear},
    {"dummy", "the printed lab's sum++, its loops alone", .node_bytes = sizeof(void *),
     .run = lab_dummy},
    {0},
};

const struct kernel *kernel_find(const char *text, size_t length)
{
    for (const struct kernel *kernel = kernels; kernel->name != NULL; kernel++)
        if (strlen(kernel->name) == length && memcmp(kernel->name, text, length) == 0)
            return kernel;
    return NULL;
}
