/* test_model.c: the simulated machine against cases counted by hand.
 *
 *     bin/.obj/plain/tests/tlb/simulate/test_model
 */
#include "access/kernel.h"
#include "small_model.h"

TEST(a_full_TLB_holds_its_entries_and_not_one_more)
{
    struct model m = small_model();
    add_tlb(&m, 8, 8, 0);
    CYCLE(&m, 1e6, "page", 1, 4096);
    CYCLE(&m, 8 * 1e6, "page", 8, 4096);
    CYCLE(&m, 9 * (1e6 + 1e12), "page", 9, 4096); /* cyclic order: the oldest is always the next */
    CYCLE(&m, 8 * 1e6, "packed", 8, 64);
    CYCLE(&m, 512 * 1e6, "packed", 512, 64); /* 8 pages */
}

TEST(a_TLBs_sets_overflow_one_by_one)
{
    struct model m = small_model();
    add_tlb(&m, 8, 2, 0); /* four sets of two ways */
    CYCLE(&m, 8 * 1e6, "page", 8, 4096);
    CYCLE(&m, 9 * 1e6 + 3 * 1e12, "page", 9, 4096);   /* one set has three */
    CYCLE(&m, 10 * 1e6 + 6 * 1e12, "page", 10, 4096); /* two sets have three */
    CYCLE(&m, 2 * 1e6, "page", 2, 4 * 4096);          /* four pages apart: all in one set */
    CYCLE(&m, 3 * (1e6 + 1e12), "page", 3, 4 * 4096);
    CYCLE(&m, 8 * 1e6, "page", 8, 3 * 4096); /* three pages apart: in every set */
    struct model odd = small_model();
    add_tlb(&odd, 12, 2, 0); /* six sets: the page number modulo six */
    CYCLE(&odd, 12 * 1e6, "page", 12, 4096);
    CYCLE(&odd, 13 * 1e6 + 3 * 1e12, "page", 13, 4096);
}

TEST(a_second_TLB_serves_what_the_first_misses)
{
    struct model m = small_model();
    add_tlb(&m, 4, 4, 0);
    add_tlb(&m, 16, 4, 1e9); /* four sets of four ways */
    CYCLE(&m, 4 * 1e6, "page", 4, 4096);
    CYCLE(&m, 5 * (1e6 + 1e9), "page", 5, 4096);
    CYCLE(&m, 16 * (1e6 + 1e9), "page", 16, 4096);
    CYCLE(&m, 17 * 1e6 + 12 * 1e9 + 5 * 1e12, "page", 17, 4096); /* the fifth in a set evicts */
    CYCLE(&m, 5 * (1e6 + 1e12), "page", 5, 4 * 4096);
}

/* A page that the first level always holds never reaches the second, which so holds one page more
 * than it could: but only from the third cycle on, when it has forgotten the first. */
TEST(each_level_is_in_its_steady_state)
{
    struct model m = small_model();
    add_tlb(&m, 4, 1, 0);   /* 0 and 4 push each other out, 1, 2 and 3 stay */
    add_tlb(&m, 4, 2, 1e9); /* 0, 2 and 4 are of one set of two ways */
    CYCLE(&m, 5 * 1e6 + 2 * 1e9, "page", 5, 4096);
    CYCLE(&m, 7 * 1e6 + 2 * 1e9 + 4 * 1e12, "page", 7, 4096); /* 1, 5 fit; 0, 2, 4, 6 do not */
}

TEST(caches_count_lines)
{
    struct model m = small_model();
    add_cache(&m, 8, 2, 1); /* four sets of two lines */
    add_cache(&m, 64, 64, 1e3);
    CYCLE(&m, 8, "packed", 8, 64);
    CYCLE(&m, 6 + 3 * 1e3, "packed", 9, 64);
    CYCLE(&m, 64 * 1e3, "packed", 64, 64);
    CYCLE(&m, 65 * 1e6, "packed", 65, 64);
    CYCLE(&m, 8, "page", 8, 4096); /* the stagger spreads them over the sets */
    CYCLE(&m, 3 * 1e3, "line", 3, 256);
    CYCLE(&m, 16, "packed", 16, 32); /* two nodes in a line */
}

/* A second level of one page's lines, one way: one page fits anywhere, two never do. With two
 * pages' lines, two pages fit where their frames differ in the lowest bit. */
TEST(page_frames_decide_beyond_the_first_level)
{
    struct model one = small_model(), two = small_model();
    add_cache(&one, 1, 1, 1);
    add_cache(&one, 64, 1, 1e3);
    CYCLE(&one, 64 * 1e3, "packed", 64, 64);
    CYCLE(&one, 128 * 1e6, "packed", 128, 64);
    add_cache(&two, 1, 1, 1);
    add_cache(&two, 128, 1, 1e3);
    struct point p = point_of("packed", 128, 64);
    int fits = 0, conflicts = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        double cycle = cycle_ns(&two, &p, seed) / 128;
        fits += cycle == 1e3;
        conflicts += cycle == 1e6;
    }
    CU_ASSERT_EQUAL(fits + conflicts, 200);
    CU_ASSERT(fits > 65 && fits < 135); /* 100 ± 5 standard deviations */
}

/* Memory is as large as the cache: every line has its own place if no frame is given twice. */
TEST(no_page_frame_is_given_twice)
{
    static const uint64_t sizes[] = {1, 2, 3, 5, 8, 13, 64, 100};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct model m = small_model();
        m.memory_bytes = sizes[i] * 4096;
        add_cache(&m, 1, 1, 1);
        add_cache(&m, sizes[i] * 64, 1, 1e3);
        CYCLE(&m, (double)sizes[i] * 64 * 1e3, "packed", sizes[i] * 64, 64);
    }
}

TEST(box_reuses_pages_within_a_window)
{
    struct model m = small_model();
    add_tlb(&m, 2, 2, 0);
    struct point p = point_of("box", 32, 256); /* windows of two pages, eight of them */
    p.buffer = 16 * 4096;
    for (int mode = CHAIN_RANDOM_BOX; mode <= CHAIN_DIFF_RANDOM_IN_BOX; mode++) {
        p.chain = (enum chain_mode)mode;
        CU_ASSERT_DOUBLE_EQUAL(cycle_ns(&m, &p, 1), 16 * 1e12 + 256 * 1e6, 1e3);
    }
    p.pages = 256; /* one window: hardly ever the same page again */
    CU_ASSERT(cycle_ns(&m, &p, 1) > 200 * 1e12);
}

TEST(the_printed_labs_kernels)
{
    struct model m = small_model();
    struct sample s;
    add_tlb(&m, 1, 1, 0);
    struct point p = point_of("line", 640, 64);
    p.kernel = &kernels[KERNEL_LINEAR];
    model_measure(&m, &p, 1, &s);
    CU_ASSERT_DOUBLE_EQUAL(s.ns, 1e6 + 1e12 / 64, 1); /* a page's 64 lines one after the other */
    CU_ASSERT_EQUAL(s.refs, 16384 * 640);
    CU_ASSERT_EQUAL(s.sum, s.refs);
    CU_ASSERT_EQUAL(s.loads, s.refs);
    CU_ASSERT_DOUBLE_EQUAL(s.proc_s, s.refs * s.ns * 1e-9, 1e-6);
    p.kernel = &kernels[KERNEL_DUMMY];
    p.pages = 3;
    model_measure(&m, &p, 1, &s);
    CU_ASSERT_EQUAL(s.ns, 1);
    CU_ASSERT_EQUAL(s.refs, 10485759);
}

/* Chains that are too long to walk cost what those just short enough do. */
TEST(a_part_represents_a_very_long_chain)
{
    struct model m = small_model();
    add_tlb(&m, 2000, 10, 0);
    m.walk_ns = 20;
    m.memory_ns = 100;
    add_cache(&m, 512, 8, 1);
    struct point p = point_of("line", 400000, 64);
    double whole = cycle_ns(&m, &p, 1) / 400000;
    p.pages = 400001;
    CU_ASSERT_DOUBLE_EQUAL(cycle_ns(&m, &p, 1) / 400001 / whole, 1, 0.005);
    CU_ASSERT(whole > 111 && whole < 114); /* 2000 of 6250 pages */
    p.pages = 799999;                      /* no multiple of what is walked; 2000 of 12500 pages */
    CU_ASSERT_DOUBLE_EQUAL(cycle_ns(&m, &p, 1) / 799999, 120 - 20.0 * 2000 / 12500, 0.3);
    p = point_of("box", 64, 64);
    p.buffer = (uint64_t)1 << 29;
    double nodes = (double)layout_nodes(&p);
    CU_ASSERT_DOUBLE_EQUAL(cycle_ns(&m, &p, 1) / nodes, 100 + 20.0 / 64, 0.01);
    p.pages = layout_nodes(&p);
    CU_ASSERT_DOUBLE_EQUAL(cycle_ns(&m, &p, 1) / nodes, 120 - 20.0 * 2000 / 131072, 0.2);
}

TEST(a_sample_depends_on_seed_and_point_alone)
{
    struct model m = small_model();
    add_tlb(&m, 64, 4, 0);
    add_cache(&m, 512, 8, 1);
    add_cache(&m, 2048, 8, 1e3);
    struct point p = point_of("page", 1500, 4096), q = point_of("packed", 1500, 64);
    double first = cycle_ns(&m, &p, 7);
    cycle_ns(&m, &q, 7);
    CU_ASSERT_EQUAL(cycle_ns(&m, &p, 7), first);
    CU_ASSERT_NOT_EQUAL(cycle_ns(&m, &p, 8), first);
    p.sample = 1;
    CU_ASSERT_NOT_EQUAL(cycle_ns(&m, &p, 7), first);
    p.sample = 0;
    p.role = ROLE_REFINE; /* why a point is measured does not change it */
    p.page_bytes = 65536; /* nor does the page that another machine would have */
    CU_ASSERT_EQUAL(cycle_ns(&m, &p, 7), first);
}

TEST(refuses_what_does_not_fit)
{
    struct model m = small_model();
    struct point p = point_of("box", 8, 64);
    CU_ASSERT_PTR_NOT_NULL(model_refuses(&m, &p)); /* no buffer */
    p = point_of("page", (uint64_t)1 << 18, 4096);
    CU_ASSERT_PTR_NULL(model_refuses(&m, &p));
    p.pages++;
    CU_ASSERT_PTR_NOT_NULL(model_refuses(&m, &p));
    p = point_of("page", 1000, (uint64_t)1 << 40); /* address space is not memory */
    CU_ASSERT_PTR_NULL(model_refuses(&m, &p));
    p = point_of("page", (uint64_t)1 << 40, (uint64_t)1 << 40);
    CU_ASSERT_PTR_NOT_NULL(model_refuses(&m, &p));
}

/* Two levels of one set: 4 lines, and 64 that are fetched in pairs, in fours, or of which half have
 * to go: then both go. */
TEST(lines_that_are_fetched_together)
{
    struct model m = small_model();
    add_cache(&m, 4, 4, 1);
    struct model_level *second = add_cache(&m, 64, 64, 1e3);
    CYCLE(&m, 64 * 1e6 + 64 * 1e6, "pair", 128, 64);
    second->fetch_bytes = 128;
    CYCLE(&m, 128 * 1e6 - 64 * (1e6 - 1e3), "pair", 128, 64);
    CYCLE(&m, 128 * 1e6, "pair", 128, 128);
    CYCLE(&m, 16 * 1e3, "pair", 16, 64);  /* 16 lines, and they fit */
    CYCLE(&m, 32 * 1e3, "pair", 32, 128); /* 32, and as many that were not requested */
    CYCLE(&m, 34 * 1e6, "pair", 34, 128); /* so two more do not fit */
    second->fetch_bytes = 256;
    CYCLE(&m, 128 * 1e6 - 64 * (1e6 - 1e3), "pair", 128, 128);
    CYCLE(&m, 128 * 1e6, "pair", 128, 256);
    m.cache.at[0].fetch_bytes = 128; /* and the first in pairs: a hit */
    CYCLE(&m, 64 * 1e6 + 64, "pair", 128, 64);
}
