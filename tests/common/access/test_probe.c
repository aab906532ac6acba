/* test_probe.c: the places of touches, probes and decoys, what is refused, and what a simulated
 * prefetcher fetches of them.
 *
 *     bin/.obj/plain/tests/common/access/test_probe
 */
#include "access/kernel.h"
#include "access/point.h"
#include "access/probe.h"
#include "named.h"
#include "tap.h"
#include "tlb/simulate/prefetcher.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 400, LINE = 64, PAGE = 4096 };

static struct point probe_of(int layout, uint64_t touches, uint64_t stride, double probe)
{
    struct point p = point_of(layouts[layout].name, 0, stride * LINE);
    p.kernel = &kernels[KERNEL_PROBE];
    p.touches = touches;
    p.decoys = 3;
    p.probe = probe * LINE;
    p.pages = GROUPS * probe_group_nodes(&p);
    return p;
}

/* The line of a group's touch; of its probe for touch = p->touches. */
static int64_t line_of(const struct point *p, uint64_t group, uint64_t touch)
{
    uint64_t node = group * probe_group_nodes(p) + (p->layout->touches == TOUCHES_CROSS) + touch;
    return (int64_t)(p->layout->offset(p, LINE, node) / LINE);
}

static bool is_timed(const struct point *p, uint64_t group)
{
    uint64_t each = probe_group_nodes(p);
    return (probe_tag(p, group * each + each - 1) & PROBE_TIMED) != 0;
}

/* Touches are equally far apart, the last on the wanted line of a pair; a timed probe is where the
 * point wants it; and all lie on one page. Returns the timed groups. */
static int count_as_wanted(const struct point *p, int64_t stride, int64_t probe, int odd)
{
    int timed = 0;
    for (uint64_t g = 0; g < GROUPS; g++) {
        int64_t last = line_of(p, g, p->touches - 1), page = line_of(p, g, 0) / (PAGE / LINE);
        for (uint64_t t = 1; t < p->touches; t++)
            CU_ASSERT_EQUAL(line_of(p, g, t) - line_of(p, g, t - 1), stride);
        CU_ASSERT_EQUAL(last % 2, odd);
        CU_ASSERT_EQUAL(last / (PAGE / LINE), page);
        if (!is_timed(p, g))
            continue;
        timed++;
        CU_ASSERT_EQUAL(line_of(p, g, p->touches) - last, probe);
        CU_ASSERT_EQUAL(line_of(p, g, p->touches) / (PAGE / LINE), page);
    }
    return timed;
}

TEST(touches_and_probes_are_where_the_point_wants_them)
{
    struct point p = probe_of(LAYOUT_ASCENDING, 4, 3, 12);
    int timed = count_as_wanted(&p, 3, 12, 1);
    CU_ASSERT(timed > GROUPS / 6 && timed < GROUPS / 3); /* a quarter */
    p = probe_of(LAYOUT_DESCENDING, 4, 8, 32);
    count_as_wanted(&p, -8, -32, 0);
    p = probe_of(LAYOUT_DESCENDING, 1, 1, -1);
    count_as_wanted(&p, -1, 1, 0);
    p = probe_of(LAYOUT_ASCENDING, 1, 1, -5);
    p.decoys = 0;
    CU_ASSERT_EQUAL(count_as_wanted(&p, 1, -5, 1), GROUPS);
}

/* In `crossing` the last touch ends a page, and the first load and the probe are on the next. */
TEST(a_probe_across_a_page_is_beyond_its_end)
{
    struct point p = probe_of(LAYOUT_CROSSING, 8, 1, 3);
    for (uint64_t g = 0; g < GROUPS; g++) {
        int64_t last = line_of(&p, g, 7), probe = line_of(&p, g, 8);
        int64_t first = (int64_t)(p.layout->offset(&p, LINE, g * probe_group_nodes(&p)) / LINE);
        CU_ASSERT_EQUAL(last % (PAGE / LINE), PAGE / LINE - 1);
        CU_ASSERT_EQUAL(first * LINE / PAGE, last * LINE / PAGE + 1);
        CU_ASSERT_EQUAL(probe * LINE / PAGE, last * LINE / PAGE + 1);
        CU_ASSERT(!is_timed(&p, g) || probe == last + 3);
    }
}

/* The control, and every decoy, is far from all touches and takes many places. */
TEST(the_control_is_far_from_all_touches_anywhere)
{
    struct point p = probe_of(LAYOUT_ASCENDING, 4, 2, NAN);
    char seen[PAGE / LINE] = {0};
    int places = 0;
    for (uint64_t g = 0; g < GROUPS; g++) {
        int64_t probe = line_of(&p, g, 4);
        CU_ASSERT(probe < line_of(&p, g, 0) - 6 || probe > line_of(&p, g, 3) + 6);
        seen[probe % (PAGE / LINE)] = 1;
    }
    for (size_t i = 0; i < sizeof seen; i++)
        places += seen[i];
    CU_ASSERT(places > 40);
}

static bool refuses(const struct point *p, const char *why)
{
    const char *said = point_refuses(p);
    return said != NULL && strstr(said, why) != NULL;
}

TEST(what_does_not_fit_into_a_page_is_refused)
{
    struct point p = probe_of(LAYOUT_ASCENDING, 4, 4, 12);
    CU_ASSERT_PTR_NULL(point_refuses(&p));
    p.probe = 52 * LINE; /* 12 lines of touches, and 52: one more than a page has */
    CU_ASSERT(refuses(&p, "do not fit into a page"));
    p.probe = 65;
    CU_ASSERT(refuses(&p, "multiples of 64 bytes"));
    p.spacing = 8192;
    CU_ASSERT(refuses(&p, "the stride is at most 4096 bytes"));
    p.probe = 1e300;
    CU_ASSERT(point_refuses(&p) != NULL);
    p = probe_of(LAYOUT_ASCENDING, 4, 4, 1);
    p.pages++;
    CU_ASSERT(refuses(&p, "a multiple of a group's nodes"));
    p.touches = UINT64_MAX - 2;
    CU_ASSERT(refuses(&p, "at most 4096 touches"));
    p.touches = 0;
    CU_ASSERT(refuses(&p, "`touches` above 0"));
    p = probe_of(LAYOUT_CROSSING, 8, 1, -1);
    CU_ASSERT(refuses(&p, "do not fit into a page"));
    p = probe_of(LAYOUT_CROSSING, 8, 1, 1);
    p.page_bytes = (uint64_t)1 << 63;
    CU_ASSERT(refuses(&p, "pages of 1 GiB"));
    p = probe_of(LAYOUT_ASCENDING, 1, 1, 1);
    p.kernel = &kernels[KERNEL_READ];
    CU_ASSERT(refuses(&p, "only kernel probe goes with ascending"));
    p.layout = &layouts[LAYOUT_LINE];
    p.kernel = &kernels[KERNEL_PROBE];
    CU_ASSERT(refuses(&p, "only kernel probe goes with ascending"));
}

/* The lines that each kind fetches, of all probes; a machine without any fetches the line of a
 * touch alone.
 */
TEST(a_simulated_prefetcher_fetches_its_own_lines_and_no_others)
{
    static const struct {
        struct prefetcher prefetcher;
        int layout;
        uint64_t touches;
        uint64_t stride;
        int probe, hit;
    } cases[] = {
        {{PREFETCHER_NEXT_LINE, 1, 128, 0}, LAYOUT_ASCENDING, 1, 1, 2, 1},
        {{PREFETCHER_NEXT_LINE, 1, 128, 0}, LAYOUT_ASCENDING, 1, 1, 3, 0},
        {{PREFETCHER_NEXT_LINE, 1, 128, 0}, LAYOUT_DESCENDING, 1, 1, -1, 1},
        {{PREFETCHER_PREVIOUS_LINE, 1, 64, 0}, LAYOUT_DESCENDING, 1, 1, 1, 1},
        {{PREFETCHER_ADJACENT_PAIR, 1, 0, 0}, LAYOUT_ASCENDING, 1, 1, 1, 0},
        {{PREFETCHER_ADJACENT_PAIR, 1, 0, 0}, LAYOUT_ASCENDING, 1, 1, -1, 1},
        {{PREFETCHER_ADJACENT_PAIR, 1, 0, 0}, LAYOUT_DESCENDING, 1, 1, 1, 0},
        {{PREFETCHER_REPEATED, 1, 320, 0}, LAYOUT_ASCENDING, 1, 1, 5, 0}, /* decoys */
        {{PREFETCHER_STRIDE_UP, 3, 512, 256}, LAYOUT_ASCENDING, 4, 4, 8, 1},
        {{PREFETCHER_STRIDE_UP, 3, 512, 256}, LAYOUT_ASCENDING, 4, 4, 12, 0},
        {{PREFETCHER_STRIDE_UP, 3, 512, 128}, LAYOUT_ASCENDING, 4, 4, 4, 0},
        {{PREFETCHER_STRIDE_UP, 5, 512, 256}, LAYOUT_ASCENDING, 4, 4, 4, 0},
        {{PREFETCHER_STRIDE_UP, 3, 512, 256}, LAYOUT_DESCENDING, 4, 4, 4, 0},
        {{PREFETCHER_STRIDE_DOWN, 3, 512, 256}, LAYOUT_DESCENDING, 4, 4, 4, 1},
        {{PREFETCHER_STRIDE_UP, 3, 512, 256}, LAYOUT_CROSSING, 8, 1, 1, 0},
        {{PREFETCHER_NEXT_LINE, 1, 512, 0}, LAYOUT_ASCENDING, 1, 1, 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct prefetchers all = {.at = {cases[i].prefetcher}, .count = 1}, none = {.count = 0};
        struct point p = probe_of(cases[i].layout, cases[i].touches, cases[i].stride,
                                  cases[i].probe);
        CU_ASSERT_EQUAL(prefetchers_hit(&all, &p, LINE), cases[i].hit);
        CU_ASSERT_EQUAL(prefetchers_hit(&none, &p, LINE), cases[i].probe == 0);
    }
    struct prefetchers both = {
        .at = {{PREFETCHER_STRIDE_UP, 3, 512, 256}, {PREFETCHER_PAGE_CROSSING, 8, 0, 0}},
        .count = 2};
    struct point p = probe_of(LAYOUT_CROSSING, 8, 1, 1);
    CU_ASSERT_EQUAL(prefetchers_hit(&both, &p, LINE), 1);
    p = probe_of(LAYOUT_ASCENDING, 1, 1, 5);
    p.decoys = 0;
    both.at[0].kind = PREFETCHER_REPEATED;
    CU_ASSERT_EQUAL(prefetchers_hit(&both, &p, LINE), 1);
}
