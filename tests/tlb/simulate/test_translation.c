/* test_translation.c: what TLBs of real machines do beside holding pages: coalescing, huge pages,
 * the tables of a walk, instructions; the places of nodes; and noise. Against cases counted by
 * hand.
 *
 *     bin/.obj/plain/tests/tlb/simulate/test_translation
 */
#include "access/kernel.h"
#include "access/layout.h"
#include "named.h"
#include "small_model.h"

enum { HUGE_PAGE = 2 << 20 };
static const uint64_t gib = (uint64_t)1 << 30;

static struct point on_backing(const char *backing, struct point point)
{
    point.backing = backing_named(backing);
    return point;
}

/* Nodes of layout `page` on huge pages. */
static struct point huge_point(uint64_t nodes, uint64_t spacing, uint64_t page_bytes)
{
    struct point p = on_backing("huge", point_of("page", nodes, spacing));
    p.page_bytes = page_bytes;
    return p;
}

#define ON(machine, expected, backing, ...)                                                        \
    do {                                                                                           \
        struct point on_ = on_backing(backing, point_of(__VA_ARGS__));                             \
        CYCLE_OF(machine, expected, &on_);                                                         \
    } while (0)

#define HUGE(machine, expected, ...)                                                               \
    do {                                                                                           \
        struct point huge_ = huge_point(__VA_ARGS__);                                              \
        CYCLE_OF(machine, expected, &huge_);                                                       \
    } while (0)

/* ---- coalescing ---- */

TEST(contiguous_pages_share_an_entry)
{
    struct model m = small_model();
    add_tlb(&m, 8, 8, 0)->coalesce = 4;
    ON(&m, 8 * 1e6, "scattered", "page", 8, 4096);
    ON(&m, 9 * (1e6 + 1e12), "scattered", "page", 9, 4096);
    ON(&m, 32 * 1e6, "contiguous", "page", 32, 4096);
    ON(&m, 16 * 1e6, "contiguous", "page", 16, 2 * 4096); /* two nodes in a block of four */
    ON(&m, 8 * 1e6, "contiguous", "page", 8, 4 * 4096);
    ON(&m, 9 * (1e6 + 1e12), "contiguous", "page", 9, 4 * 4096);
    struct point p = on_backing("contiguous", point_of("page", 33, 4096));
    CU_ASSERT(cycle_ns(&m, &p, 1) > 1e12);
}

TEST(levels_may_differ_in_that)
{
    struct model m = small_model();
    add_tlb(&m, 4, 4, 0);
    add_tlb(&m, 8, 2, 1e9)->coalesce = 4; /* blocks of four pages in four sets of two ways */
    ON(&m, 4 * 1e6, "contiguous", "page", 4, 4096);
    ON(&m, 32 * (1e6 + 1e9), "contiguous", "page", 32, 4096);
    ON(&m, 3 * 1e6, "contiguous", "page", 3, 16 * 4096);
    ON(&m, 5 * (1e6 + 1e12), "contiguous", "page", 5, 16 * 4096); /* all in one set */
}

/* A direct-mapped second cache as large as 64 pages holds all lines of 64 contiguous ones. */
TEST(contiguous_pages_are_on_contiguous_frames)
{
    struct model m = small_model();
    add_cache(&m, 1, 1, 1);
    add_cache(&m, 64 * 64, 1, 1e3);
    ON(&m, 4096 * 1e3, "contiguous", "packed", 4096, 64);
    struct point p = point_of("packed", 4096, 64);
    CU_ASSERT(cycle_ns(&m, &p, 1) > 1000 * 1e6);
}

/* ---- huge pages ---- */

static struct model machine_with_huge(void)
{
    struct model m = small_model();
    m.memory_bytes = 64 * gib;
    add_tlb(&m, 8, 8, 0)->page_bytes = 4096;
    struct model_level *level = add_tlb(&m, 3, 3, 0);
    level->number = 1;
    level->page_bytes = HUGE_PAGE;
    return m;
}

TEST(huge_pages_have_their_own_rows)
{
    struct model m = machine_with_huge();
    CYCLE(&m, 8 * 1e6, "page", 8, HUGE_PAGE); /* small pages, far apart */
    HUGE(&m, 3 * 1e6, 3, HUGE_PAGE, HUGE_PAGE);
    HUGE(&m, 4 * (1e6 + 1e12), 4, HUGE_PAGE, HUGE_PAGE);
    HUGE(&m, 1536 * 1e6, 1536, 4096, HUGE_PAGE); /* 512 nodes on a page */
    struct point p = huge_point(1537, 4096, HUGE_PAGE);
    CU_ASSERT(cycle_ns(&m, &p, 1) > 1e12);
    m.dtlb.at[1].coalesce = 2;
    HUGE(&m, 6 * 1e6, 6, HUGE_PAGE, HUGE_PAGE);
}

TEST(a_row_may_hold_for_any_size)
{
    struct model m = machine_with_huge();
    m.dtlb.at[0].page_bytes = 0; /* level 1 for all */
    m.dtlb.at[1].number = 2;     /* level 2 for huge pages alone */
    m.dtlb.at[1].shape.entries = m.dtlb.at[1].shape.ways = 16;
    m.dtlb.at[1].ns = 1e9;
    CYCLE(&m, 9 * (1e6 + 1e12), "page", 9, 4096);
    HUGE(&m, 9 * (1e6 + 1e9), 9, HUGE_PAGE, HUGE_PAGE);
    HUGE(&m, 8 * 1e6, 8, gib, gib);
    HUGE(&m, 9 * (1e6 + 1e12), 9, gib, gib);
}

TEST(splintered_huge_pages_are_small_ones)
{
    struct model m = machine_with_huge();
    struct sample s;
    m.splintered = true;
    m.dtlb.at[0].coalesce = 4; /* neighbours of the guest are none of the host */
    HUGE(&m, 8 * 1e6, 8, HUGE_PAGE, HUGE_PAGE);
    HUGE(&m, 9 * (1e6 + 1e12), 9, HUGE_PAGE, HUGE_PAGE);
    HUGE(&m, 9 * (1e6 + 1e12), 9, 4096, HUGE_PAGE);
    struct point p = huge_point(9, HUGE_PAGE, HUGE_PAGE);
    model_measure(&m, &p, 1, &s);
    CU_ASSERT_EQUAL(s.point.page_bytes, HUGE_PAGE); /* as the guest sees it */
}

static const char *refusal(const struct model *m, struct point p)
{
    const char *why = model_refuses(m, &p);
    return why != NULL ? why : "accepted";
}

TEST(what_cannot_be_simulated_is_refused)
{
    struct model m = machine_with_huge();
    CU_ASSERT_STRING_EQUAL(refusal(&m, huge_point(2, gib, gib)),
                           "no TLB rows for pages of 1073741824 bytes");
    CU_ASSERT_STRING_EQUAL(refusal(&m, huge_point(2, 4096, 4096)),
                           "backing huge has no pages of 4096 bytes: the base page has 4096");
    CU_ASSERT_STRING_EQUAL(refusal(&m, huge_point(32769, HUGE_PAGE, HUGE_PAGE)),
                           "the nodes do not fit into the machine's memory");
    CU_ASSERT_STRING_EQUAL(refusal(&m, huge_point(32768, HUGE_PAGE, HUGE_PAGE)), "accepted");
    struct point p = point_of("page", 2, 4096);
    p.page_bytes = 1 << 16; /* another machine's base page */
    CU_ASSERT_STRING_EQUAL(refusal(&m, p), "accepted");
    p.kernel = &kernels[KERNEL_CODE];
    CU_ASSERT_STRING_EQUAL(refusal(&m, p), "kernel 'code' needs an itlb, and the machine has none");
    m.dtlb.count = 0;
    CU_ASSERT_STRING_EQUAL(refusal(&m, huge_point(2, HUGE_PAGE, HUGE_PAGE)),
                           "no TLB rows for pages of 2097152 bytes");
}

/* ---- far apart, and in any order ---- */

TEST(nodes_may_be_far_apart)
{
    struct model m = small_model();
    add_tlb(&m, 65536, 16, 0);
    CYCLE(&m, 65536 * (1e6 + 1e12), "page", 65536, gib); /* 2^46 bytes, all in one set */
    CYCLE(&m, 16 * 1e6, "page", 16, gib);
}

static struct point set_point(uint64_t targets, uint64_t others, uint64_t spacing)
{
    struct point p = point_of("set", targets + others, spacing);
    p.targets = targets;
    p.others = others;
    return p;
}

/* Sixteen sets of two ways: targets sixteen pages apart share a set, which the others leave alone.
 */
TEST(nodes_of_a_set)
{
    struct model m = small_model();
    struct point fits = set_point(2, 6, 16 * 4096), crowded = set_point(3, 6, 16 * 4096);
    add_tlb(&m, 32, 2, 0);
    for (uint64_t sample = 0; sample < 4; sample++) {
        fits.sample = crowded.sample = sample;
        CYCLE_OF(&m, 8 * 1e6, &fits);
        CYCLE_OF(&m, 9 * 1e6 + 3 * 1e12, &crowded);
    }
}

/* On larger pages nodes share them, also those that do not follow one another: twelve
 * targets are on three pages. */
TEST(which_may_share_pages)
{
    struct model m = small_model();
    struct point together = set_point(12, 0, 4096), too_many = set_point(13, 0, 4096);
    m.page_bytes = 4 * 4096;
    add_tlb(&m, 3, 3, 0);
    CYCLE_OF(&m, 12 * 1e6, &together);
    CU_ASSERT(cycle_ns(&m, &too_many, 1) > 1e12);
}

/* ---- walks ---- */

/* A walk costs 1e3, another 1e6 where the table above the last is not cached, 1e9 where the one
 * above that is not; a load costs 1. */
static struct model machine_with_tables(uint64_t page_bytes)
{
    struct model m = small_model();
    m.page_bytes = page_bytes;
    m.memory_bytes = 64 * gib;
    add_tlb(&m, 1, 1, 0);
    m.memory_ns = 1;
    m.walk_ns = 1e3;
    add_row(&m.walk, 2, 2, 1e6);
    add_row(&m.walk, 1, 1, 1e9);
    return m;
}

TEST(tables_are_cached_by_what_they_cover)
{
    struct model m = machine_with_tables(4096);
    CYCLE(&m, 1, "page", 1, 4096);
    CYCLE(&m, 1024 * (1 + 1e3), "page", 1024, 4096); /* two tables of 512 pages */
    CYCLE(&m, 2 * (1 + 1e3), "page", 2, HUGE_PAGE);
    CYCLE(&m, 3 * (1 + 1e3 + 1e6), "page", 3, HUGE_PAGE);
    CYCLE(&m, 2 * (1 + 1e3), "page", 2, gib); /* the second level is not looked up */
    CYCLE(&m, 3 * (1 + 1e3 + 1e6 + 1e9), "page", 3, gib);
    struct model large = machine_with_tables(16384); /* 2048 entries in a table: 32 MiB */
    CYCLE(&large, 3 * (1 + 1e3 + 1e6), "page", 3, 16 * HUGE_PAGE);
    CYCLE(&large, 4 * (1 + 1e3), "page", 4, 8 * HUGE_PAGE);
    CYCLE(&large, 3 * (1 + 1e3 + 1e6), "page", 3, gib);
}

/* A huge page has no last table, so the one above it is looked up first. */
TEST(huge_pages_need_fewer_tables)
{
    struct model m = machine_with_tables(4096);
    m.walk.at[0].shape.entries = m.walk.at[0].shape.ways = 64;
    HUGE(&m, 2 * (1 + 1e3), 2, HUGE_PAGE, HUGE_PAGE);
    HUGE(&m, 2 * (1 + 1e3 + 1e9), 2, gib, HUGE_PAGE);
    HUGE(&m, 2 * (1 + 1e3), 2, gib, gib); /* nor that */
    m.splintered = true;
    HUGE(&m, 2 * (1 + 1e3), 2, gib, HUGE_PAGE);
}

/* ---- instructions ---- */

/* Every cycle has a new order. What comes as number i in one is gone in the next if the i before it
 * come before it there too, so that all eight others came between: a chance of 1 / (i + 1). */
TEST(code_goes_through_the_iTLB)
{
    struct model m = small_model();
    add_tlb(&m, 4, 4, 0);
    add_row(&m.itlb, 8, 8, 0);
    struct point p = point_of("page", 8, 4096);
    CU_ASSERT(cycle_ns(&m, &p, 1) > 8 * 1e12);
    p.kernel = &kernels[KERNEL_CODE];
    CYCLE_OF(&m, 8 * 1e6, &p);
    m.memory_ns = m.walk_ns = 1;
    p.pages = 9;
    CYCLE_OF(&m, 9 + 9, &p);
    p.layout = &layouts[LAYOUT_PACKED];
    p.spacing = 64;
    CYCLE_OF(&m, 9, &p);
}
