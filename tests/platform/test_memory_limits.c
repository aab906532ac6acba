/* test_memory_limits.c: memory, swap and huge pages of recorded machines: which limit counts, and
 * its name.
 *
 *     bin/.obj/plain/tests/platform/test_memory_limits
 */
#define _XOPEN_SOURCE 700
#include "recorded.h"

static void put_meminfo(void)
{
    put_file("/proc/meminfo", "MemTotal:       1000 kB\nMemFree: 1 kB\nMemAvailable:    800 kB\n"
                              "CommitLimit: 700 kB\nCommitted_AS: 300 kB\n");
}

/* The recorded limit and rest in KiB, and which sources they name. */
static void check_memory(uint64_t total, const char *limit, uint64_t available, const char *source)
{
    struct platform_memory memory = platform_memory();
    CU_ASSERT_EQUAL(memory.total, total << 10);
    CU_ASSERT_EQUAL(memory.available, available << 10);
    CU_ASSERT_STRING_EQUAL(memory.limit_source, limit);
    CU_ASSERT_STRING_EQUAL(memory.source, source);
    drop_root();
}

TEST(memory_without_limits_is_MemAvailable)
{
    put_meminfo();
    check_memory(1000, "MemTotal", 800, "MemAvailable");
}

/* A file that cannot be read is no limit: a container may hide all of /proc, old kernels
 * MemAvailable. */
TEST(memory_what_cannot_be_read_is_no_limit)
{
    put_file("/sys/nothing", "");
    struct platform_memory memory = platform_memory();
    CU_ASSERT(memory.total == UINT64_MAX && memory.available == UINT64_MAX);
    CU_ASSERT(!platform_can_measure(why) || platform_address_space() > 1U << 30);
    drop_root();
    put_file("/proc/sys/vm/overcommit_memory", "2\n");
    put_file("/proc/meminfo", "MemTotal: 1000 kB\n");
    check_memory(1000, "MemTotal", 1000, "MemTotal");
}

/* The limit of a group above binds; what can be dropped from the page cache does not count. */
TEST(memory_control_groups_2)
{
    put_meminfo();
    put_file("/proc/self/cgroup", "0::/a/b\n");
    put_file("/sys/fs/cgroup/a/b/memory.max", "max\n");
    put_file("/sys/fs/cgroup/a/memory.max", "512000\n");
    put_file("/sys/fs/cgroup/a/memory.current", "307200\n");
    put_file("/sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 102400\n");
    check_memory(500, "cgroup memory.max", 300, "cgroup memory.max");
}

/* In a container the path is the host's, but the mount is the container's. */
TEST(memory_control_groups_1_in_a_container)
{
    static const char source[] = "cgroup memory.limit_in_bytes";
    put_meminfo();
    put_file("/proc/self/cgroup", "3:cpu:/\n2:memory:/docker/0123\n");
    put_file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "409600\n");
    put_file("/sys/fs/cgroup/memory/memory.usage_in_bytes", "512000\n");
    check_memory(400, source, 0, source);
}

/* The memory that may be swapped out, in KiB, or a part of the reason why none may. */
static void check_swap(uint64_t swap, const char *reason)
{
    uint64_t bytes = 0;
    struct platform_outcome result = platform_swap(&bytes);
    CU_ASSERT_EQUAL(result.verdict, reason == NULL ? PLATFORM_YES : PLATFORM_NO);
    if (reason == NULL)
        CU_ASSERT_EQUAL(bytes, swap << 10);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.why, reason == NULL ? "" : reason));
    drop_root();
}

static void put_swap(const char *group)
{
    put_file("/proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 800 kB\nSwapTotal: 900 kB\n"
                              "SwapFree: 600 kB\n");
    put_file("/proc/self/cgroup", group);
}

TEST(swap_is_what_a_control_group_leaves_of_it)
{
    put_meminfo();
    check_swap(0, "no swap");
    put_swap("0::/\n");
    check_swap(0, "no control group");
    put_swap("0::/a\n");
    put_file("/sys/fs/cgroup/a/memory.max", "204800\n");
    check_swap(600, NULL);
    put_swap("0::/a\n");
    put_file("/sys/fs/cgroup/a/memory.max", "204800\n");
    put_file("/sys/fs/cgroup/a/memory.swap.max", "102400\n");
    put_file("/sys/fs/cgroup/a/memory.swap.current", "51200\n");
    check_swap(50, NULL);
    put_swap("0::/a\n");
    put_file("/sys/fs/cgroup/a/memory.max", "204800\n");
    put_file("/sys/fs/cgroup/a/memory.swap.max", "0\n");
    check_swap(0, "no swap is left for this process (cgroup memory.swap.max)");
}

/* There the limit is one on memory and swap together. */
TEST(swap_control_groups_1)
{
    put_swap("2:memory:/a\n");
    put_file("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "204800\n");
    put_file("/sys/fs/cgroup/memory/a/memory.memsw.limit_in_bytes", "307200\n");
    check_swap(100, NULL);
    put_swap("2:memory:/a\n");
    put_file("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "204800\n");
    put_file("/sys/fs/cgroup/memory/a/memory.memsw.limit_in_bytes", "204800\n");
    check_swap(0, "memory.memsw.limit_in_bytes");
}

TEST(a_resource_limit_counts_as_memory)
{
    put_meminfo();
    put_file("/proc/self/status", "VmSize:\t 100 kB\nVmData:\t 50 kB\n");
    put_file("/proc/self/limits", "Limit   Soft  Hard  Units\n"
                                  "Max data size       614400   unlimited bytes\n"
                                  "Max address space   unlimited unlimited bytes\n");
    check_memory(600, "RLIMIT_DATA", 550, "RLIMIT_DATA");
}

TEST(without_overcommit_the_commit_limit_counts)
{
    put_meminfo();
    put_file("/proc/sys/vm/overcommit_memory", "2\n");
    check_memory(700, "CommitLimit", 400, "CommitLimit");
}

/* Free pages that are not reserved, and those the pool may grow by; the size of the pool's where
 * transparent ones are switched off. */
TEST(memory_a_pool_of_huge_pages)
{
    static const char pool[] = "/sys/kernel/mm/hugepages/hugepages-2048kB";
    static const char *const files[][2] = {{"free_hugepages", "8\n"},
                                           {"resv_hugepages", "3\n"},
                                           {"nr_overcommit_hugepages", "2\n"},
                                           {"surplus_hugepages", "1\n"}};
    static const char thp[] = "/sys/kernel/mm/transparent_hugepage";
    char path[128];
    if (platform_huge_bytes() == 0) /* not a system that has these files */
        return;
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", pool, files[i][0]);
        put_file(path, files[i][1]);
    }
    put_file("/proc/meminfo", "Hugepagesize:    2048 kB\n");
    snprintf(path, sizeof path, "%s/enabled", thp);
    put_file(path, "always madvise [never]\n");
    snprintf(path, sizeof path, "%s/hpage_pmd_size", thp);
    put_file(path, "33554432\n");
    CU_ASSERT_EQUAL(platform_huge_pool(2 << 20), 6);
    CU_ASSERT_EQUAL(platform_huge_pool(1 << 30), 0);
    CU_ASSERT_EQUAL(platform_huge_bytes(), 2 << 20);
    snprintf(path, sizeof path, "%s/enabled", thp);
    put_file(path, "always [madvise] never\n");
    CU_ASSERT_EQUAL(platform_huge_bytes(), 32 << 20);
    drop_root();
}
