/* test_options.c: options of the measuring programs, from words to values.
 *
 *     bin/.obj/plain/tests/common/access/test_options
 */
#include "access/kernel.h"
#include "access/layout.h"
#include "access/point_options.h"
#include "base/error.h"
#include "named.h"
#include "tap.h"
#include <stdlib.h>
#include <string.h>

/* The word that a child process tries. */
static const char *word;
static const struct kernel *kernel;
static struct point point;
static uint64_t number;

static void try_layouts(void)
{
    const struct layout *chosen[OPTION_LAYOUTS];
    option_layouts(word, kernel, chosen);
}

TEST(layouts_are_read_from_a_list)
{
    const struct layout *chosen[OPTION_LAYOUTS];
    const struct kernel *linear = &kernels[KERNEL_LINEAR];
    CU_ASSERT_EQUAL(option_layouts(NULL, &kernels[KERNEL_READ], chosen), 1);
    CU_ASSERT_STRING_EQUAL(chosen[0]->name, "page");
    CU_ASSERT_PTR_NULL(chosen[1]);
    CU_ASSERT_EQUAL(option_layouts(NULL, linear, chosen), 1);
    CU_ASSERT_STRING_EQUAL(chosen[0]->name, "line");
    CU_ASSERT_EQUAL(option_layouts("packed,page,line,box", &kernels[KERNEL_READ], chosen), 4);
    CU_ASSERT_STRING_EQUAL(chosen[0]->name, "packed");
    CU_ASSERT_STRING_EQUAL(chosen[3]->name, "box");
    CU_ASSERT_PTR_NULL(chosen[4]);
    kernel = &kernels[KERNEL_READ];
    word = "page,";
    CU_ASSERT_TRUE(tap_refuses(try_layouts, "", "--layout ''"));
    word = "page packed";
    CU_ASSERT_TRUE(
        tap_refuses(try_layouts, "", "--layout 'page packed': there are page, packed, line, box"));
}

static void try_chain(void)
{
    option_chain(word);
}

TEST(words_of_chain_are_known_others_refused)
{
    CU_ASSERT_EQUAL(option_chain(NULL), CHAIN_RANDOM_BOX);
    CU_ASSERT_EQUAL(option_chain("auto"), CHAIN_RANDOM_BOX);
    CU_ASSERT_EQUAL(option_chain("diff-random-in-box"), CHAIN_DIFF_RANDOM_IN_BOX);
    word = "lin";
    CU_ASSERT_TRUE(tap_refuses(try_chain, "", "--chain 'lin': there are"));
    word = "global-random";
    CU_ASSERT_TRUE(tap_refuses(try_chain, "", "has no windows"));
}

static void try_spacing(void)
{
    option_spacing(number, &layouts[LAYOUT_PAGE], 4096, 64);
}

TEST(each_layout_has_its_default_spacing)
{
    const struct layout *packed = &layouts[LAYOUT_PACKED], *line = &layouts[LAYOUT_LINE];
    const struct layout *box = &layouts[LAYOUT_BOX];
    CU_ASSERT_EQUAL(option_spacing(0, &layouts[LAYOUT_PAGE], 16384, 128), 16384);
    CU_ASSERT_EQUAL(option_spacing(32768, &layouts[LAYOUT_PAGE], 16384, 128), 32768);
    CU_ASSERT_EQUAL(option_spacing(0, packed, 4096, 128), 128);
    CU_ASSERT_EQUAL(option_spacing(8192, packed, 4096, 128), 128);
    CU_ASSERT_EQUAL(option_spacing(0, line, 4096, 128), 128);
    CU_ASSERT_EQUAL(option_spacing(8, line, 4096, 128), 8);
    CU_ASSERT_EQUAL(option_spacing(0, box, 4096, 128), 256);
    CU_ASSERT_EQUAL(option_spacing(512, box, 4096, 128), 512);
    number = 5000;
    CU_ASSERT_TRUE(tap_refuses(try_spacing, "",
                               "--spacing 5000: layout page has its nodes a multiple of 4096"));
}

static void try_point(void)
{
    option_check_point(&point);
}

TEST(layout_box_has_a_default_buffer_others_none)
{
    const struct layout *box = &layouts[LAYOUT_BOX];
    CU_ASSERT_EQUAL(option_buffer(&layouts[LAYOUT_PAGE]), 0);
    CU_ASSERT_EQUAL(option_buffer(box), 256 << 20);
    point = point_of("box", 16, 256);
    point.buffer = 16 * 256;
    option_check_point(&point);
    point.buffer = 15 * 256;
    CU_ASSERT_TRUE(tap_refuses(try_point, "", "--pages 16: the window is larger than the buffer"));
    point.buffer = 300;
    CU_ASSERT_TRUE(tap_refuses(try_point, "", "--buffer 300: it holds fewer than 2 nodes"));
}
