/* test_measure_arena.c: which points share a buffer, which buffer gives way to another, and that
 * all of a buffer is touched before its first use. Memory is the test's. */
#define platform_memory        simulated_memory
#define platform_map           simulated_map
#define platform_unmap         simulated_unmap
#define platform_lock          simulated_lock
#define platform_will_need     simulated_will_need
#define platform_scattered     simulated_scattered
#define platform_page_bytes    simulated_page_bytes
#define platform_address_space simulated_address_space

#include "drawn.h"
#include "measure/arena.c"
#include "measure/footprint.c"
#include "named.h"
#include "tap.h"
#include <string.h>

#define MIB (UINT64_C(1) << 20)

static struct {
    uint64_t available;
    size_t mapped, align;
    struct platform_outcome scattered;
    bool touched; /* the whole first page, when the memory was locked */
} simulated;

struct platform_memory simulated_memory(void)
{
    return (struct platform_memory){.available = simulated.available, .source = "a test"};
}

uint64_t simulated_page_bytes(void)
{
    return 4096;
}

uint64_t simulated_address_space(void)
{
    return 1024 * MIB;
}

void *simulated_map(size_t bytes, size_t align, struct platform_outcome *no_huge)
{
    *no_huge = (struct platform_outcome){.verdict = PLATFORM_YES};
    simulated.mapped++;
    simulated.align = align;
    return allocate(bytes, 1);
}

void simulated_unmap(void *memory, size_t bytes)
{
    (void)bytes;
    simulated.mapped--;
    free(memory);
}

struct platform_outcome simulated_lock(void *memory, size_t bytes)
{
    (void)bytes;
    simulated.touched = *(char *)memory == 1;
    return (struct platform_outcome){.verdict = PLATFORM_YES};
}

struct platform_outcome simulated_will_need(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
    return (struct platform_outcome){.verdict = PLATFORM_YES};
}

struct platform_outcome simulated_scattered(const void *memory, size_t count, size_t distance)
{
    (void)memory;
    (void)count;
    (void)distance;
    return simulated.scattered;
}

static struct memory_options options;
static struct arenas arenas;

static void open_arenas(uint64_t available)
{
    memset(&simulated, 0, sizeof simulated);
    simulated.available = available;
    simulated.scattered.verdict = PLATFORM_YES;
    options = (struct memory_options){.seed = 1, .line_bytes = 64};
    arenas = (struct arenas){.options = &options, .room = (double)available};
}

static struct point line_of(uint64_t nodes, uint64_t spacing)
{
    return point_of("line", nodes, spacing);
}

static struct arena *find(struct point point)
{
    return arenas_find(&arenas, &point);
}

TEST(points_of_a_kind_share_a_buffer_as_large_as_the_largest)
{
    open_arenas(1024 * MIB);
    struct arena *arena = find(line_of(100, 64));
    CU_ASSERT_PTR_EQUAL(find(line_of(50, 64)), arena);
    CU_ASSERT_EQUAL(arena->largest.pages, 100);
    CU_ASSERT_PTR_EQUAL(find(line_of(1000, 64)), arena);
    CU_ASSERT_EQUAL(arena->largest.pages, 1000);
    CU_ASSERT_EQUAL(arena->bytes, 64000);
    CU_ASSERT_EQUAL(simulated.mapped, 1);
    arenas_free(&arenas);
    CU_ASSERT_EQUAL(simulated.mapped, 0);
}

TEST(points_of_another_kind_have_a_buffer_of_their_own)
{
    struct point kinds[6];
    open_arenas(1024 * MIB);
    for (int i = 0; i < 6; i++)
        kinds[i] = line_of(100, 64);
    kinds[1].spacing = 128;
    kinds[2].layout = &layouts[LAYOUT_PACKED];
    kinds[3].kernel = &kernels[KERNEL_LINEAR];
    kinds[4].page_bytes = 8192;
    kinds[5].layout = &layouts[LAYOUT_BOX];
    kinds[5].buffer = 65536;
    arenas_prepare(&arenas, kinds, 6);
    CU_ASSERT_EQUAL(simulated.mapped, 6);
    arenas_prepare(&arenas, kinds, 6); /* they are there */
    CU_ASSERT_EQUAL(simulated.mapped, 6);
    for (int i = 1; i < 6; i++)
        CU_ASSERT_PTR_NOT_EQUAL(find(kinds[i]), find(kinds[0]));
    arenas_free(&arenas);
}

TEST(a_buffer_is_never_smaller_than_its_point)
{
    unsigned shared = 0;
    struct random random;
    random_seed(&random, 17, 0);
    open_arenas(256 * MIB);
    for (int draw = 0; draw < 10000; draw++) {
        struct point p = drawn_point(&random);
        size_t before = simulated.mapped;
        if (p.backing != &backings[BACKING_SCATTERED] || p.kernel->executes ||
            point_refuses(&p) != NULL || layout_bytes(&p) > 32 * MIB)
            continue;
        CU_ASSERT_TRUE(find(p)->bytes >= layout_bytes(&p));
        shared += simulated.mapped == before;
    }
    CU_ASSERT_TRUE(shared > 1000);
    arenas_free(&arenas);
}

TEST(buffers_are_prepared_for_the_largest_point_of_each_kind)
{
    struct point points[] = {line_of(10, 64), line_of(300, 64), line_of(200, 64), line_of(20, 128)};
    open_arenas(1024 * MIB);
    arenas_prepare(&arenas, points, 4);
    CU_ASSERT_EQUAL(simulated.mapped, 2);
    CU_ASSERT_EQUAL(find(points[0])->largest.pages, 300);
    CU_ASSERT_EQUAL(find(points[3])->largest.pages, 20);
    arenas_free(&arenas);
}

TEST(one_kind_too_many_takes_the_buffer_that_was_not_used_for_longest)
{
    open_arenas(1024 * MIB);
    for (uint64_t i = 0; i < ARENAS; i++)
        find(line_of(10, 64 + 8 * i));
    struct arena *first = find(line_of(10, 64)), *second = find(line_of(10, 64 + 8));
    find(line_of(10, 64)); /* used again */
    for (uint64_t i = 2; i < ARENAS; i++)
        find(line_of(10, 64 + 8 * i));
    CU_ASSERT_PTR_EQUAL(find(line_of(10, 4096)), second);
    CU_ASSERT_PTR_EQUAL(find(line_of(10, 64)), first);
    CU_ASSERT_EQUAL(simulated.mapped, ARENAS);
    struct point more[ARENAS + 2]; /* as many as there are buffers at a time */
    for (uint64_t i = 0; i < ARENAS + 2; i++)
        more[i] = line_of(10, 64 + 8 * i);
    arenas_prepare(&arenas, more, ARENAS + 2);
    CU_ASSERT_EQUAL(simulated.mapped, ARENAS);
    arenas_free(&arenas);
}

/* Half of 100 MiB, or nine tenths of it where sizes are asked for by name; what is held counts as
 * available. */
TEST(the_oldest_buffers_give_way_where_memory_is_scarce)
{
    for (int sizes_given = 0; sizes_given < 2; sizes_given++) {
        open_arenas(100 * MIB);
        options.sizes_given = sizes_given;
        for (uint64_t i = 0; i < 3; i++) { /* 30 MiB each, and a chain */
            find(line_of(30 * MIB / 64 >> i, UINT64_C(64) << i));
            simulated.available = 100 * MIB - (uint64_t)held_bytes(&arenas);
        }
        CU_ASSERT_EQUAL(simulated.mapped, sizes_given ? 2 : 1);
        struct point last = line_of(30 * MIB / 256, 256), middle = line_of(30 * MIB / 128, 128);
        size_t before = simulated.mapped;
        find(last);
        if (sizes_given)
            find(middle);
        CU_ASSERT_EQUAL(simulated.mapped, before); /* the first one went */
        CU_ASSERT_TRUE(arenas.clock == (sizes_given ? 5 : 4));
        arenas_free(&arenas);
    }
}

TEST(every_page_is_touched_before_it_is_locked)
{
    open_arenas(1024 * MIB);
    options.lock = true;
    struct arena *arena = find(line_of(1024, 64));
    for (uint64_t page = 0; page < 16; page++)
        CU_ASSERT_EQUAL(arena->memory[page * 4096], 1);
    CU_ASSERT_TRUE(simulated.touched);
    CU_ASSERT_PTR_NOT_NULL(arena->locked);
    arenas_free(&arenas);
    open_arenas(1024 * MIB);
    CU_ASSERT_PTR_NULL(find(line_of(1024, 64))->locked);
    arenas_free(&arenas);
}

TEST(targets_of_a_set_are_touched_beside_the_others)
{
    struct point p = line_of(12, MIB);
    open_arenas(1024 * MIB);
    p.layout = &layouts[LAYOUT_SET];
    p.targets = 8;
    p.others = 4;
    struct arena *arena = find(p);
    for (uint64_t target = 0; target < 8; target++)
        CU_ASSERT_EQUAL(arena->memory[target * MIB], 1);
    for (uint64_t page = 0; page < layout_others_pages(&p); page++)
        CU_ASSERT_EQUAL(arena->memory[page * 4096], 1);
    p.others = 40;
    p.targets = 2; /* more of the one, fewer of the other */
    p.pages = 42;
    CU_ASSERT_PTR_EQUAL(find(p), arena);
    CU_ASSERT_EQUAL(arena->largest.targets, 8);
    CU_ASSERT_EQUAL(arena->largest.others, 40);
    CU_ASSERT_EQUAL(arena->largest.pages, 48);
    arenas_free(&arenas);
}

TEST(a_buffer_lies_at_a_multiple_of_its_size)
{
    open_arenas(1024 * MIB);
    find(line_of(1024, 64));
    CU_ASSERT_EQUAL(simulated.align, 65536);
    find(line_of(1025, 64));
    CU_ASSERT_EQUAL(simulated.align, 131072);
    find(line_of(2, 64));
    arenas_free(&arenas);
}

TEST(what_came_of_the_backing_is_reported)
{
    open_arenas(1024 * MIB);
    CU_ASSERT_STRING_EQUAL(find(line_of(10, 64))->backed, "yes");
    simulated.scattered = (struct platform_outcome){PLATFORM_NO, "neighbours"};
    CU_ASSERT_PTR_NOT_NULL(strstr(find(line_of(10, 128))->backed, "neighbours"));
    arenas_free(&arenas);
}

TEST(a_point_has_one_place_where_memory_is_too_scarce_for_several)
{
    struct point p = line_of(1000, 4096);
    p.layout = &layouts[LAYOUT_PAGE];
    uint64_t places = layout_places_bytes(&p);
    CU_ASSERT_TRUE_FATAL(places > 0);
    open_arenas((uint64_t)((double)places / 0.41));
    CU_ASSERT_TRUE(arenas_place(&arenas, &p).one_place);
    open_arenas((uint64_t)((double)places / 0.39));
    CU_ASSERT_FALSE(arenas_place(&arenas, &p).one_place);
}
