/* walk_reads.c: the reads of walks through the caches.
 *
 *     walk_reads_open(&w, &model, plan.table_bits);
 *     walk_reads_walk(&w, process, address, 12, 4);
 *     walk_reads_access(&w, process, address, 12);
 *     walk_reads_write(&w);
 */
#include "trace/tlbs/walk_reads.h"
#include "base/error.h"
#include "base/number.h"
#include "base/random.h"
#include "table/table.h"
#include <math.h>

/* Bytes of a page-table entry. [physics] */
enum { ENTRY_SHIFT = 3 };

void walk_reads_open(struct walk_reads *w, const struct model *model, unsigned table_bits)
{
    *w = (struct walk_reads){.line_shift = highest_bit(model->line_bytes),
                             .table_bits = table_bits,
                             .levels = model->cache.count};
    if (w->levels == 0)
        die("--to walk-reads: the description of %s has no caches", model->name);
    for (int i = 0; i < w->levels; i++)
        tag_array_open(&w->cache[i], &model->cache.at[i].shape, (uint64_t)i);
}

/* The level that serves a line; those before it hold it from then on. */
static int read_line(struct walk_reads *w, uint64_t line)
{
    int hit = 0;
    uint64_t tag = line << 1 | 1;
    while (hit < w->levels && !tag_array_hit(&w->cache[hit], line, tag))
        hit++;
    for (int i = 0; i < hit; i++)
        tag_array_fill(&w->cache[i], line, tag);
    return hit;
}

/* The line of a byte in a page or table, which lies on a frame of its own. */
static uint64_t line_of(const struct walk_reads *w, uint64_t seed, uint64_t page, unsigned shift,
                        uint64_t byte)
{
    return (random_mix(seed, page) << shift | byte) >> w->line_shift;
}

void walk_reads_walk(struct walk_reads *w, uint32_t process, uint64_t address, unsigned page_shift,
                     unsigned count)
{
    unsigned bits = w->table_bits;
    for (unsigned depth = count; depth-- > 0;) { /* the last table is depth 0 */
        uint64_t entry = address >> (page_shift + depth * bits);
        uint64_t within = (entry & (((uint64_t)1 << bits) - 1)) << ENTRY_SHIFT;
        uint64_t line = line_of(w, (uint64_t)process << 8 | (depth + 1), entry >> bits,
                                bits + ENTRY_SHIFT, within);
        w->served[read_line(w, line)]++;
    }
}

void walk_reads_access(struct walk_reads *w, uint32_t process, uint64_t address,
                       unsigned page_shift)
{
    uint64_t byte = address & (((uint64_t)1 << page_shift) - 1);
    read_line(w, line_of(w, (uint64_t)process << 8, address >> page_shift, page_shift, byte));
}

void walk_reads_write(const struct walk_reads *w)
{
    uint64_t all = 0;
    for (int i = 0; i <= w->levels; i++)
        all += w->served[i];
    table_put_header("structure\tlevel\treads\tshare");
    for (int i = 0; i <= w->levels; i++) {
        put_text(i < w->levels ? "cache" : "memory", '\t');
        if (i < w->levels)
            put_count((uint64_t)i + 1, '\t');
        else
            put_text("-", '\t');
        put_count(w->served[i], '\t');
        put_number(all > 0 ? rounded((double)w->served[i] / (double)all, 1e6) : NAN, '\n');
    }
}

void walk_reads_close(struct walk_reads *w)
{
    for (int i = 0; i < w->levels; i++)
        tag_array_close(&w->cache[i]);
}
