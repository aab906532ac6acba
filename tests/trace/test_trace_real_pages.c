/* test_trace_real_pages.c: which pages of a process were huge, as smaps says it where the system
 * has no scan of pages; which records say so, and when.
 *
 *     bin/.obj/plain/tests/trace/test_trace_real_pages
 */
#define _XOPEN_SOURCE 700
#include "recorded.h"
#include "trace/format/real_pages.h"

/* 8 MiB on huge pages but for the ends, 8 MiB partly on them, and 8 MiB on small ones. */
static const char smaps[] = "7f0000100000-7f0000900000 rw-p 00000000 00:00 0 \n"
                            "Rss:                8192 kB\nAnonHugePages:      6144 kB\n"
                            "7f1000000000-7f1000800000 rw-p 00000000 00:00 0 \n"
                            "Rss:                8192 kB\nAnonHugePages:      2048 kB\n"
                            "7f2000000000-7f2000800000 rw-p 00000000 00:00 0 \n"
                            "Rss:                8192 kB\nAnonHugePages:         0 kB\n";

static void check(const struct record *r, uint64_t address, uint64_t bytes, uint8_t level)
{
    CU_ASSERT_EQUAL(r->op, TRACE_PAGES);
    CU_ASSERT_EQUAL(r->process, 77);
    CU_ASSERT_EQUAL(r->address, address);
    CU_ASSERT_EQUAL(r->bytes, bytes);
    CU_ASSERT_EQUAL(r->level, level);
}

TEST(smaps_is_read_and_a_change_makes_records_once)
{
    static struct real_pages pages;
    struct record r[2];
    put_file("/proc/77/smaps", smaps);
    put_file("/proc/meminfo", "Hugepagesize:       2048 kB\n");
    real_pages_ask(&pages, 77);
    size_t count = real_pages_write(&pages, 77, r, 2);
    if (count == 0 && !platform_huge_ranges(77, &pages.now)) {
        drop_root(); /* a platform without huge pages */
        return;
    }
    CU_ASSERT_EQUAL_FATAL(count, 2);
    check(&r[0], 0, 0, 0);
    check(&r[1], 0x7f0000200000, 6 << 20, 0);
    CU_ASSERT_EQUAL(r[1].site, 2 << 20);
    CU_ASSERT_EQUAL_FATAL(real_pages_write(&pages, 77, r, 2), 1);
    check(&r[0], 0x7f1000000000, 8 << 20, 1);
    CU_ASSERT_EQUAL(real_pages_write(&pages, 77, r, 2), 0);
    pages.due_ns = 0;
    real_pages_ask(&pages, 77);
    CU_ASSERT_EQUAL(real_pages_write(&pages, 77, r, 2), 0); /* nothing has changed */
    put_file("/proc/77/smaps", "");
    real_pages_ask(&pages, 77); /* not yet due */
    CU_ASSERT_EQUAL(real_pages_write(&pages, 77, r, 2), 0);
    pages.due_ns = 0;
    real_pages_ask(&pages, 77);
    CU_ASSERT_EQUAL(real_pages_write(&pages, 77, r, 2), 1);
    check(&r[0], 0, 0, 0);
    drop_root();
}
