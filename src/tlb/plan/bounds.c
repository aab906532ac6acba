/* bounds.c: sizes that the memory of this machine allows. */
#include "tlb/plan/bounds.h"
#include "base/error.h"
#include "platform.h"
#include <math.h>

/* The whitepaper's buffers in MiB (§4.1). [tuned: whitepaper] */
static const uint64_t density_buffers[] = {1024, 512, 256};

/* Shares of the memory available: less than a half, since page tables and the links of a chain come
 * on top; half as much on huge pages, whose clearing takes seconds. The program's own tables, which
 * grow while it runs, have an eighth of the memory, OWN_MAX at most. [prior] */
static const double share_small = 0.46, share_huge = 0.23;
enum { OWN_MAX = 16 << 20 };

void bounds_pages(struct plan_options *plan)
{
    struct platform_memory memory = platform_memory();
    bool huge = plan->page_bytes > plan->base_page_bytes;
    uint64_t node = plan->kind == PLAN_CACHES ? plan->line_bytes + 4
                    : plan->kind == PLAN_LINE ? PAIR_MAX + 4
                                              : plan->page_bytes;
    double own = fmin(OWN_MAX, (double)memory.available / 8);
    uint64_t most = (uint64_t)(((double)memory.available - own) *
                               (huge ? share_huge : share_small)) /
                    node;
    uint64_t *last = &plan->pages.values[plan->pages.count - 1];
    if (*last <= most)
        return;
    *last = most > 8 ? most : 8;
    warn("sizes above %.4g MiB are left out: they need more than %s of the memory available "
         "(%.0f MiB, %s); set --pages to measure them anyway",
         (double)*last * (double)node / 0x1p20, huge ? "a quarter" : "half",
         (double)memory.available / 0x1p20, memory.source);
}

uint64_t bounds_address(enum plan_kind kind)
{
    uint64_t space = platform_address_space(), spare = (uint64_t)1 << 30;
    if (space / 64 < spare && (kind == PLAN_WALK || kind == PLAN_GEOMETRY))
        warn("pages far apart are left out: %.0f MiB of address space are available (limits: "
             "ulimit -v, vm.overcommit_memory)",
             (double)space / 0x1p20);
    return space - (space / 2 < spare ? space / 2 : spare);
}

uint64_t bounds_buffer(void)
{
    struct platform_memory memory = platform_memory();
    for (size_t i = 0; i < sizeof density_buffers / sizeof *density_buffers; i++)
        if (density_buffers[i] << 20 <= memory.available / 2)
            return density_buffers[i] << 20;
    die("the schedule needs a buffer of 256 MiB, and half of the %.0f MiB available (%s) is less: "
        "free some memory, or choose a smaller buffer with --buffer",
        (double)memory.available / 0x1p20, memory.source);
}
