/* test_sysfs.c: the files of Linux as they are in the wild: long lists, numbers that mean nothing,
 * files that are missing, and cores whose kinds no file names. Sources are named where a machine is
 * a real one.
 *
 *     bin/.obj/plain/tests/platform/test_sysfs
 */
#define _XOPEN_SOURCE 700
#include "recorded.h"

static const char online[] = "/sys/devices/system/cpu/online";

/* ---- lists ---- */

/* An IBM Power E1080 of 240 cores with SMT off: 0,8,…,1912, of 1059 characters. */
TEST(a_list_of_cores_may_be_long)
{
    char list[2048] = "0";
    for (int cpu = 8; cpu < 1920; cpu += 8)
        snprintf(list + strlen(list), sizeof list - strlen(list), ",%d", cpu);
    CU_ASSERT_EQUAL(strlen(list), 1059);
    put_file(online, list);
    put_file("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", list);
    char status[2200];
    snprintf(status, sizeof status, "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t%s\n", list);
    put_file("/proc/self/status", status);
    put_file("/sys/devices/system/node/has_memory", list);
    gather();
    CU_ASSERT(claimed_all("cores=240 cores_allowed=240 threads_per_core=240 numa_nodes=240"));
    drop_root();
}

/* Kernels without that list (hwloc's 256ppc-8n8s4t, 16em64t-4s2c2t-offlines). */
TEST(cores_are_found_without_a_list)
{
    put_cpu(0, "topology/core_id", "0\n");
    put_cpu(1, "topology/core_id", "1\n");
    put_cpu(1, "online", "0\n");
    put_cpu(12, "online", "1\n");
    gather();
    CU_ASSERT(claimed("cores=2") && claimed("described_cpu=0"));
    put_file("/sys/devices/system/cpu/present", "0-1,12-13\n");
    gather();
    CU_ASSERT(claimed("cores=3"));
    drop_root();
    put_file("/proc/cpuinfo", "processor\t: 0\nprocessor\t: 3\n");
    gather();
    CU_ASSERT(claimed("cores=2"));
    drop_root();
}

/* ---- numbers ---- */

/* X-Gene and ThunderX (Debian bug 866306): -1 and 0 are no sizes. */
TEST(of_1_0_and_huge_numbers_are_no_sizes)
{
    static const char *const nonsense[] = {"-1\n",        "0\n", "0K\n", "-1K\n", "4294967295K\n",
                                           "4294967295M", "K\n", "\n",   "x\n"};
    put_file(online, "0\n");
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        put_cache(0, 0, "1\n", "Data\n", nonsense[i]);
        put_cpu(0, "cache/index0/ways_of_associativity", nonsense[i]);
        put_cpu(0, "cache/index0/coherency_line_size", nonsense[i]);
        gather();
        CU_ASSERT(!mentioned("l1d_") && !mentioned("line_bytes"));
    }
    drop_root();
}

/* A limit of 2^63 is none, and no memory is no size. */
TEST(limits_and_totals_that_are_none_are_not_claimed)
{
    put_file("/proc/self/cgroup", "3:memory:/\n");
    put_file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put_file("/proc/meminfo", "MemTotal: x kB\n");
    put_file("/getconf.txt", "LEVEL1_DCACHE_SIZE 18446744073709551615\n");
    gather();
    CU_ASSERT(!mentioned("memory_limit_bytes") && !mentioned("mem_total_bytes"));
    CU_ASSERT(!mentioned("l1d_bytes"));
    drop_root();
}

static void put_l3(const char *size, const char *ways, const char *sets, const char *line)
{
    put_file(online, "0\n");
    put_cache(0, 3, "3\n", "Unified\n", size);
    put_cpu(0, "cache/index3/ways_of_associativity", ways);
    put_cpu(0, "cache/index3/number_of_sets", sets);
    put_cpu(0, "cache/index3/coherency_line_size", line);
    gather();
    drop_root();
}

/* Kunpeng 920 (hwloc's 128arm-2pa2n8cluster4co): 15 ways of 2048 sets of 128 bytes are not 32 MiB.
 */
TEST(ways_that_contradict_the_size_are_not_claimed)
{
    put_l3("32768K\n", "15\n", "2048\n", "128\n");
    CU_ASSERT(claimed("l3_bytes=33554432") && !mentioned("l3_ways"));
    put_l3("32768K\n", "15\n", "0\n", "128\n");
    CU_ASSERT(!mentioned("l3_ways"));
    put_l3("32768K\n", "16\n", "2048\n", "64\n");
    CU_ASSERT(!mentioned("l3_ways"));
    put_l3("32768K\n", "16\n", "32768\n", "64\n");
    CU_ASSERT(claimed("l3_ways=16"));
    put_l3("32768K\n", "16\n", "-1\n", "64\n");
    CU_ASSERT(claimed("l3_ways=16"));
    put_l3("-1\n", "16\n", "32768\n", "64\n");
    CU_ASSERT(claimed("l3_ways=16") && !mentioned("l3_bytes"));
}

/* ---- folders ---- */

TEST(folders_may_be_missing)
{
    put_file(online, "0-2\n");
    put_cache(1, 0, "1\n", "Data\n", "32K\n");
    put_cache(1, 3, "3\n", "Unified\n", "8192K\n");
    put_cpu(1, "cache/index1/level", "2\n"); /* neither type nor size */
    gather();
    CU_ASSERT(claimed("described_cpu=1") && claimed("l1d_bytes=32768"));
    CU_ASSERT(claimed("l3_bytes=8388608") && !mentioned("l2_bytes"));
    CU_ASSERT(claimed("performance_cores=unknown") && claimed("efficiency_cores=unknown"));
    drop_root();
}

/* Nodes without memory have only cores, or nothing. */
TEST(nodes_without_memory_do_not_count)
{
    put_file("/sys/devices/system/node/online", "0-2\n");
    put_file("/sys/devices/system/node/node0/meminfo", "Node 0 MemTotal: 1024 kB\n");
    put_file("/sys/devices/system/node/node1/meminfo", "Node 1 MemTotal: 0 kB\n");
    put_file("/sys/devices/system/node/node1/distance", "20 10 20\n");
    gather();
    CU_ASSERT(claimed("numa_nodes=2") && !mentioned("node1_distances"));
    put_file("/sys/devices/system/node/has_memory", "0\n");
    gather();
    CU_ASSERT(claimed("numa_nodes=1"));
    drop_root();
    put_file("/sys/devices/system/node/node0/distance", "10 20\n");
    put_file("/sys/devices/system/node/node4/distance", "20 10\n");
    gather();
    CU_ASSERT(claimed("numa_nodes=2") && claimed("node4_distances=20 10"));
    drop_root();
}

/* ---- kinds ---- */

static void put_two(const char *file, const char *first, const char *second)
{
    put_file(online, "0-3\n");
    for (int cpu = 0; cpu < 4; cpu++)
        put_cpu(cpu, file, cpu < 2 ? first : second);
}

static void put_caches(const char *l1, const char *l2, const char *l3, int from, int to)
{
    for (int cpu = from; cpu < to; cpu++) {
        put_cache(cpu, 0, "1\n", "Data\n", l1);
        put_cache(cpu, 1, "2\n", "Unified\n", l2);
        put_cache(cpu, 2, "3\n", "Unified\n", l3);
    }
}

/* A hybrid processor of Intel without the lists of its counters, as in hwloc's recordings. */
TEST(by_their_caches)
{
    put_file(online, "0-3\n");
    put_caches("48K\n", "1280K\n", "18432K\n", 0, 2);
    put_caches("32K\n", "2048K\n", "18432K\n", 2, 4);
    gather();
    CU_ASSERT(claimed_all(
        "performance_cores=2 efficiency_cores=2 described_cpu=0 efficiency_l1d_bytes=32768"));
    drop_root();
    put_file(online, "0-3\n");
    put_caches("32K\n", "512K\n", "8192K\n", 0, 2);
    put_caches("32K\n", "2048K\n", "8192K\n", 2, 4);
    gather();
    CU_ASSERT(claimed("described_cpu=2") && claimed("l2_bytes=2097152"));
    drop_root();
}

/* RK3399 and S922X with a vendor's kernel 4.4: neither capacities nor caches (sbc-bench). */
TEST(by_their_parts)
{
    char cpuinfo[512] = "";
    static const char *const parts[] = {"0xd03", "0xd03", "0xd09", "0xd09"};
    for (int cpu = 0; cpu < 4; cpu++)
        snprintf(cpuinfo + strlen(cpuinfo), sizeof cpuinfo - strlen(cpuinfo),
                 "processor\t: %d\nCPU implementer\t: 0x41\nCPU part\t: %s\n\n", cpu, parts[cpu]);
    put_two("cpufreq/cpuinfo_max_freq", "1896000\n", "1800000\n");
    put_file("/proc/cpuinfo", cpuinfo);
    gather();
    CU_ASSERT(claimed("performance_cores=2") && claimed("described_cpu=2"));
    put_file("/proc/cpuinfo", "processor : 0\nCPU implementer : 0x61\nCPU part : 0x023\n"
                              "processor : 1\nCPU implementer : 0x61\nCPU part : 0x023\n"
                              "processor : 2\nCPU implementer : 0x61\nCPU part : 0x022\n"
                              "processor : 3\nCPU implementer : 0x61\nCPU part : 0x022\n");
    gather(); /* Apple M1 */
    CU_ASSERT(claimed("performance_cores=2") && claimed("described_cpu=0"));
    CU_ASSERT(claimed("cpu=Apple M1 Firestorm + Apple M1 Icestorm"));
    put_file("/proc/cpuinfo", "CPU implementer : 0x41\nCPU part : 0xd09\nCPU part : 0xfff\n");
    gather();
    CU_ASSERT(claimed("cpu=Arm Cortex-A73 + implementer 0x41 part 0xfff"));
    for (char *at; (at = strstr(cpuinfo, "0xd03")) != NULL;)
        memcpy(at, "0xd4d", 5); /* no table has which of these two is faster */
    put_file("/proc/cpuinfo", cpuinfo);
    gather();
    CU_ASSERT(claimed("performance_cores=unknown"));
    for (char *at; (at = strstr(cpuinfo, "0xd4d")) != NULL;)
        memcpy(at, "0xd09", 5);
    put_file("/proc/cpuinfo", cpuinfo);
    gather();
    CU_ASSERT(claimed("performance_cores=4") && claimed("efficiency_cores=0"));
    drop_root();
}

/* Strix Point: Zen 5 with 16 MiB of L3, Zen 5c with 8 MiB. Only CPUID says that this is no 3D
 * stack.
 */
TEST(by_CPUID_and_their_last_cache)
{
    put_file(online, "0-3\n");
    put_caches("48K\n", "1024K\n", "8192K\n", 0, 2);
    put_caches("48K\n", "1024K\n", "16384K\n", 2, 4);
    gather();
    CU_ASSERT(claimed_all(
        "performance_cores=unknown efficiency_cores=unknown l3_bytes=8388608 l3_bytes=16777216"));
    put_file("/cpuid.tsv", "0x0\t0\t0x10\t0x68747541\t0x444d4163\t0x69746e65\n"
                           "0x80000026\t0\t0x60000001\t0x2\t0x100\t0x0\n");
    gather();
    CU_ASSERT(claimed_all(
        "performance_cores=2 efficiency_cores=2 described_cpu=2 efficiency_l3_bytes=8388608"));
    put_file("/cpuid.tsv", "0x0\t0\t0x10\t0x68747541\t0x444d4163\t0x69746e65\n"
                           "0x80000026\t0\t0x1\t0x2\t0x100\t0x0\n");
    gather();
    CU_ASSERT(claimed("performance_cores=4") && claimed("l3_bytes=16777216"));
    drop_root();
}

/* A hybrid processor in whose files all cores are alike, and one core of which nothing is known. */
TEST(are_unknown_where_nothing_separates_them)
{
    put_file("/cpuid.tsv", "0x0\t0\t0x20\t0x756e6547\t0x6c65746e\t0x49656e69\n"
                           "0x7\t0\t0x1\t0x0\t0x0\t0x8000\n");
    put_file(online, "0-3\n");
    put_caches("32K\n", "1024K\n", "8192K\n", 0, 4);
    gather();
    CU_ASSERT(claimed("performance_cores=unknown"));
    drop_root();
    put_file(online, "0-3\n");
    gather();
    CU_ASSERT(claimed("performance_cores=unknown"));
    put_file(online, "5\n");
    gather();
    CU_ASSERT(claimed("performance_cores=1") && claimed("efficiency_cores=0"));
    drop_root();
}

/* Preferred cores are numbered in small steps; kinds are far apart. */
TEST(by_their_performance)
{
    static const char *const steps[] = {"231\n", "226\n", "211\n", "196\n"};
    put_file("/cpuid.tsv", "0x0\t0\t0x20\t0x756e6547\t0x6c65746e\t0x49656e69\n"
                           "0x7\t0\t0x1\t0x0\t0x0\t0x8000\n");
    put_two("acpi_cppc/highest_perf", "38\n", "62\n");
    gather();
    CU_ASSERT(claimed("performance_cores=2") && claimed("described_cpu=2"));
    for (int cpu = 0; cpu < 4; cpu++)
        put_cpu(cpu, "acpi_cppc/highest_perf", steps[cpu]);
    gather();
    CU_ASSERT(claimed("performance_cores=unknown"));
    drop_root();
}
