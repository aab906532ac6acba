/* model_write.c: writes a machine description. */
#include "base/number.h"
#include "base/xor_space.h"
#include "tlb/simulate/model.h"
#include "tlb/simulate/model_row.h"
#include <stdio.h>

enum { INDEX_BYTES = 2048 }; /* all bits of each mask: 16 times 41 of two digits and a separator */

/* 0 is written as `-`. A TLB row states even the machine's own page size, since `-` means any page.
 */
static uint64_t or_missing(uint64_t count)
{
    return count > 0 ? count : COUNT_MISSING;
}

static void put_level(int structure, const struct model_level *level, unsigned options)
{
    const struct assoc_shape *shape = &level->shape;
    struct model_row row;
    char index[INDEX_BYTES] = "linear";
    if (shape->ways == shape->entries)
        snprintf(index, sizeof index, "full");
    else if (shape->index == INDEX_HASHED)
        snprintf(index, sizeof index, "hashed");
    else if (shape->index == INDEX_XOR)
        snprintf(index, sizeof index, "xor%u", shape->fold);
    else if (shape->index == INDEX_BITS)
        xor_spell(shape->mask, highest_bit(shape->entries / shape->ways), index, sizeof index);
    row_clear(model_columns, &row);
    row.structure = structure;
    row.level = (uint64_t)level->number;
    row.entries = shape->entries;
    row.ways = shape->ways;
    row.index = index;
    row.replacement = (int)shape->replacement;
    row.page_bytes = or_missing(structure <= MODEL_ITLB ? level->page_bytes : 0);
    row.ns = level->ns;
    row.relation = (int)level->relation;
    row.coalesce = level->coalesce;
    row.fetch_bytes = or_missing(level->fetch_bytes);
    row.shared = level->shared;
    table_put_row(model_columns, options, &row);
}

static void put_levels(int structure, const struct model_rows *rows, unsigned options)
{
    for (int i = 0; i < rows->count; i++)
        put_level(structure, &rows->at[i], options);
}

static void put_single(int structure, double ns, unsigned options)
{
    struct model_row row;
    row_clear(model_columns, &row);
    row.structure = structure;
    row.ns = ns;
    table_put_row(model_columns, options, &row);
}

static void put_prefetcher(const struct prefetcher *p, unsigned options)
{
    struct model_row row;
    row_clear(model_columns, &row);
    row.structure = MODEL_PREFETCHER;
    row.prefetch = (int)p->kind;
    row.touches = p->touches;
    row.ahead_bytes = or_missing(p->ahead_bytes);
    row.stride_bytes = or_missing(p->stride_bytes);
    table_put_row(model_columns, options, &row);
}

void model_write(const struct model *model)
{
    unsigned options = model->prefetchers.count > 0 ? MODEL_PREFETCH : 0;
    table_put_meta("name", "%s", model->name);
    table_put_meta("page_bytes", "%llu", (unsigned long long)model->page_bytes);
    table_put_meta("line_bytes", "%llu", (unsigned long long)model->line_bytes);
    table_put_meta("memory_bytes", "%llu", (unsigned long long)model->memory_bytes);
    if (model->memory_limit_bytes > 0)
        table_put_meta("memory_limit_bytes", "%llu", (unsigned long long)model->memory_limit_bytes);
    if (model->splintered)
        table_put_meta("huge", "splintered");
    table_put_columns(model_columns, options);
    put_levels(MODEL_DTLB, &model->dtlb, options);
    put_levels(MODEL_ITLB, &model->itlb, options);
    if (model->dtlb.count + model->itlb.count > 0)
        put_single(MODEL_WALK, model->walk_ns, options);
    put_levels(MODEL_WALK, &model->walk, options);
    put_levels(MODEL_CACHE, &model->cache, options);
    put_single(MODEL_MEMORY, model->memory_ns, options);
    for (int i = 0; i < model->prefetchers.count; i++)
        put_prefetcher(&model->prefetchers.at[i], options);
}
