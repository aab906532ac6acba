/* test_platform.c: the platform's promises: clocks, pinning, counts, on the system itself (memory
 * in test_memory.c and test_memory_limits.c); reading of files and kinds of core on small recorded
 * machines made here. A platform that cannot measure says so.
 *
 *     bin/.obj/plain/tests/platform/test_platform
 */
#define _XOPEN_SOURCE 700
#include "recorded.h"
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* ---- the system itself ---- */

TEST(clocks_go_forward_as_processor_time_does)
{
    bool forward = platform_can_measure(why); /* else it is the time of day, which may go back */
    double process = platform_process_seconds();
    uint64_t first = platform_now_ns(), last = first;
    CU_ASSERT(first > 0);
    for (int i = 0; i < 100000; i++) {
        uint64_t now = platform_now_ns();
        CU_ASSERT_FATAL(now >= last || !forward);
        last = now;
    }
    CU_ASSERT(last > first);
    CU_ASSERT(process >= 0 && platform_process_seconds() >= process);
}

TEST(page_faults_are_counted)
{
    enum { PAGES = 64 };
    size_t page = platform_page_bytes();
    struct platform_counts before, after;
    char *memory = platform_map(PAGES * page, 0, NULL);
    if (!platform_can_measure(why)) {
        CU_ASSERT(!platform_counts(&before));
        return;
    }
    CU_ASSERT_FATAL(memory && platform_counts(&before));
    for (size_t i = 0; i < PAGES; i++)
        memory[i * page] = 1;
    CU_ASSERT_FATAL(platform_counts(&after));
    CU_ASSERT(after.faults >= before.faults + PAGES);
    CU_ASSERT(after.switches >= before.switches && after.migrations >= before.migrations);
    platform_unmap(memory, PAGES * page);
}

/* Once pinned, a thread stays: the second time there is but that core to choose. */
TEST(a_pinned_thread_stays_on_its_core)
{
    int first = -2, second = -2;
    struct platform_outcome pinned = platform_pin(&first);
    const char *busy = platform_sibling_busy(first, why);
    CU_ASSERT(strcmp(busy, "yes") == 0 || strcmp(busy, "no") == 0 || strcmp(busy, "unknown") == 0);
    CU_ASSERT_EQUAL(why[0] != '\0', strcmp(busy, "unknown") == 0);
    if (cannot_measure(pinned))
        return;
    CU_ASSERT(first >= 0);
    CU_ASSERT_EQUAL(pinned.why[0] == '\0', pinned.verdict == PLATFORM_YES);
    if (pinned.verdict != PLATFORM_YES)
        return;
    CU_ASSERT_EQUAL(platform_pin(&second).verdict, PLATFORM_YES);
    CU_ASSERT_EQUAL(first, second);
    CU_ASSERT_EQUAL(platform_move(&second).verdict, PLATFORM_NO);
    CU_ASSERT_EQUAL(first, second);
}

/* Moved, it is on another core, and free to be moved on. */
TEST(moves_to_another_core)
{
    int first = -2, second = -2;
    struct platform_outcome moved = platform_move(&first);
    CU_ASSERT_EQUAL(moved.why[0] == '\0', moved.verdict == PLATFORM_YES);
    if (cannot_measure(moved) || moved.verdict == PLATFORM_NO)
        return;
    CU_ASSERT_EQUAL(platform_move(&second).verdict, PLATFORM_YES);
    CU_ASSERT(first >= 0 && second >= 0 && first != second);
}

TEST(the_system_and_the_host_have_names)
{
    char text[256] = "";
    struct platform_outcome perf = platform_perf();
    CU_ASSERT_EQUAL(perf.why[0] == '\0', perf.verdict == PLATFORM_YES);
    platform_system(text, sizeof text);
    CU_ASSERT(text[0] != '\0');
    platform_host(text, sizeof text);
    CU_ASSERT(text[0] != '\0');
    CU_ASSERT(platform_core_kind(0)[0] != '\0');
}

TEST(the_memory_of_this_machine_is_known)
{
    struct platform_memory memory = platform_memory();
    CU_ASSERT(memory.source[0] != '\0' && memory.limit_source[0] != '\0');
    if (!platform_can_measure(why))
        return;
    CU_ASSERT(memory.total > 1 << 20 && memory.total < UINT64_MAX);
    CU_ASSERT(memory.available <= memory.total);
}

/* ---- recorded machines ---- */

TEST(reads_files_below_the_root)
{
    char text[8], tiny[4];
    put_file("/sys/short", "abc\nsecond\n");
    put_file("/sys/open", "abc");
    put_file("/sys/empty", "");
    CU_ASSERT(platform_read_line("/sys/short", text, sizeof text));
    CU_ASSERT_STRING_EQUAL(text, "abc");
    CU_ASSERT(platform_read_line("/sys/open", tiny, sizeof tiny));
    CU_ASSERT_STRING_EQUAL(tiny, "abc");
    CU_ASSERT(!platform_read_line("/sys/short", tiny, 3));
    CU_ASSERT(!platform_read_line("/sys/empty", text, sizeof text));
    CU_ASSERT(!platform_read_line("/sys/absent", text, sizeof text));
    CU_ASSERT_STRING_EQUAL(platform_root(), root);
    FILE *file = platform_open("/sys/short");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fclose(file);
    drop_root();
    CU_ASSERT(!platform_read_line("/sys/short", text, sizeof text));
    char long_path[5000];
    memset(long_path, '/', sizeof long_path);
    long_path[sizeof long_path - 1] = '\0';
    CU_ASSERT_PTR_NULL(platform_open(long_path));
}

TEST(reads_CPUID_from_a_file)
{
    struct platform_cpuid r;
    put_file("/cpuid.tsv", "# command: machine --cpuid\nleaf\tsubleaf\teax\tebx\tecx\tedx\n"
                           "0x00000000\t0\t0x1\t0x2\t0x3\t0x4\n"
                           "0x00000004\t1\t0xffffffff\t0x0\t0x80000000\t0x5\n"
                           "0x00000005\t0\t0x1\n");
    CU_ASSERT(platform_has_cpuid());
    CU_ASSERT(platform_cpuid(4, 1, &r));
    CU_ASSERT(r.eax == 0xffffffff && r.ebx == 0 && r.ecx == 0x80000000 && r.edx == 5);
    CU_ASSERT(!platform_cpuid(4, 0, &r));
    CU_ASSERT(!platform_cpuid(5, 0, &r));
    drop_root();
    put_file("/uname.txt", "Linux 1 aarch64\n");
    CU_ASSERT(!platform_has_cpuid()); /* whatever processor this test runs on */
    drop_root();
}

/* Intel names its kinds; the lists decide even where capacities are there too. */
TEST(kinds_of_core_by_name)
{
    put_file("/sys/devices/system/cpu/online", "0-2,5,7-8\n");
    put_file("/sys/devices/cpu_core/cpus", "5-7\n");
    put_file("/sys/devices/cpu_atom/cpus", "0-2,8\n");
    put_cache(0, 0, "1\n", "Data\n", "32K\n");
    put_cache(5, 0, "1\n", "Data\n", "48K\n");
    put_cache(5, 1, "2\n", "Unified\n", "2M\n");
    gather();
    CU_ASSERT(claimed_all("cores=6 performance_cores=2 efficiency_cores=4 described_cpu=5 "
                          "l1d_bytes=49152 l2_bytes=2097152 efficiency_l1d_bytes=32768"));
    drop_root();
}

static void put_capacities(const char *const *capacities, int count)
{
    char path[96];
    put_file("/sys/devices/system/cpu/online", count == 3 ? "0-2\n" : "0-1\n");
    for (int cpu = 0; cpu < count; cpu++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpu_capacity", cpu);
        put_file(path, capacities[cpu]);
    }
}

TEST(kinds_of_core_by_capacity)
{
    put_capacities((const char *const[]){"250\n", "1024\n", "800\n"}, 3);
    gather();
    CU_ASSERT(claimed_all("performance_cores=2 efficiency_cores=1 described_cpu=1"));
    drop_root();
    put_capacities((const char *const[]){"1024\n", "990\n"}, 2); /* two of one kind */
    gather();
    CU_ASSERT(claimed_all("performance_cores=2 efficiency_cores=0 described_cpu=0"));
    drop_root();
}

/* A machine whose processor `cpu` is of one kind, and the next of the other. */
static void put_kinds(int cpu, bool fast)
{
    char list[16];
    snprintf(list, sizeof list, "%d\n", cpu);
    put_file(fast ? "/sys/devices/cpu_core/cpus" : "/sys/devices/cpu_atom/cpus", list);
    snprintf(list, sizeof list, "%d\n", cpu + 1);
    put_file(fast ? "/sys/devices/cpu_atom/cpus" : "/sys/devices/cpu_core/cpus", list);
}

/* Pinned to a core, only its own kind is left. */
TEST(kinds_of_core_asked_for)
{
    int cpu;
    struct platform_outcome pinned = platform_pin(&cpu), result;
    if (cannot_measure(pinned) || pinned.verdict != PLATFORM_YES)
        return;
    for (int fast = 0; fast < 2; fast++) {
        put_kinds(cpu, fast);
        CU_ASSERT_EQUAL(platform_restrict(fast ? "performance" : "efficiency").verdict,
                        PLATFORM_YES);
        result = platform_restrict(fast ? "efficiency" : "performance");
        CU_ASSERT_EQUAL(result.verdict, PLATFORM_NO);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.why, "no core of that kind"));
        drop_root();
    }
    put_file("/sys/devices/system/cpu/online", "0-1\n");
    result = platform_restrict("performance");
    CU_ASSERT_EQUAL(result.verdict, PLATFORM_NO);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.why, "unknown"));
    put_cache(0, 0, "1\n", "Data\n", "32K\n");
    put_cache(1, 0, "1\n", "Data\n", "32K\n");
    CU_ASSERT_EQUAL(platform_restrict("performance").verdict, PLATFORM_YES);
    result = platform_restrict("efficiency");
    CU_ASSERT_EQUAL(result.verdict, PLATFORM_NO);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.why, "all alike"));
    drop_root();
}

/* Kept to its own kind, of which there is but one, it cannot be moved. */
static void restrict_and_move(void)
{
    int cpu;
    platform_move(&cpu);
    put_kinds(cpu, true);
    printf("%d ", platform_restrict("performance").verdict == PLATFORM_YES);
    printf("%d", platform_move(&cpu).verdict == PLATFORM_NO);
    drop_root();
}

TEST(is_kept_to_a_kind_of_core)
{
    int cpu;
    struct platform_outcome moved = platform_move(&cpu);
    if (cannot_measure(moved) || moved.verdict != PLATFORM_YES)
        return;
    CU_ASSERT_TRUE(tap_writes(restrict_and_move, "", "1 1"));
}

TEST(files_of_a_machine_give_its_claims)
{
    static const char thp[] = "/sys/kernel/mm/transparent_hugepage";
    char path[128];
    put_file("/proc/cpuinfo", "processor\t: 0\nmodel name\t: A: processor\n");
    put_file("/getconf.txt", "PAGESIZE           16384\nLEVEL3_CACHE_SIZE  335544320\n"
                             "LEVEL1_DCACHE_SIZE 0\nLEVEL2_CACHE_SIZE\n");
    put_file("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "7\n");
    snprintf(path, sizeof path, "%s/enabled", thp);
    put_file(path, "always [madvise] never\n");
    snprintf(path, sizeof path, "%s/hugepages-64kB/enabled", thp);
    put_file(path, "always [inherit] madvise never\n");
    gather();
    CU_ASSERT(claimed("cpu=A: processor") && claimed("page_bytes=16384"));
    CU_ASSERT(claimed_all("l3_bytes=335544320 huge_2m_pages=7 thp=madvise mthp_64k=inherit"));
    CU_ASSERT_PTR_NULL(strstr(claims, "l1d_bytes"));
    CU_ASSERT_PTR_NULL(strstr(claims, "l2_bytes"));
    drop_root();
}

/* Files full of nonsense claim nothing, and do no harm. */
TEST(files_full_of_nonsense_claim_nothing)
{
    static const char junk[] = "-5-,999999999999999999999-3,x\n\t:::[\n";
    put_file("/proc/cpuinfo", junk);
    put_file("/proc/meminfo", "MemTotal: x kB\nMemAvailable");
    put_file("/proc/self/cgroup", "0::\n:memory:\n0::/../../etc");
    put_file("/proc/self/limits", junk);
    put_file("/sys/devices/system/cpu/online", junk);
    put_file("/sys/devices/cpu_core/cpus", junk);
    put_file("/sys/devices/cpu_atom/cpus", junk);
    put_file("/sys/kernel/mm/transparent_hugepage/enabled", "[");
    put_file("/sys/devices/system/node/online", "0-999999999999\n");
    put_file("/getconf.txt", "PAGESIZE -1\n");
    put_file("/cpuid.tsv", junk);
    gather();
    CU_ASSERT_PTR_NULL(strstr(claims, "l1d_bytes"));
    drop_root();
}
