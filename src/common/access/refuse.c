/* refuse.c: why a point is impossible. */
#include "access/kernel.h"
#include "access/layout.h"
#include "base/number.h"
#include <stdio.h>
#include <string.h>

static char reason[REFUSAL_ROOM];

#define REFUSE(...) snprintf(reason, sizeof reason, __VA_ARGS__)

/* Nodes are aligned, and do not overlap. */
static void refuse_spacing(const struct point *p)
{
    if (p->spacing % p->kernel->node_bytes != 0)
        REFUSE("spacing %llu: nodes %s, so their distance is a multiple of %llu",
               (unsigned long long)p->spacing, p->kernel->holds,
               (unsigned long long)p->kernel->node_bytes);
}

static void refuse_chains(const struct point *p)
{
    const char *why = NULL;
    if (p->chains < 2)
        return;
    if (p->kernel->several == NULL)
        why = "this kernel walks one chain at a time";
    else if (kernel_loop_of(p->kernel, p->chains) == NULL)
        why = "a core walks 1 to 16 chains at a time";
    else if (p->layout->whole_buffer || p->layout->targets)
        why = "several chains go with every layout but box and set";
    else if (p->chains > p->pages)
        why = "more chains than nodes";
    if (why != NULL)
        REFUSE("chains %llu: %s", (unsigned long long)p->chains, why);
}

/* A kernel that draws its nodes draws a page, then nodes within it: it needs whole pages of 2^k
 * nodes. */
static void refuse_kernel(const struct point *p)
{
    const struct kernel *kernel = p->kernel;
    if (kernel->layout != NULL && strcmp(kernel->layout, p->layout->name) != 0)
        REFUSE("kernel %s %s, on layout %s only", kernel->name,
               kernel->draws   ? "draws pages and nodes in them"
               : kernel->small ? "has its nodes side by side"
                               : "walks memory in order",
               kernel->layout);
    else if (kernel->times != p->layout->probes)
        REFUSE("kernel %s and layout %s: only kernel probe goes with ascending, descending and "
               "crossing",
               kernel->name, p->layout->name);
    else if (kernel->draws && (!is_power_of_two(p->spacing) || p->spacing > p->page_bytes / 2))
        REFUSE("kernel %s: nodes are a power of two of bytes apart, half a page at most",
               kernel->name);
    else if (kernel->draws && p->pages % layout_window(p) != 0)
        REFUSE("kernel %s: the nodes must fill whole pages", kernel->name);
}

static void refuse_layout(const struct point *p)
{
    if (p->layout->refuse != NULL)
        p->layout->refuse(p, reason);
}

static void refuse_size(const struct point *p)
{
    if (layout_bytes(p) == 0)
        REFUSE("pages %llu: nodes %llu bytes apart do not fit into the address space",
               (unsigned long long)p->pages, (unsigned long long)p->spacing);
}

const char *point_refuses(const struct point *point)
{
    static void (*const rules[])(const struct point *) = {
        refuse_spacing, refuse_chains, refuse_kernel, refuse_layout, refuse_size};
    *reason = '\0';
    for (size_t i = 0; *reason == '\0' && i < sizeof rules / sizeof *rules; i++)
        rules[i](point);
    return *reason != '\0' ? reason : NULL;
}

const char *backing_refuses(const struct backing *backing, uint64_t page_bytes,
                            uint64_t base_page_bytes)
{
    if (!backing->device && backing->huge == (page_bytes > base_page_bytes))
        return NULL;
    if (backing->device)
        REFUSE("backing device: it is the memory of a card (gpu chase)");
    else
        REFUSE("backing %s has no pages of %llu bytes: the base page has %llu", backing->name,
               (unsigned long long)page_bytes, (unsigned long long)base_page_bytes);
    return reason;
}
