/* test_trace_tlb.c: the TLBs of a trace against a slow and plain model, access for access, over
 * random machines; walks by hand.
 *
 *     bin/.obj/plain/tests/trace/test_trace_tlb
 */
#include "base/number.h"
#include "slow_tlb.h"
#include "tap.h"
#include "trace/tlbs/frame_groups.h"
#include "trace/tlbs/tlb.h"
#include <stdio.h>

static struct random rng;

static uint64_t draw(uint64_t from, uint64_t to)
{
    return from + random_below(&rng, to - from + 1);
}

/* Ways are mostly few; 24 and more are searched by vectors, more than 32 by a hash. */
static struct model_level draw_level(int number, uint64_t page, uint64_t coalesce)
{
    bool many = draw(0, 3) == 0;
    uint64_t ways = many ? draw(7, SLOW_ENTRIES) : draw(1, 6);
    uint64_t sets = draw(1, number == 1 ? 3 : 8);
    sets = ways * sets > SLOW_ENTRIES ? SLOW_ENTRIES / ways : sets;
    struct model_level level = {.number = number, .page_bytes = page, .coalesce = coalesce};
    level.shape = (struct assoc_shape){.entries = ways * sets,
                                       .ways = ways,
                                       .replacement = (enum assoc_replacement)draw(0, 5),
                                       .key = draw(1, 1000)};
    if (sets > 1)
        level.shape.index = draw(0, 1) ? INDEX_LINEAR : INDEX_HASHED;
    if (sets > 1 && is_power_of_two(sets) && draw(0, 2) == 0) {
        level.shape.index = INDEX_XOR;
        level.shape.fold = (unsigned)draw(1, 5);
    }
    if (sets > 1 && is_power_of_two(sets) && draw(0, 3) == 0) {
        level.shape.index = INDEX_BITS;
        for (unsigned bit = 0; sets >> bit > 1; bit++)
            level.shape.mask[bit] = draw(1, draw(0, 1) ? 255 : 0xffffff);
    }
    if (number > 1)
        level.relation = (enum relation)draw(0, 2);
    return level;
}

/* Rows for all sizes of pages. No level is shared, or each by all sizes, data and code, or the
 * first one by all sizes alone: then what it evicts belongs to different second levels. */
static void draw_rows(struct model *m, const uint64_t *sizes, int kinds)
{
    static const char *const words[] = {"one", "two", "three"};
    int levels = (int)draw(1, 3);
    uint64_t coalesce = (uint64_t)1 << draw(0, 2);
    uint64_t shared = draw(0, 2);
    for (int number = 1; number <= levels; number++) {
        struct model_level level = draw_level(number, sizes[0], coalesce);
        bool same = shared == 1 || (shared == 2 && number == 1);
        level.shared = same ? words[number - 1] : NULL;
        for (int kind = 0; kind < kinds; kind++) {
            enum relation relation = level.relation;
            if (!same)
                level = draw_level(number, sizes[kind], coalesce);
            level.relation = relation;
            level.page_bytes = sizes[kind];
            m->dtlb.at[m->dtlb.count++] = level;
            m->itlb.at[m->itlb.count++] = level;
            if (shared == 2 && number == 1)
                m->itlb.at[m->itlb.count - 1].shared = "code";
        }
    }
}

static void draw_machine(struct model *m, const uint64_t *sizes, int kinds)
{
    *m = (struct model){.page_bytes = sizes[0],
                        .line_bytes = 64,
                        .memory_bytes = (uint64_t)1 << 36,
                        .user_address_bits = 47};
    draw_rows(m, sizes, kinds);
    int walks = (int)draw(0, 3);
    for (int number = 1; number <= walks; number++) {
        m->walk.at[m->walk.count] = draw_level(number, 0, 1);
        m->walk.at[m->walk.count++].relation = INCLUSION_NEITHER;
    }
}

/* Mostly near the addresses before, sometimes far away. */
static uint64_t draw_address(uint64_t before)
{
    static const uint64_t spans[] = {0x8000, 0x40000, 0x1000000, 0x40000000, 0x10000000000};
    uint64_t span = spans[draw(0, 9) % 5 * (draw(0, 3) == 0)];
    if (draw(0, 3) == 0)
        return draw(0, spans[draw(0, 4)]) & 0x7fffffffffff;
    return (before + draw(0, span)) & 0x7fffffffffff;
}

/* Returns the number of accesses in which the two differ. */
static int compare(const struct model *m, struct pages *pages, bool contiguous, int accesses)
{
    static struct slow slow;
    static struct tlb tlb;
    struct tlb_plan plan = tlb_plan(m, pages, contiguous, 0);
    int differences = 0;
    uint64_t address = 0, seed = draw(1, 1000);
    memset(&slow, 0, sizeof slow);
    slow.model = m;
    slow.seed = seed;
    slow.contiguous = contiguous;
    for (int kind = 0; kind < pages->kinds; kind++) /* in the order of the plan, for random seeds */
        for (int code = 0; code < 2; code++) {
            const struct model_level *row[MODEL_LEVELS];
            int levels = model_levels(code ? &m->itlb : &m->dtlb, (uint64_t)1 << pages->shift[kind],
                                      row);
            for (int i = 0; i < levels; i++)
                slow_structure_of(&slow, row[i]);
            levels = model_levels(&m->walk, m->page_bytes, row);
            for (int i = 0; i < levels; i++)
                if (pages->shift[0] + (unsigned)(i + 1) * (pages->shift[0] - 3) >
                    pages->shift[kind])
                    slow_structure_of(&slow, row[i]);
        }
    tlb_open(&tlb, &plan, seed);
    for (int i = 0; i < accesses; i++) {
        address = draw_address(address);
        int kind = pages_kind(pages, address);
        bool executes = draw(0, 3) == 0;
        int levels = slow_access(&slow, address, pages->shift[kind], executes);
        int found = tlb_access(&tlb, tlb_chain(&plan, kind, executes), address);
        bool walked = found == tlb_chain(&plan, kind, executes)->levels;
        differences += found != levels || (walked && tlb.references != slow.references);
    }
    tlb_close(&tlb);
    return differences;
}

TEST(random_machines_miss_as_the_slow_model_does)
{
    static struct model m;
    static const uint64_t sizes[] = {4096, 2 << 20, 1 << 30};
    int machines = tap_brief() ? 60 : 1200;
    for (int i = 0; i < machines; i++) {
        struct pages pages;
        const char *why;
        random_seed(&rng, 7, (uint64_t)i);
        int kinds = (int)draw(1, 3);
        draw_machine(&m, sizes, kinds);
        pages_open(&pages, 4096);
        if (kinds > 1)
            CU_ASSERT(pages_put(&pages, 0x10000, 0x900000, 2 << 20, &why));
        if (kinds > 2)
            CU_ASSERT(pages_put(&pages, 0x40000000, 0x80000001, 1 << 30, &why));
        int differences = compare(&m, &pages, draw(0, 1), 2000);
        if (differences > 0)
            printf("# machine %d: %d of 2000 accesses differ\n", i, differences);
        CU_ASSERT_EQUAL(differences, 0);
        pages_close(&pages);
    }
}

/* Four tables; three of a huge page; less what the cache knows; in a guest (g + 1) (h + 1) - 1. */
TEST(walks_need_as_many_references_as_tables_are_left)
{
    static struct model m = {.page_bytes = 4096, .line_bytes = 64, .user_address_bits = 47};
    struct pages pages;
    const char *why;
    static struct tlb tlb;
    struct model_level level = {.number = 1, .coalesce = 1, .shape = {.entries = 1, .ways = 1}};
    m.dtlb.at[0] = level;
    m.dtlb.count = 1;
    m.walk.at[0] = level;
    m.walk.count = 1;
    pages_open(&pages, 4096);
    CU_ASSERT(pages_parse(&pages, "40000000-80000000:2M", &why));
    static const uint64_t hosts[] = {0, 4096, 2 << 20};
    static const unsigned first[] = {4, 24, 19}, known[] = {1, 9, 7}, huge[] = {3, 19, 15};
    for (int i = 0; i < 3; i++) {
        struct tlb_plan plan = tlb_plan(&m, &pages, false, hosts[i]);
        tlb_open(&tlb, &plan, 1);
        tlb_access(&tlb, &plan.data[0], 0x1000);
        CU_ASSERT_EQUAL(tlb.references, first[i]);
        tlb_access(&tlb, &plan.data[0], 0x2000); /* the same table */
        CU_ASSERT_EQUAL(tlb.references, known[i]);
        tlb_access(&tlb, &plan.data[1], 0x40000000);
        CU_ASSERT_EQUAL(tlb.references, huge[i]);
        tlb_close(&tlb);
    }
    pages_close(&pages);
}

/* Addresses that four tables do not translate: of x86, where a program's have 47 bits, and of Arm.
 */
TEST(an_address_of_five_levels_of_tables_needs_five_references)
{
    static struct model m = {.page_bytes = 4096, .line_bytes = 64};
    static const struct {
        uint64_t address;
        unsigned of_x86, of_arm;
    } cases[] = {
        {0x7ffffffff000, 4, 4},     {0x800000000000, 5, 4},     {0x1000000000000, 5, 5},
        {0xff12345678a000, 5, 5},   {0xffffffff81000000, 4, 4}, {0xffff800000000000, 4, 4},
        {0xff11000000000000, 5, 5},
    };
    struct model_level level = {.number = 1, .coalesce = 1, .shape = {.entries = 1, .ways = 1}};
    struct pages pages;
    static struct tlb tlb;
    m.dtlb.at[0] = level;
    m.dtlb.count = 1;
    pages_open(&pages, 4096);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int arm = 0; arm < 2; arm++) {
            m.user_address_bits = arm ? 48 : 47;
            struct tlb_plan plan = tlb_plan(&m, &pages, false, 0);
            tlb_open(&tlb, &plan, 1);
            tlb_access(&tlb, &plan.data[0], cases[i].address);
            CU_ASSERT_EQUAL(tlb.references, arm ? cases[i].of_arm : cases[i].of_x86);
            tlb_close(&tlb);
        }
    pages_close(&pages);
}

/* A range of pages may end at the last address. */
TEST(a_range_of_pages_may_end_at_the_last_address)
{
    struct pages pages;
    const char *why;
    pages_open(&pages, 4096);
    CU_ASSERT(pages_parse(&pages, "0-1,ffffffffffe00000-ffffffffffffffff:2M", &why));
    CU_ASSERT_EQUAL(pages.shift[pages_kind(&pages, UINT64_MAX)], 21);
    CU_ASSERT_EQUAL(pages.shift[pages_kind(&pages, 0x1fffff)], 21);
    CU_ASSERT_EQUAL(pages.shift[pages_kind(&pages, 0x200000)], 12);
    pages_close(&pages);
}

TEST(a_filter_that_matters_is_refused)
{
    static struct model m = {.page_bytes = 4096, .line_bytes = 64};
    struct pages pages;
    m.dtlb.at[0] = (struct model_level){
        .number = 1, .coalesce = 1, .shape = {.entries = 4, .ways = 4}};
    m.dtlb.count = 1;
    pages_open(&pages, 4096);
    struct tlb_plan plan = tlb_plan(&m, &pages, false, 0);
    CU_ASSERT_PTR_NULL(tlb_refuses_filter(&plan, &pages, 0, 1));
    CU_ASSERT_PTR_NULL(tlb_refuses_filter(&plan, &pages, 4096, 1));
    CU_ASSERT_PTR_NOT_NULL(tlb_refuses_filter(&plan, &pages, 8192, 1));
    CU_ASSERT_PTR_NULL(tlb_refuses_filter(&plan, &pages, 4096, 4));
    CU_ASSERT_PTR_NOT_NULL(tlb_refuses_filter(&plan, &pages, 4096, 5));
    m.dtlb.at[0].shape.replacement = REPLACE_FIFO;
    plan = tlb_plan(&m, &pages, false, 0);
    CU_ASSERT_PTR_NULL(tlb_refuses_filter(&plan, &pages, 4096, 1));
    CU_ASSERT_PTR_NOT_NULL(tlb_refuses_filter(&plan, &pages, 4096, 2));
    m.dtlb.at[0].shape.replacement = REPLACE_SRRIP;
    plan = tlb_plan(&m, &pages, false, 0);
    CU_ASSERT_PTR_NULL(tlb_refuses_filter(&plan, &pages, 0, 1));
    CU_ASSERT_PTR_NOT_NULL(tlb_refuses_filter(&plan, &pages, 64, 1));
    pages_close(&pages);
}

TEST(ranges_of_pages_are_found_and_refused)
{
    struct pages p;
    const char *why;
    pages_open(&p, 4096);
    CU_ASSERT(pages_parse(&p, "200000-400000,600000-7fffff:2M,40000000-40000001:1G", &why));
    CU_ASSERT_EQUAL(p.shift[pages_kind(&p, 0x1fffff)], 12);
    CU_ASSERT_EQUAL(p.shift[pages_kind(&p, 0x200000)], 21);
    CU_ASSERT_EQUAL(p.shift[pages_kind(&p, 0x3fffff)], 21);
    CU_ASSERT_EQUAL(p.shift[pages_kind(&p, 0x400000)], 12);
    CU_ASSERT_EQUAL(p.shift[pages_kind(&p, 0x7fffffff)], 30);
    CU_ASSERT_FALSE(pages_parse(&p, "40200000-40300000:2M", &why)); /* within the 1 GiB page */
    CU_ASSERT(pages_parse(&p, "300000-700000", &why));              /* joins two */
    CU_ASSERT_EQUAL(p.count, 2);
    CU_ASSERT_EQUAL(p.shift[pages_kind(&p, 0x500000)], 21);
    static const char *const bad[] = {"", "x", "5-4", "1000-2000:3M", "1000-2000:2Mx", "1000"};
    for (size_t i = 1; i < sizeof bad / sizeof *bad; i++)
        CU_ASSERT_FALSE(pages_parse(&p, bad[i], &why));
    pages_close(&p);
}

TEST(the_highest_bit_is_the_shift_of_a_page)
{
    CU_ASSERT_EQUAL(highest_bit(0), 0); /* a level without coalescing */
    CU_ASSERT_EQUAL(highest_bit(1), 0);
    CU_ASSERT_EQUAL(highest_bit(4096), 12);
    CU_ASSERT_EQUAL(highest_bit(8191), 12);
    CU_ASSERT_EQUAL(highest_bit(UINT64_MAX), 63);
}

/* ---- entries that hold several pages ---- */

TEST(blocks_of_pages_on_blocks_of_frames_are_one_entry_each)
{
    struct frame_groups groups = {0};
    for (uint64_t page = 0; page < 1024; page++)
        frame_groups_add(&groups, page, 4096 + page);
    for (unsigned k = 0; k < FRAME_GROUPS; k++)
        CU_ASSERT_EQUAL(groups.entries[k], (uint64_t)1024 >> k);
}

TEST(pages_in_another_order_or_on_other_bounds_have_entries_of_their_own)
{
    struct frame_groups shifted = {0}, reversed = {0}, gap = {0};
    for (uint64_t page = 0; page < 64; page++) {
        frame_groups_add(&shifted, page, 4098 + page); /* aligned to two pages alone */
        frame_groups_add(&reversed, page, 4095 - page);
        if (page % 4 != 1)
            frame_groups_add(&gap, page, 4096 + page);
    }
    CU_ASSERT_EQUAL(shifted.entries[0], 64);
    CU_ASSERT_EQUAL(shifted.entries[1], 32);
    CU_ASSERT_EQUAL(shifted.entries[2], 64);
    CU_ASSERT_EQUAL(reversed.entries[1], 64);
    CU_ASSERT_EQUAL(gap.entries[0], 48);
    CU_ASSERT_EQUAL(gap.entries[2], 16); /* a page that is missing takes no entry */
}
