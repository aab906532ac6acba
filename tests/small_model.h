/* small_model.h: small models for the tests of the simulated machine. Times are powers of a
 * thousand, so a sum shows the number of accesses that each level served: a load costs 1 in the
 * L1D, 1e3 in the L2, 1e6 in memory; translating adds 1e9 or 1e12. */
#ifndef TLBLAB_SMALL_MODEL_H
#define TLBLAB_SMALL_MODEL_H

#include "machine.h"
#include "tap.h"
#include "tlb/simulate/model.h"

static inline struct model small_model(void)
{
    struct model m = {.name = "small", .page_bytes = 4096, .line_bytes = 64};
    m.memory_bytes = (uint64_t)1 << 30;
    m.memory_ns = 1e6;
    return m;
}

static inline struct model_level *add_row(struct model_rows *rows, uint64_t entries, uint64_t ways,
                                          double ns)
{
    struct model_level *level = &rows->at[rows->count++];
    *level = (struct model_level){.shape = {.entries = entries, .ways = ways}, .ns = ns};
    level->number = rows->count;
    return level;
}

static inline struct model_level *add_tlb(struct model *m, uint64_t entries, uint64_t ways,
                                          double ns)
{
    m->walk_ns = 1e12;
    return add_row(&m->dtlb, entries, ways, ns);
}

static inline struct model_level *add_cache(struct model *m, uint64_t lines, uint64_t ways,
                                            double ns)
{
    return add_row(&m->cache, lines, ways, ns);
}

/* Time of a whole cycle. */
static inline double cycle_ns(const struct model *m, const struct point *p, uint64_t seed)
{
    struct sample sample;
    CU_ASSERT_PTR_NULL_FATAL(model_refuses(m, p));
    model_measure(m, p, seed, &sample);
    return sample.ns * (double)layout_nodes(p);
}

#define CYCLE_OF(machine, expected, point)                                                         \
    do {                                                                                           \
        double found_ = cycle_ns(machine, point, 1), expected_ = (expected);                       \
        CU_ASSERT_DOUBLE_EQUAL(found_ / expected_, 1, 1e-9);                                       \
    } while (0)

#define CYCLE(machine, expected, ...)                                                              \
    do {                                                                                           \
        struct point p_ = point_of(__VA_ARGS__);                                                   \
        CYCLE_OF(machine, expected, &p_);                                                          \
    } while (0)

#endif
