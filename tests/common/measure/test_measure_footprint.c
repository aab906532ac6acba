/* test_measure_footprint.c: what a point takes of memory and of address space, on a machine with
 * pages of 4 KiB and 2 MiB, whose memory the test sets. */
#define platform_page_bytes    simulated_page_bytes
#define platform_huge_bytes    simulated_huge_bytes
#define platform_huge_pool     simulated_huge_pool
#define platform_memory        simulated_memory
#define platform_address_space simulated_address_space

#include "base/error.h"
#include "measure/footprint.c"
#include "named.h"
#include "tap.h"
#include <string.h>

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)

static struct {
    uint64_t huge, pool, available, space;
} simulated;

uint64_t simulated_page_bytes(void)
{
    return 4 * KIB;
}

uint64_t simulated_huge_bytes(void)
{
    return simulated.huge;
}

uint64_t simulated_huge_pool(uint64_t page_bytes)
{
    (void)page_bytes;
    return simulated.pool;
}

struct platform_memory simulated_memory(void)
{
    return (struct platform_memory){.available = simulated.available, .source = "a test"};
}

uint64_t simulated_address_space(void)
{
    return simulated.space;
}

static struct point line_of(uint64_t nodes, uint64_t spacing)
{
    simulated.huge = 2 * MIB;
    simulated.pool = 0;
    return point_of("line", nodes, spacing);
}

static bool touches(const struct footprint *f, uint64_t count, uint64_t distance)
{
    return f->pages.count == count && f->pages.distance == distance;
}

/* ---- what is needed ---- */

/* One table of each of the four levels, and four bytes a node. */
TEST(a_buffer_takes_its_pages_their_tables_and_its_chain)
{
    struct point p = line_of(1024, 64);
    struct footprint f = footprint_of(&p, false);
    CU_ASSERT_EQUAL(f.bytes, 64 * KIB);
    CU_ASSERT_TRUE(touches(&f, 16, 4 * KIB));
    CU_ASSERT_EQUAL(f.targets.count, 0);
    CU_ASSERT_EQUAL(f.wanted, (16 + 4) * 4096 + 1024 * 4);
}

/* 2 MiB apart each has a table of the lowest level, 1 GiB apart of the next one too. */
TEST(pages_far_apart_have_tables_of_their_own)
{
    struct point p = line_of(64, 2 * MIB);
    struct footprint f = footprint_of(&p, false);
    CU_ASSERT_TRUE(touches(&f, 64, 2 * MIB));
    CU_ASSERT_EQUAL(f.wanted, (64 + 64 + 3) * 4096 + 64 * 4);
    p = line_of(64, 1024 * MIB);
    CU_ASSERT_EQUAL(footprint_of(&p, false).wanted, (64 + 64 + 64 + 2) * 4096 + 64 * 4);
}

TEST(nodes_a_page_or_more_apart_touch_their_own_pages_alone)
{
    struct point p = line_of(100, 4 * KIB);
    struct footprint f = footprint_of(&p, false);
    CU_ASSERT_TRUE(touches(&f, 100, 4 * KIB));
    p = line_of(100, 8 * KIB);
    f = footprint_of(&p, false);
    CU_ASSERT_TRUE(touches(&f, 100, 8 * KIB));
    f = footprint_of(&p, true); /* what is locked is locked as a whole */
    CU_ASSERT_TRUE(touches(&f, 200, 4 * KIB));
}

TEST(contiguous_memory_is_taken_in_huge_pages)
{
    struct point p = line_of(100, 8 * KIB);
    p.backing = &backings[BACKING_CONTIGUOUS];
    struct footprint f = footprint_of(&p, false);
    CU_ASSERT_EQUAL(f.bytes, 2 * MIB);
    CU_ASSERT_TRUE(touches(&f, 512, 4 * KIB));
    simulated.huge = 64 * MIB; /* too large for that */
    CU_ASSERT_EQUAL(footprint_of(&p, false).bytes, 800 * KIB);
    simulated.huge = 32 * MIB;
    CU_ASSERT_EQUAL(footprint_of(&p, false).bytes, 32 * MIB);
    simulated.huge = 0;
    CU_ASSERT_EQUAL(footprint_of(&p, false).bytes, 800 * KIB);
}

/* A huge page needs no table of the lowest level. */
TEST(huge_pages_of_a_pool_take_nothing_from_others)
{
    struct point p = line_of(4, 2 * MIB);
    p.backing = &backings[BACKING_HUGE];
    p.page_bytes = 2 * MIB;
    simulated.pool = 3;
    CU_ASSERT_EQUAL(footprint_of(&p, false).wanted, 4.0 * 2 * MIB + 3 * 4096 + 4 * 4);
    simulated.pool = 4;
    CU_ASSERT_EQUAL(footprint_of(&p, false).wanted, 0);
    p.spacing = 2 * MIB - 64; /* rounded up to whole ones */
    CU_ASSERT_EQUAL(footprint_of(&p, false).bytes, 8 * MIB);
}

TEST(a_set_has_its_targets_beside_a_window_of_others)
{
    struct point p = line_of(12, 2 * MIB);
    p.layout = &layouts[LAYOUT_SET];
    p.targets = 8;
    p.others = 4;
    struct footprint f = footprint_of(&p, false);
    CU_ASSERT_EQUAL(f.targets.count, 8);
    CU_ASSERT_EQUAL(f.targets.distance, 2 * MIB);
    CU_ASSERT_TRUE(touches(&f, layout_others_pages(&p), 4 * KIB));
    struct point alone = p;
    alone.others = 0; /* as far as the targets move from sample to sample */
    double moved = 8.0 * 4096 * (double)layout_others_pages(&alone);
    CU_ASSERT_TRUE(f.wanted > moved + (double)f.pages.count * 4096);
    CU_ASSERT_TRUE(f.wanted < moved + (double)(f.pages.count + 40) * 4096);
}

/* ---- what is allowed ---- */

static struct memory_options options;
static double wanted;
static uint64_t bytes;

static void check(void)
{
    struct point p = line_of(1024, 64);
    struct footprint need = {.bytes = bytes, .wanted = wanted, .pages = {1, 4096}};
    footprint_check(&need, &p, &options, true);
}

/* The status, and whether the message is there. */
static bool checked(int status, const char *message)
{
    char output[1024];
    return tap_fork(check, "", output, sizeof output) == status &&
           (*message != '\0' ? strstr(output, message) != NULL : *output == '\0');
}

static void ask(double mib, uint64_t available_mib)
{
    options = (struct memory_options){.sizes_given = false};
    simulated.available = available_mib * MIB;
    simulated.space = 1024 * MIB;
    wanted = mib * (double)MIB;
    bytes = MIB;
}

TEST(more_than_half_of_the_memory_must_be_asked_for_by_name)
{
    ask(50, 100);
    CU_ASSERT_TRUE(checked(0, ""));
    ask(50.5, 100);
    CU_ASSERT_TRUE(checked(STATUS_BAD, "choose the size to take more"));
    options.sizes_given = true;
    CU_ASSERT_TRUE(checked(0, "other programs may be pushed out"));
}

TEST(more_than_the_memory_there_is_is_refused)
{
    ask(100, 100);
    options.sizes_given = true;
    CU_ASSERT_TRUE(checked(0, "other programs"));
    ask(100.5, 100);
    options.sizes_given = true;
    CU_ASSERT_TRUE(checked(STATUS_BAD, "and 100 MiB are available (a test)"));
    options.swap_bytes = MIB;
    CU_ASSERT_TRUE(checked(0, "other programs"));
}

TEST(more_than_the_address_space_there_is_is_refused)
{
    ask(1, 100);
    bytes = 1024 * MIB;
    CU_ASSERT_TRUE(checked(0, ""));
    bytes++;
    CU_ASSERT_TRUE(checked(STATUS_BAD, "1.0 GiB of address space, and 1.0 GiB"));
}
