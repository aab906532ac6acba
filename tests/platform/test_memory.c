/* test_memory.c: the platform's promises about memory, on the system itself: mapped, locked, on
 * huge pages, contiguous, executable. A platform that cannot measure says so.
 *
 *     bin/.obj/plain/tests/platform/test_memory
 */
#define _XOPEN_SOURCE 700
#include "recorded.h"

static bool all_zero(const char *memory, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (memory[i])
            return false;
    return true;
}

TEST(maps_zeroed_aligned_memory)
{
    static const size_t sizes[] = {1, 4096, 12289, 1 << 20};
    static const size_t aligns[] = {0, 1, 4096, 1 << 16, 1 << 21, 1 << 24};
    struct platform_outcome no_huge;
    char *memory = platform_map(1, 0, &no_huge);
    if (cannot_measure(no_huge)) {
        CU_ASSERT_PTR_NULL(memory);
        return;
    }
    platform_unmap(memory, 1);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t a = 0; a < sizeof aligns / sizeof *aligns; a++) {
            memory = platform_map(sizes[s], aligns[a], &no_huge);
            CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
            CU_ASSERT(aligns[a] == 0 || (uintptr_t)memory % aligns[a] == 0);
            CU_ASSERT(all_zero(memory, sizes[s]));
            CU_ASSERT((no_huge.why[0] == '\0') == (no_huge.verdict == PLATFORM_YES));
            memset(memory, 1, sizes[s]);
            platform_unmap(memory, sizes[s]);
        }
}

/* Sizes that do not exist, and an alignment larger than any address space. */
TEST(refuses_what_cannot_be_mapped)
{
    struct platform_outcome ignored;
    if (!platform_can_measure(why))
        return;
    CU_ASSERT_PTR_NULL(platform_map(SIZE_MAX, 0, &ignored));
    CU_ASSERT_PTR_NULL(platform_map(SIZE_MAX - 4096, 4096, &ignored));
    CU_ASSERT_PTR_NULL(platform_map(SIZE_MAX / 2, (size_t)1 << 21, NULL));
    CU_ASSERT_PTR_NULL(platform_map(0, 0, &ignored));
    char *memory = platform_map(8192, (size_t)1 << (sizeof(size_t) * 8 - 2), NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
    memory[8191] = 1;
    platform_unmap(memory, 8192);
}

TEST(answers_every_request_with_yes_no_or_hint_and_a_reason)
{
    enum { PAGES = 16 };
    size_t page = platform_page_bytes();
    CU_ASSERT(page >= 4096 && (page & (page - 1)) == 0);
    char *memory = platform_map(PAGES * page, 0, NULL);
    if (cannot_measure(platform_lock(memory, page)) &&
        cannot_measure(platform_will_need(memory, page)) &&
        cannot_measure(platform_scattered(memory, 1, page)))
        return;
    CU_ASSERT_PTR_NOT_NULL(memory);
    if (memory == NULL)
        return;
    struct platform_outcome untouched = platform_scattered(memory, PAGES, page);
    CU_ASSERT_EQUAL(untouched.verdict, PLATFORM_HINT);
    CU_ASSERT(untouched.why[0] != '\0');
    CU_ASSERT_EQUAL(platform_scattered(memory, 0, page).verdict, PLATFORM_HINT);
    struct platform_outcome need = platform_will_need(memory, PAGES * page);
    CU_ASSERT_EQUAL(need.verdict, PLATFORM_HINT);
    memset(memory, 1, PAGES * page);
    struct platform_outcome touched = platform_scattered(memory, PAGES, page);
    CU_ASSERT_EQUAL(touched.why[0] == '\0', touched.verdict == PLATFORM_YES);
    platform_invalidate(memory, PAGES * page);
    CU_ASSERT(memory[0] == 1 && memory[PAGES * page - 1] == 1);
    struct platform_outcome locked = platform_lock(memory, PAGES * page);
    CU_ASSERT_EQUAL(locked.why[0] == '\0', locked.verdict == PLATFORM_YES);
    platform_unmap(memory, PAGES * page);
}

/* Either it is granted, and then really so after touching, or it is said why not. A page that was
 * not touched is on no huge page, even where the mapping beside it is. */
TEST(gives_huge_pages_or_says_why_not)
{
    uint64_t huge = platform_huge_bytes();
    struct platform_outcome first, second;
    if (huge == 0 || huge > 32 << 20) {
        char *none = platform_map_huge(1 << 25, 0, 1 << 25, 1, &first);
        CU_ASSERT(none != NULL || (first.verdict == PLATFORM_NO && first.why[0] != '\0'));
        return;
    }
    char *one = platform_map_huge(huge, 0, huge, 1, &first);
    char *other = platform_map_huge(2 * huge, 4 * huge, huge, 2, &second);
    CU_ASSERT_EQUAL(one == NULL, first.verdict == PLATFORM_NO && first.why[0] != '\0');
    if (one == NULL || other == NULL)
        return;
    CU_ASSERT((uintptr_t)one % huge == 0 && (uintptr_t)other % (4 * huge) == 0);
    CU_ASSERT(platform_touch(other, huge) && platform_touch(other + huge, huge));
    CU_ASSERT(all_zero(other, 2 * huge));
    first = platform_huge(one, huge, huge, 1);
    CU_ASSERT(first.verdict == PLATFORM_NO && first.why[0] != '\0');
    second = platform_huge(other, 2 * huge, huge, 2);
    CU_ASSERT_EQUAL(second.why[0] == '\0', second.verdict == PLATFORM_YES);
    platform_unmap(one, huge);
    platform_unmap(other, 2 * huge);
}

/* A size that no system has. */
TEST(refuses_huge_pages_of_a_size_that_there_is_not)
{
    struct platform_outcome huge;
    CU_ASSERT_EQUAL(platform_huge_pool(1 << 17), 0);
    CU_ASSERT_PTR_NULL(platform_map_huge(1 << 17, 0, 1 << 17, 1, &huge));
    CU_ASSERT(huge.verdict == PLATFORM_NO && huge.why[0] != '\0');
}

TEST(puts_neighbours_on_neighbouring_frames)
{
    enum { PAGES = 512 };
    size_t page = platform_page_bytes();
    char *memory = platform_map(PAGES * page, PAGES * page, NULL);
    if (cannot_measure(platform_contiguous(memory, PAGES)))
        return;
    CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
    struct platform_outcome untouched = platform_contiguous(memory, PAGES);
    CU_ASSERT(untouched.verdict == PLATFORM_HINT && untouched.why[0] != '\0');
    struct platform_outcome touched = platform_touch_contiguous(memory, PAGES * page);
    CU_ASSERT_EQUAL(touched.why[0] == '\0', touched.verdict == PLATFORM_YES);
    for (size_t i = 0; i < PAGES; i++)
        CU_ASSERT_EQUAL(memory[i * page], 1);
    struct platform_outcome frames = platform_contiguous(memory, PAGES);
    CU_ASSERT_EQUAL(frames.why[0] == '\0', frames.verdict == PLATFORM_YES);
    /* Contiguous memory is not scattered, and the other way round. */
    CU_ASSERT(frames.verdict != PLATFORM_YES ||
              platform_scattered(memory, PAGES, page).verdict == PLATFORM_NO);
    platform_unmap(memory, PAGES * page);
}

/* The kernel reads out only whole entries of the page map, however stdio would split them. */
TEST(reads_the_page_map_in_whole_entries)
{
    enum { PAGES = 1024 };
    size_t page = platform_page_bytes();
    char *memory = platform_map(PAGES * page, 0, NULL);
    FILE *map = platform_open("/proc/self/pagemap");
    for (size_t distance = page; map != NULL && memory != NULL && distance <= 4 * page;
         distance *= 4) {
        struct platform_outcome frames = platform_scattered(memory, PAGES * page / distance,
                                                            distance);
        CU_ASSERT_STRING_EQUAL(frames.why, "no two neighbouring pages are in memory");
    }
    if (map != NULL)
        fclose(map);
    platform_unmap(memory, PAGES * page);
}

TEST(makes_memory_executable_or_says_why_not)
{
    size_t page = platform_page_bytes();
    char *memory = platform_map(page, 0, NULL);
    if (cannot_measure(platform_execute(memory, page, false)))
        return;
    CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
    memory[page - 1] = 7;
    struct platform_outcome executable = platform_execute(memory, page, true);
    CU_ASSERT_EQUAL(executable.why[0] == '\0', executable.verdict == PLATFORM_YES);
    CU_ASSERT_EQUAL(memory[page - 1], 7);
    CU_ASSERT_EQUAL(platform_execute(memory, page, false).verdict, PLATFORM_YES);
    memory[page - 1] = 8;
    platform_unmap(memory, page);
}

TEST(knows_how_much_can_be_mapped)
{
    if (!platform_can_measure(why)) {
        CU_ASSERT_EQUAL(platform_address_space(), 0);
        return;
    }
    uint64_t space = platform_address_space();
    char *memory = platform_map(1 << 28, 0, NULL);
    CU_ASSERT(space >= (1 << 28) && memory != NULL);
    CU_ASSERT(platform_address_space() <= space);
    platform_unmap(memory, 1 << 28);
}
