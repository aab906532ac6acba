/* footprint.c: what a point takes of memory and of address space.
 *
 *     struct footprint need = footprint_of(&point, false);
 *     footprint_check(&need, &point, &options, true);
 */
#include "measure/footprint.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include "platform.h"
#include <math.h>
#include <stdio.h>

/* Contiguous memory is taken in whole huge pages, unless those are very large ones. */
static const uint64_t block_most = (uint64_t)32 << 20;

/* Dies where that cannot be addressed. */
static uint64_t buffer_bytes(const struct point *p)
{
    uint64_t bytes = layout_bytes(p), huge = platform_huge_bytes(), block = 1;
    if (bytes == 0 || bytes > SIZE_MAX / 4)
        die("%llu nodes %llu bytes apart do not fit into the address space",
            (unsigned long long)layout_nodes(p), (unsigned long long)p->spacing);
    if (p->backing->huge)
        block = p->page_bytes;
    else if (p->backing->contiguous && huge > 0 && huge <= block_most)
        block = huge;
    return (bytes + block - 1) / block * block;
}

/* Where nodes lie on pages far apart, those alone; else, and where all frames are to be neighbours
 * or locked, the whole buffer; in `set` the window of the others. */
static struct pages pages_of(const struct point *p, uint64_t bytes, bool lock)
{
    bool contiguous = p->backing->contiguous;
    if (!lock && p->layout->targets)
        return (struct pages){layout_others_pages(p), p->page_bytes};
    if (!lock && !contiguous && p->spacing >= p->page_bytes)
        return (struct pages){bytes / p->spacing, p->spacing};
    return (struct pages){(bytes + p->page_bytes - 1) / p->page_bytes, p->page_bytes};
}

/* Bytes of memory under such pages: their own, and the tables that lead to them. A table is one
 * base page with 8 bytes for each entry; one of the lowest covers as many base pages, one of the
 * next as many of those, and so on: pages further apart than what a table covers have one each. */
static double pages_bytes(struct pages pages, uint64_t page_bytes)
{
    double base = (double)platform_page_bytes(), count = (double)pages.count;
    double bytes = count * (double)page_bytes, reach = count * (double)pages.distance;
    for (double covers = base * base / 8; covers < 0x1p57; covers *= base / 8)
        if (covers > (double)page_bytes)
            bytes += base * fmin(count, floor(reach / covers) + 1);
    return bytes;
}

/* All that the point takes: its pages (the targets of `set` move from sample to sample, as far as
 * the window of no others), and a number for each node of a chain, two pointers more for code. */
static double needed_bytes(const struct point *p, const struct footprint *need)
{
    struct point alone = *p;
    alone.others = 0;
    double bytes = pages_bytes(need->pages, p->page_bytes);
    if (need->targets.count > 0)
        bytes += pages_bytes(need->targets, p->page_bytes * layout_others_pages(&alone));
    return bytes + (double)layout_nodes(p) * (p->kernel->executes ? 20 : 4);
}

struct footprint footprint_of(const struct point *p, bool lock)
{
    struct footprint need = {.bytes = buffer_bytes(p)};
    need.pages = pages_of(p, need.bytes, lock);
    if (p->layout->targets)
        need.targets = (struct pages){p->targets, p->spacing};
    if (!p->backing->huge || platform_huge_pool(p->page_bytes) < need.pages.count)
        need.wanted = needed_bytes(p, &need);
    return need;
}

/* ---- limits ---- */

/* Dies or warns when the point wants more memory than this process should take. */
static void check_memory(const struct footprint *need, const struct point *p,
                         const struct memory_options *options, bool aloud)
{
    double wanted = need->wanted;
    struct platform_memory memory = platform_memory();
    char what[128];
    memory.available += options->swap_bytes;
    snprintf(what, sizeof what, "%llu nodes of layout %s need %.0f MiB, and %.0f MiB are available",
             (unsigned long long)layout_nodes(p), p->layout->name, wanted / 0x1p20,
             (double)memory.available / 0x1p20);
    if (wanted > (double)memory.available || layout_nodes(p) > UINT32_MAX ||
        need->pages.count > UINT32_MAX)
        die("%s (%s)", what, memory.source);
    if (wanted <= 0.5 * (double)memory.available)
        return;
    if (!options->by_name)
        die("%s (%s): defaults take less than half; ask for the size by name", what, memory.source);
    if (aloud)
        warn("%s (%s): other programs may be pushed out of memory", what, memory.source);
}

static void check_space(const struct point *p, uint64_t bytes)
{
    uint64_t space = platform_address_space();
    if (bytes > space)
        die("%llu nodes of layout %s, %llu bytes apart, span %.1f GiB of address space, and %.1f "
            "GiB are left for them (by the processor, ulimit -v and vm.overcommit_memory)",
            (unsigned long long)layout_nodes(p), p->layout->name, (unsigned long long)p->spacing,
            (double)bytes / 0x1p30, (double)space / 0x1p30);
}

void footprint_check(const struct footprint *need, const struct point *p,
                     const struct memory_options *options, bool aloud)
{
    check_memory(need, p, options, aloud);
    check_space(p, need->bytes);
}
