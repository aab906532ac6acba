/* model_write.c: writes a machine description.
 *
 *     table_begin(NULL);
 *     model_write(&model);
 */
#include "simulate/model.h"
#include "table/table.h"
#include <stdio.h>

#define COLUMNS                                                                                    \
    "structure\tlevel\tentries\tways\tindex\treplacement\tpage_bytes\tns\trelation\tcoalesce\t"    \
    "fetch_bytes\tshared"

/* 0 is written as `-`. A TLB row keeps the machine's own page, since `-` means any page. */
static void put_bytes(uint64_t bytes, char after)
{
    if (bytes > 0)
        put_count(bytes, after);
    else
        put_text(NULL, after);
}

static void put_level(const char *structure, const struct model_level *level, bool is_tlb,
                      const char *end)
{
    const struct assoc_shape *shape = &level->shape;
    char index[16] = "linear";
    if (shape->ways == shape->entries)
        snprintf(index, sizeof index, "full");
    else if (shape->index == INDEX_HASHED)
        snprintf(index, sizeof index, "hashed");
    else if (shape->index == INDEX_XOR)
        snprintf(index, sizeof index, "xor%u", shape->fold);
    put_text(structure, '\t');
    put_count((uint64_t)level->number, '\t');
    put_count(shape->entries, '\t');
    put_count(shape->ways, '\t');
    put_text(index, '\t');
    put_text(model_replacements[shape->replacement], '\t');
    put_bytes(is_tlb ? level->page_bytes : 0, '\t');
    put_number(level->ns, '\t');
    put_text(model_relations[level->relation], '\t');
    put_count(level->coalesce, '\t');
    put_bytes(level->fetch_bytes, '\t');
    fputs(level->shared != NULL ? level->shared : "-", stdout);
    puts(end);
}

static void put_levels(const char *structure, const struct model_rows *rows, bool is_tlb,
                       const char *end)
{
    for (int i = 0; i < rows->count; i++)
        put_level(structure, &rows->at[i], is_tlb, end);
}

static void put_single(const char *structure, double ns, const char *end)
{
    printf("%s\t-\t-\t-\t-\t-\t-\t", structure);
    put_number(ns, '\t');
    printf("-\t-\t-\t-%s\n", end);
}

static void put_prefetchers(const struct prefetchers *all)
{
    for (int i = 0; i < all->count; i++) {
        const struct prefetcher *p = &all->at[i];
        printf("prefetch\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t%s\t", prefetcher_kinds[p->kind]);
        put_count(p->touches, '\t');
        put_bytes(p->ahead_bytes, '\t');
        put_bytes(p->stride_bytes, '\n');
    }
}

void model_write(const struct model *model)
{
    bool wide = model->prefetchers.count > 0; /* the rows have columns of prefetchers */
    const char *end = wide ? "\t-\t-\t-\t-" : "";
    table_put_meta("name", "%s", model->name);
    table_put_meta("page_bytes", "%llu", (unsigned long long)model->page_bytes);
    table_put_meta("line_bytes", "%llu", (unsigned long long)model->line_bytes);
    table_put_meta("memory_bytes", "%llu", (unsigned long long)model->memory_bytes);
    if (model->memory_limit_bytes > 0)
        table_put_meta("memory_limit_bytes", "%llu", (unsigned long long)model->memory_limit_bytes);
    if (model->splintered)
        table_put_meta("huge", "splintered");
    table_put_header(wide ? COLUMNS "\tprefetch\ttouches\tahead_bytes\tstride_bytes" : COLUMNS);
    put_levels("dtlb", &model->dtlb, true, end);
    put_levels("itlb", &model->itlb, true, end);
    if (model->dtlb.count + model->itlb.count > 0)
        put_single("walk", model->walk_ns, end);
    put_levels("walk", &model->walk, false, end);
    put_levels("cache", &model->cache, false, end);
    put_single("memory", model->memory_ns, end);
    put_prefetchers(&model->prefetchers);
}
