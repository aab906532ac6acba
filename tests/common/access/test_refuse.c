/* test_refuse.c: what makes a point impossible is said, and the rest is possible. */
#include "access/kernel.h"
#include "access/layout.h"
#include "named.h"
#include "tap.h"
#include <string.h>

/* The reason begins with this. */
static bool refuses(const struct point *p, const char *begin)
{
    const char *why = point_refuses(p);
    return why != NULL && strncmp(why, begin, strlen(begin)) == 0;
}

TEST(nodes_have_room_for_what_they_hold)
{
    struct point p = point_of("line", 64, 64);
    CU_ASSERT_PTR_NULL(point_refuses(&p));
    p.spacing = 12;
    CU_ASSERT_TRUE(refuses(&p, "spacing 12: nodes hold pointers, so their distance is a multiple"));
    p.spacing = 24;
    CU_ASSERT_PTR_NULL(point_refuses(&p));
    p.kernel = &kernels[KERNEL_WRITE];
    CU_ASSERT_TRUE(refuses(&p, "spacing 24: nodes hold a pointer and a word, so"));
    p.kernel = &kernels[KERNEL_CODE];
    CU_ASSERT_TRUE(refuses(&p, "spacing 24: nodes are code, so"));
    p.spacing = 32;
    CU_ASSERT_PTR_NULL(point_refuses(&p));
}

TEST(chains_are_as_many_as_kernel_and_layout_allow)
{
    struct point p = point_of("line", 64, 64);
    p.chains = KERNEL_CHAINS;
    CU_ASSERT_PTR_NULL(point_refuses(&p));
    p.pages = KERNEL_CHAINS - 1;
    CU_ASSERT_TRUE(refuses(&p, "chains 16: more chains than nodes"));
    p.chains = KERNEL_CHAINS + 1;
    CU_ASSERT_TRUE(refuses(&p, "chains 17: a core walks 1 to 16"));
    p.chains = 2;
    p.kernel = &kernels[KERNEL_WRITE];
    CU_ASSERT_TRUE(refuses(&p, "chains 2: this kernel walks one"));
    p.kernel = &kernels[KERNEL_READ];
    p.layout = &layouts[LAYOUT_BOX];
    CU_ASSERT_TRUE(refuses(&p, "chains 2: several chains go with every layout but box and set"));
    p.layout = &layouts[LAYOUT_SET];
    CU_ASSERT_TRUE(refuses(&p, "chains 2: several chains go with every layout but box and set"));
}

TEST(a_kernel_has_the_layout_that_it_walks)
{
    struct point p = point_of("line", 64, 64);
    p.kernel = &kernels[KERNEL_LINEAR];
    CU_ASSERT_PTR_NULL(point_refuses(&p));
    p.layout = &layouts[LAYOUT_PACKED];
    CU_ASSERT_TRUE(refuses(&p, "kernel linear walks memory in order, on layout line only"));
    p.kernel = &kernels[KERNEL_RANDOM];
    CU_ASSERT_TRUE(refuses(&p, "kernel random draws pages and nodes in them, on layout local"));
    p.layout = &layouts[LAYOUT_LOCAL];
    CU_ASSERT_PTR_NULL(point_refuses(&p));
    p.pages = 65;
    CU_ASSERT_TRUE(refuses(&p, "kernel random: the nodes must fill whole pages"));
    p.spacing = 4096;
    CU_ASSERT_TRUE(refuses(&p, "kernel random: nodes are a power of two of bytes apart"));
    p.spacing = 192;
    CU_ASSERT_TRUE(refuses(&p, "kernel random: nodes are a power of two of bytes apart"));
}

TEST(a_box_has_a_buffer_for_its_window)
{
    struct point p = point_of("line", 64, 64);
    p.layout = &layouts[LAYOUT_BOX];
    CU_ASSERT_TRUE(refuses(&p, "layout box needs metadata buffer_bytes"));
    p.buffer = 127;
    CU_ASSERT_TRUE(refuses(&p, "buffer 127: it holds fewer than 2 nodes 64 bytes apart"));
    p.buffer = 64 * 64 - 1;
    CU_ASSERT_TRUE(refuses(&p, "pages 64: the window is larger than the buffer"));
    p.buffer = 64 * 64;
    CU_ASSERT_PTR_NULL(point_refuses(&p));
}

TEST(targets_are_whole_pages_apart_and_make_whole_rounds)
{
    struct point p = point_of("line", 64, 64);
    p.layout = &layouts[LAYOUT_SET];
    CU_ASSERT_TRUE(refuses(&p, "spacing 64: layout set has its targets a multiple of 4096"));
    p.spacing = 0;
    CU_ASSERT_TRUE(refuses(&p, "spacing 0: layout set has its targets a multiple of 4096"));
    p.spacing = 8192;
    CU_ASSERT_TRUE(refuses(&p, "layout set needs `targets` above 0"));
    p.targets = 20;
    p.others = 12;
    CU_ASSERT_PTR_NULL(point_refuses(&p));
    p.kernel = &kernels[KERNEL_WRITE];
    CU_ASSERT_TRUE(
        refuses(&p, "kernel write: its nodes are too large for the rounds of layout set"));
    p.pages = 32;
    CU_ASSERT_PTR_NULL(point_refuses(&p));
    p.others_spacing = 12288;
    CU_ASSERT_PTR_NULL(point_refuses(&p));
    p.others_spacing = 24576;
    CU_ASSERT_TRUE(refuses(&p, "spacing 8192: a multiple of 16384 keeps targets off the pages of"));
    p.others_spacing = 0;
    p.spacing = 4096;
    CU_ASSERT_TRUE(refuses(&p, "spacing 4096: a multiple of 8192 keeps targets off the pages of"));
    p.kernel = &kernels[KERNEL_READ];
    p.others = 0;
    p.targets = 1;
    p.pages = 512;
    CU_ASSERT_PTR_NULL(point_refuses(&p));
    p.pages = 513;
    CU_ASSERT_TRUE(refuses(&p, "pages 513: a chain of layout set makes at most 512 rounds"));
    p.spacing = 8192;
    p.pages = 32;
    p.targets = 20;
    p.others = 13;
    CU_ASSERT_TRUE(refuses(&p, "layout set needs"));
    p.pages = 20;
    p.others = UINT64_MAX;
    CU_ASSERT_TRUE(refuses(&p, "layout set needs"));
}

TEST(what_64_bits_cannot_address_is_impossible)
{
    struct point p = point_of("line", 64, 64);
    p.pages = UINT64_MAX / 64;
    CU_ASSERT_PTR_NULL(point_refuses(&p));
    p.pages++;
    CU_ASSERT_TRUE(refuses(&p, "pages 288230376151711744: nodes 64 bytes apart do not fit into"));
}

TEST(huge_pages_alone_are_larger_than_base_pages)
{
    const struct backing *huge = &backings[BACKING_HUGE];
    const struct backing *contiguous = &backings[BACKING_CONTIGUOUS];
    CU_ASSERT_PTR_NULL(backing_refuses(huge, 8192, 4096));
    CU_ASSERT_PTR_NULL(backing_refuses(contiguous, 4096, 4096));
    CU_ASSERT_STRING_EQUAL(backing_refuses(huge, 4096, 4096),
                           "backing huge has no pages of 4096 bytes: the base page has 4096");
    CU_ASSERT_STRING_EQUAL(backing_refuses(contiguous, 8192, 4096),
                           "backing contiguous has no pages of 8192 bytes: the base page has 4096");
}
