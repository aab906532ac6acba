/* darwin.c: measuring on macOS, and what it claims about the machine. Written from Apple's
 * documentation and headers, and not yet run on a Mac.
 *
 *     int cpu;
 *     struct platform_outcome pinned = platform_pin(&cpu);    -> PLATFORM_HINT
 */
#define _DARWIN_C_SOURCE
#include "platform.h"
#include "posix.h"
#include "sink.h"
#include "sysfs.h"
#include <errno.h>
#include <mach/mach.h>
#include <pthread.h>
#include <pthread/qos.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sysctl.h>
#include <time.h>

/* Integers come in 4 or 8 bytes, in the order of the processor, which is little-endian. */
static bool read_sysctl(const char *name, uint64_t *value)
{
    size_t length = sizeof *value;
    *value = 0;
    return sysctlbyname(name, value, &length, NULL, 0) == 0;
}

/* ---- time and memory ---- */

/* Its resolution is 42 ns on Apple processors, which makes samples longer. */
uint64_t platform_now_ns(void)
{
    return clock_gettime_nsec_np(CLOCK_UPTIME_RAW);
}

void *platform_map(size_t bytes, size_t align, struct platform_outcome *no_huge)
{
    if (no_huge != NULL)
        *no_huge = platform_result(PLATFORM_HINT,
                                   "macOS uses huge pages on request only, unverified");
    return posix_map(bytes, align);
}

void platform_invalidate(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

struct platform_outcome platform_will_need(void *memory, size_t bytes)
{
    if (madvise(memory, bytes, MADV_WILLNEED) != 0)
        return platform_result(PLATFORM_NO, "%s", strerror(errno));
    return platform_result(PLATFORM_HINT,
                           "macOS accepts MADV_WILLNEED but does not report its effect");
}

struct platform_outcome platform_scattered(const void *memory, size_t count, size_t distance)
{
    (void)memory, (void)count, (void)distance;
    return platform_result(PLATFORM_HINT, "macOS shows no physical frames");
}

struct platform_outcome platform_contiguous(const void *memory, size_t count)
{
    (void)memory, (void)count;
    return platform_result(PLATFORM_HINT, "macOS shows no physical frames");
}

bool platform_touch(void *page, uint64_t page_bytes)
{
    (void)page_bytes;
    *(volatile char *)page = 0;
    return true;
}

struct platform_outcome platform_touch_contiguous(void *memory, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += platform_page_bytes())
        ((volatile char *)memory)[at] = 1;
    return platform_result(PLATFORM_HINT, "macOS has no request for neighbouring frames");
}

/* ---- limits ---- */

struct platform_memory platform_memory(void)
{
    struct platform_memory memory = {.total = UINT64_MAX, .available = UINT64_MAX};
    vm_statistics64_data_t vm;
    mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
    struct rlimit space;
    uint64_t bytes;
    if (platform_root()[0] != '\0')
        return sysfs_memory();
    if (read_sysctl("hw.memsize", &bytes))
        sysfs_limit(&memory, bytes, 0, "hw.memsize");
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        sysfs_limit(&memory, space.rlim_cur, 0, "RLIMIT_AS");
    if (host_statistics64(mach_host_self(), HOST_VM_INFO64, (host_info64_t)&vm, &count) == 0) {
        bytes = ((uint64_t)vm.free_count + vm.inactive_count + vm.purgeable_count) *
                platform_page_bytes();
        if (bytes < memory.available) {
            memory.available = bytes;
            snprintf(memory.source, sizeof memory.source, "host_statistics64");
        }
    }
    return memory;
}

/* Half of the address space, because the system's own regions are scattered over it. */
uint64_t platform_address_space(void)
{
    struct rlimit space;
    uint64_t bytes = (uint64_t)MACH_VM_MAX_ADDRESS / 2;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur < bytes)
        bytes = space.rlim_cur;
    return bytes;
}

/* ---- processors ---- */

static int present_cpu(void)
{
    size_t cpu;
    return pthread_cpu_number_np(&cpu) == 0 ? (int)cpu : -1;
}

/* macOS cannot pin threads; the highest quality of service keeps a thread on performance cores. */
struct platform_outcome platform_pin(int *cpu)
{
    int error = pthread_set_qos_class_self_np(QOS_CLASS_USER_INTERACTIVE, 0);
    *cpu = present_cpu();
    if (error != 0)
        return platform_result(PLATFORM_NO, "%s", strerror(error));
    return platform_result(PLATFORM_HINT, "macOS has no pinning; user-interactive service prefers "
                                          "performance cores");
}

struct platform_outcome platform_restrict(const char *kind)
{
    uint64_t levels;
    bool alike = !read_sysctl("hw.nperflevels", &levels) || levels < 2;
    if (strcmp(kind, "performance") != 0)
        return platform_result(PLATFORM_NO,
                               alike ? "the cores of this machine are all alike"
                                     : "macOS has no pinning; threads of the highest quality of "
                                       "service run on performance cores");
    return alike ? (struct platform_outcome){.verdict = PLATFORM_YES}
                 : platform_result(PLATFORM_HINT,
                                   "user-interactive service prefers performance cores");
}

struct platform_outcome platform_move(int *cpu)
{
    *cpu = present_cpu();
    return platform_result(PLATFORM_NO, "macOS does not let programs choose a core");
}

const char *platform_sibling_busy(int cpu, char why[PLATFORM_WHY_ROOM])
{
    uint64_t logical, physical, guest;
    (void)cpu;
    why[0] = '\0';
    if (read_sysctl("hw.logicalcpu", &logical) && read_sysctl("hw.physicalcpu", &physical) &&
        logical == physical && read_sysctl("kern.hv_vmm_present", &guest) && guest == 0)
        return "no";
    snprintf(why, PLATFORM_WHY_ROOM, "macOS does not show what runs beside a thread");
    return "unknown";
}

/* Counted for the process, which measures in one thread. */
bool platform_counts(struct platform_counts *counts)
{
    return posix_counts(RUSAGE_SELF, present_cpu(), counts);
}

struct platform_outcome platform_perf(void)
{
    return platform_result(PLATFORM_NO, "macOS keeps hardware counters for its own tools");
}

const char *platform_core_kind(int cpu)
{
    uint64_t levels;
    (void)cpu;
    return read_sysctl("hw.nperflevels", &levels) && levels > 1 ? "unknown" : "uniform";
}

/* A "core" is a thread that may run anywhere; threads of the highest quality of service run on
 * performance cores first. */
size_t platform_cores(int *cpus, size_t capacity)
{
    uint64_t cores;
    if (!read_sysctl("hw.logicalcpu", &cores) || cores < 1)
        cores = 1;
    for (size_t i = 0; i < cores && i < capacity; i++)
        cpus[i] = (int)i;
    return (size_t)cores;
}

struct platform_outcome platform_pin_to(int cpu)
{
    int now;
    (void)cpu;
    return platform_pin(&now);
}

/* ---- claims of the machine ---- */

/* If several names give one key, the first that exists is used, as for all sources. */
static const struct {
    const char *name, *key, *unit;
} numbers[] = {
    {"hw.logicalcpu", "cores", "cores"},
    {"hw.perflevel0.logicalcpu", "performance_cores", "cores"},
    {"hw.perflevel1.logicalcpu", "efficiency_cores", "cores"},
    {"hw.pagesize", "page_bytes", "bytes"},
    {"hw.cachelinesize", "line_bytes", "bytes"},
    {"hw.perflevel0.l1dcachesize", "l1d_bytes", "bytes"},
    {"hw.perflevel0.l1icachesize", "l1i_bytes", "bytes"},
    {"hw.perflevel0.l2cachesize", "l2_bytes", "bytes"},
    {"hw.perflevel1.l1dcachesize", "efficiency_l1d_bytes", "bytes"},
    {"hw.perflevel1.l1icachesize", "efficiency_l1i_bytes", "bytes"},
    {"hw.perflevel1.l2cachesize", "efficiency_l2_bytes", "bytes"},
    {"hw.l1dcachesize", "l1d_bytes", "bytes"},
    {"hw.l1icachesize", "l1i_bytes", "bytes"},
    {"hw.l2cachesize", "l2_bytes", "bytes"},
    {"hw.l3cachesize", "l3_bytes", "bytes"},
    {"hw.memsize", "mem_total_bytes", "bytes"},
};

static void say_text(const struct sink *sink, const char *key, const char *name)
{
    char text[256];
    size_t length = sizeof text - 1;
    if (sysctlbyname(name, text, &length, NULL, 0) != 0)
        return;
    text[length] = '\0';
    say(sink, key, text, "", name);
}

void platform_claims(platform_claim *claim, void *context)
{
    struct sink sink = {claim, context};
    struct platform_memory memory = platform_memory();
    uint64_t value;
    if (platform_root()[0] != '\0') {
        sysfs_claims(claim, context);
        return;
    }
    say_text(&sink, "cpu", "machdep.cpu.brand_string");
    say_text(&sink, "board", "hw.model");
    if (read_sysctl("kern.hv_vmm_present", &value))
        say(&sink, "hypervisor", value ? "present" : "none", "", "kern.hv_vmm_present");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (read_sysctl(numbers[i].name, &value) && value > 0)
            say_number(&sink, numbers[i].key, value, numbers[i].unit, numbers[i].name);
    say_number(&sink, "memory_limit_bytes", memory.total, "bytes", memory.limit_source);
    say_number(&sink, "memory_available_bytes", memory.available, "bytes", memory.source);
}

/* ---- a traced program ---- */

bool platform_is_running(uint32_t process)
{
    return kill((pid_t)process, 0) == 0;
}
