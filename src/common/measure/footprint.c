/* footprint.c: the memory and the address space that a point needs. */
#include "measure/footprint.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include "measure/binding.h"
#include "platform.h"
#include <math.h>
#include <stdio.h>

/* Contiguous memory comes in whole huge pages, unless these are larger than this: 2 MiB on x86-64
 * and 32 MiB on arm64 with pages of 16 KiB, but 512 MiB with pages of 64 KiB. [prior] */
static const uint64_t block_max = (uint64_t)32 << 20;

static uint64_t buffer_bytes(const struct point *p)
{
    uint64_t bytes = layout_bytes(p), huge = platform_huge_bytes(), block = 1;
    if (bytes == 0 || bytes > SIZE_MAX / 4)
        die("%llu nodes %llu bytes apart do not fit into the address space",
            (unsigned long long)layout_nodes(p), (unsigned long long)p->spacing);
    if (p->backing->huge)
        block = p->page_bytes;
    else if (p->backing->contiguous && huge > 0 && huge <= block_max)
        block = huge;
    return (bytes + block - 1) / block * block;
}

/* The pages to touch: only those of the nodes when the spacing is a page or more; in `set` the
 * window of the others; otherwise, and for contiguous or locked memory, the whole buffer. */
static struct spaced_pages pages_of(const struct point *p, uint64_t bytes, bool lock)
{
    bool contiguous = p->backing->contiguous;
    if (!lock && p->layout->targets)
        return (struct spaced_pages){layout_others_pages(p), p->page_bytes};
    if (!lock && !contiguous && p->spacing >= p->page_bytes)
        return (struct spaced_pages){bytes / p->spacing, p->spacing};
    return (struct spaced_pages){(bytes + p->page_bytes - 1) / p->page_bytes, p->page_bytes};
}

/* Bytes of memory of such pages and of their page tables. A page table is a base page of entries of
 * 8 bytes [physics]; an entry of the lowest level covers a base page, an entry of the next level a
 * table of the lowest, and so on. Pages further apart than a table covers need one each. */
static double pages_bytes(struct spaced_pages pages, uint64_t page_bytes)
{
    double base = (double)platform_page_bytes(), count = (double)pages.count;
    double bytes = count * (double)page_bytes, reach = count * (double)pages.distance;
    for (double covers = base * base / 8; covers < 0x1p57; covers *= base / 8)
        if (covers > (double)page_bytes)
            bytes += base * fmin(count, floor(reach / covers) + 1);
    return bytes;
}

/* All memory of the point: its pages (the targets of `set` move within a window from sample to
 * sample), and for each node the 4 bytes of a chain. */
static double needed_bytes(const struct point *p, const struct footprint *need)
{
    struct point alone = *p;
    alone.others = 0;
    double bytes = pages_bytes(need->pages, p->page_bytes);
    if (need->targets.count > 0 && p->spacing <= p->page_bytes * layout_others_pages(&alone))
        bytes = (double)need->bytes;
    else if (need->targets.count > 0)
        bytes += pages_bytes(need->targets, p->page_bytes * layout_others_pages(&alone));
    return bytes + 4 * (double)layout_nodes(p);
}

struct footprint footprint_of(const struct point *p, bool lock)
{
    struct footprint need = {.bytes = buffer_bytes(p)};
    need.pages = pages_of(p, need.bytes, lock);
    if (p->layout->targets)
        need.targets = (struct spaced_pages){p->targets, p->spacing};
    if (!p->backing->huge || platform_huge_pool(p->page_bytes) < need.pages.count)
        need.wanted = needed_bytes(p, &need);
    return need;
}

/* ---- limits ---- */

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
    if (!options->sizes_given)
        die("%s (%s): default sizes take less than half; choose the size to take more", what,
            memory.source);
    if (aloud)
        warn("%s (%s): other programs may be pushed out of memory", what, memory.source);
}

static void check_space(const struct point *p, uint64_t bytes)
{
    uint64_t space = platform_address_space();
    if (bytes > space)
        die("%llu nodes of layout %s, %llu bytes apart, span %.1f GiB of address space, and %.1f "
            "GiB are available (limits: the processor, ulimit -v, vm.overcommit_memory)",
            (unsigned long long)layout_nodes(p), p->layout->name, (unsigned long long)p->spacing,
            (double)bytes / 0x1p30, (double)space / 0x1p30);
}

void footprint_check(const struct footprint *need, const struct point *p,
                     const struct memory_options *options, bool aloud)
{
    node_check_memory(options->node, need->wanted);
    check_memory(need, p, options, aloud);
    check_space(p, need->bytes);
}
