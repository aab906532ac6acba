/* test_earlier.c: which row of an earlier run is that of a point. */
#include "access/earlier.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "tap.h"
#include <math.h>
#include <stdlib.h>

enum { POINTS = 5 };

/* Points that differ in one member each: of a probe its distance, touches and decoys, of a set its
 * others. */
static void make_points(struct point points[POINTS])
{
    for (int i = 0; i < POINTS; i++)
        points[i] = (struct point){.pages = 1024,
                                   .spacing = 64,
                                   .page_bytes = 4096,
                                   .touches = 2,
                                   .probe = NAN,
                                   .layout = &layouts[LAYOUT_ASCENDING],
                                   .backing = &backings[BACKING_SCATTERED],
                                   .kernel = &kernels[KERNEL_PROBE]};
    points[1].probe = 64;
    points[2].touches = 3;
    points[3].decoys = 3;
    points[4].others = 8;
}

/* Also if the earlier run lacks the others. */
TEST(a_row_is_that_of_its_point_only)
{
    struct point points[POINTS];
    make_points(points);
    for (int has = 0; has < POINTS; has++) {
        struct sample row = {.point = points[has]};
        struct earlier earlier = {.rows = &row, .count = 1};
        for (int i = 0; i < POINTS; i++)
            if (i != has)
                CU_ASSERT_PTR_NULL(earlier_take(&earlier, &points[i]));
        CU_ASSERT_PTR_EQUAL(earlier_take(&earlier, &points[has]), &row);
        CU_ASSERT_PTR_NULL(earlier_take(&earlier, &points[has])); /* only once */
        free(earlier.index);
    }
}
