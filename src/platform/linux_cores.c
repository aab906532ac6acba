/* linux_cores.c: cores on Linux: finding idle ones, and pinning to them. */
#define _GNU_SOURCE
#include "platform.h"
#include "sysfs.h"
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* /proc/stat counts ticks of 10 ms, so a shorter interval would see none. */
enum { LOOK_MS = 20, LOOK_TICKS = LOOK_MS / 10 };

/* ---- how busy the cores are ---- */

/* Busy ticks per processor number. */
struct load {
    uint64_t *busy;
    size_t count;
};

/* Grows the array to hold processor `cpu`. */
static void load_reach(struct load *load, size_t cpu)
{
    if (cpu < load->count)
        return;
    size_t count = (cpu + 64) / 64 * 64;
    uint64_t *busy = realloc(load->busy, count * sizeof *busy);
    if (busy == NULL)
        platform_out_of_memory();
    memset(busy + load->count, 0, (count - load->count) * sizeof *busy);
    load->busy = busy;
    load->count = count;
}

/* Adds the busy ticks of each processor (user, nice, system, irq, softirq, steal), or subtracts
 * them. */
static void load_read(struct load *load, bool subtract)
{
    FILE *file = platform_open("/proc/stat");
    char line[512];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        unsigned cpu;
        unsigned long long t[8] = {0};
        if (sscanf(line, "cpu%u %llu %llu %llu %llu %llu %llu %llu %llu", &cpu, &t[0], &t[1], &t[2],
                   &t[3], &t[4], &t[5], &t[6], &t[7]) < 5 ||
            cpu > 1U << 20)
            continue;
        load_reach(load, cpu);
        uint64_t busy = t[0] + t[1] + t[2] + t[5] + t[6] + t[7];
        load->busy[cpu] += subtract ? 0 - busy : busy;
    }
    if (file != NULL)
        fclose(file);
}

/* Busy ticks of every processor while this thread sleeps. */
static struct load load_look(void)
{
    struct load load = {0};
    load_read(&load, true);
    platform_sleep(LOOK_MS * 1e-3);
    load_read(&load, false);
    return load;
}

static uint64_t load_of(const struct load *load, long cpu)
{
    return cpu >= 0 && (size_t)cpu < load->count ? load->busy[cpu] : 0;
}

/* The core's hardware threads; none if unreadable. */
static struct sysfs_set siblings(long cpu)
{
    struct sysfs_set set;
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/topology/thread_siblings_list",
             cpu);
    sysfs_set_read(path, &set);
    return set;
}

/* Busy ticks of the core's other hardware threads. */
static uint64_t sibling_load(const struct load *load, long cpu)
{
    struct sysfs_set set = siblings(cpu);
    uint64_t busy = 0;
    for (long other = sysfs_set_next(&set, -1); other >= 0; other = sysfs_set_next(&set, other))
        if (other != cpu)
            busy += load_of(load, other);
    return busy;
}

/* ---- the order of use ---- */

/* The processors this thread may run on, whatever their numbers; NULL with errno on failure. */
static cpu_set_t *allowed_set(size_t *count)
{
    for (*count = 1024; *count <= 1 << 20; *count *= 2) {
        cpu_set_t *set = CPU_ALLOC(*count);
        if (set == NULL)
            platform_out_of_memory();
        if (sched_getaffinity(0, CPU_ALLOC_SIZE(*count), set) == 0)
            return set;
        CPU_FREE(set);
        if (errno != EINVAL)
            return NULL;
    }
    return NULL;
}

/* The cores not used yet and their loads: own busy ticks count twice, siblings' once. */
struct core_choice {
    cpu_set_t *left;
    size_t count; /* number of processors `left` can hold */
    uint64_t *busy;
    struct sysfs_kinds kinds;
};

static bool choice_open(struct core_choice *choice)
{
    *choice = (struct core_choice){.left = allowed_set(&choice->count), .count = choice->count};
    if (choice->left == NULL)
        return false;
    choice->busy = calloc(choice->count, sizeof *choice->busy);
    if (choice->busy == NULL)
        platform_out_of_memory();
    struct load load = load_look();
    for (size_t cpu = 0; cpu < choice->count; cpu++)
        if (CPU_ISSET_S(cpu, CPU_ALLOC_SIZE(choice->count), choice->left))
            choice->busy[cpu] = 2 * load_of(&load, (long)cpu) + sibling_load(&load, (long)cpu);
    free(load.busy);
    choice->kinds = sysfs_kinds();
    return true;
}

static void choice_close(struct core_choice *choice)
{
    CPU_FREE(choice->left);
    free(choice->busy);
}

/* The least busy core; ties go to performance cores, then to the first from a number that depends
 * on the process ID, so two runs started together use different cores. -1 if none is left. */
static long choice_idlest(const struct core_choice *choice)
{
    long best = -1;
    uint64_t best_busy = UINT64_MAX;
    bool best_fast = false;
    for (size_t i = 0; i < choice->count; i++) {
        size_t cpu = ((size_t)getpid() + i) % choice->count;
        if (!CPU_ISSET_S(cpu, CPU_ALLOC_SIZE(choice->count), choice->left))
            continue;
        uint64_t busy = choice->busy[cpu];
        bool fast = sysfs_is_fast(&choice->kinds, (long)cpu);
        if (busy < best_busy || (busy == best_busy && fast && !best_fast)) {
            best = (long)cpu;
            best_busy = busy;
            best_fast = fast;
        }
    }
    return best;
}

/* Marks a core as used: its sibling threads see it as fully busy. */
static void choice_take(struct core_choice *choice, long cpu)
{
    struct sysfs_set set = siblings(cpu);
    CPU_CLR_S((size_t)cpu, CPU_ALLOC_SIZE(choice->count), choice->left);
    for (long other = sysfs_set_next(&set, -1); other >= 0; other = sysfs_set_next(&set, other))
        if ((size_t)other < choice->count)
            choice->busy[other] += LOOK_TICKS;
}

size_t platform_cores(int *cpus, size_t capacity)
{
    struct core_choice choice;
    size_t count = 0;
    if (!choice_open(&choice))
        return 0;
    for (long cpu; (cpu = choice_idlest(&choice)) >= 0; count++) {
        if (count < capacity)
            cpus[count] = (int)cpu;
        choice_take(&choice, cpu);
    }
    choice_close(&choice);
    return count;
}

/* ---- pinning ---- */

/* Returns 0 or errno. */
static int set_affinity(long cpu)
{
    size_t count = (size_t)cpu + 1;
    cpu_set_t *one = CPU_ALLOC(count);
    if (one == NULL)
        platform_out_of_memory();
    size_t size = CPU_ALLOC_SIZE(count);
    CPU_ZERO_S(size, one);
    CPU_SET_S((size_t)cpu, size, one);
    int error = sched_setaffinity(0, size, one) == 0 ? 0 : errno;
    CPU_FREE(one);
    return error;
}

struct platform_outcome platform_pin_to(int cpu)
{
    struct platform_outcome outcome = {.verdict = PLATFORM_YES};
    int error = cpu < 0 ? EINVAL : set_affinity(cpu), now = sched_getcpu();
    if (error != 0) {
        outcome = platform_result(PLATFORM_NO, "sched_setaffinity: %s", strerror(error));
    } else if (now != cpu) {
        outcome = platform_result(PLATFORM_HINT, "requested core %d but running on core %d", cpu,
                                  now);
    }
    return outcome;
}

struct platform_outcome platform_pin(int *cpu)
{
    struct core_choice choice;
    long best = -1;
    if (choice_open(&choice)) {
        best = choice_idlest(&choice);
        choice_close(&choice);
    }
    struct platform_outcome outcome = platform_pin_to((int)best);
    *cpu = sched_getcpu();
    return outcome;
}

struct platform_outcome platform_restrict(const char *kind)
{
    struct sysfs_kinds kinds = sysfs_kinds();
    bool fast = strcmp(kind, "performance") == 0;
    size_t count;
    if (kinds.verdict == SYSFS_UNKNOWN)
        return platform_result(PLATFORM_NO, "the kinds of its cores are unknown: %s (taskset)",
                               kinds.source);
    if (kinds.verdict == SYSFS_ONE)
        return fast ? (struct platform_outcome){.verdict = PLATFORM_YES}
                    : platform_result(PLATFORM_NO, "the cores of this machine are all alike (%s)",
                                      kinds.source);
    cpu_set_t *set = allowed_set(&count);
    if (set == NULL)
        return platform_result(PLATFORM_NO, "sched_getaffinity: %s", strerror(errno));
    size_t size = CPU_ALLOC_SIZE(count);
    for (size_t cpu = 0; cpu < count; cpu++)
        if (CPU_ISSET_S(cpu, size, set) && sysfs_is_fast(&kinds, (long)cpu) != fast)
            CPU_CLR_S(cpu, size, set);
    struct platform_outcome outcome = {.verdict = PLATFORM_YES};
    if (CPU_COUNT_S(size, set) == 0)
        outcome = platform_result(
            PLATFORM_NO, "this process may use no core of that kind (taskset or a cpuset; %s)",
            kinds.source);
    else if (sched_setaffinity(0, size, set) != 0)
        outcome = platform_result(PLATFORM_NO, "sched_setaffinity: %s", strerror(errno));
    CPU_FREE(set);
    return outcome;
}

/* The first core of the set after `here`; -1 if there is no other. */
static long next_core(const cpu_set_t *set, size_t count, long here)
{
    for (size_t i = 1; i < count; i++) {
        size_t cpu = ((size_t)here + i) % count;
        if (CPU_ISSET_S(cpu, CPU_ALLOC_SIZE(count), set))
            return (long)cpu;
    }
    return -1;
}

/* Pins the thread briefly; once unpinned, it stays there until the scheduler moves it. */
struct platform_outcome platform_move(int *cpu)
{
    struct platform_outcome outcome = {.verdict = PLATFORM_YES};
    size_t count;
    cpu_set_t *set = allowed_set(&count);
    *cpu = sched_getcpu();
    if (set == NULL)
        return platform_result(PLATFORM_NO, "sched_getaffinity: %s", strerror(errno));
    long next = next_core(set, count, *cpu);
    int error = next < 0 ? 0 : set_affinity(next);
    if (next < 0)
        outcome = platform_result(PLATFORM_NO,
                                  "this process may use only one core (taskset or a cpuset)");
    else if (error != 0 || sched_setaffinity(0, CPU_ALLOC_SIZE(count), set) != 0)
        outcome = platform_result(PLATFORM_NO, "sched_setaffinity: %s",
                                  strerror(error != 0 ? error : errno));
    CPU_FREE(set);
    *cpu = sched_getcpu();
    return outcome;
}

const char *platform_sibling_busy(int cpu, char why[PLATFORM_WHY_ROOM])
{
    struct load load = load_look();
    uint64_t busy = sibling_load(&load, cpu);
    free(load.busy);
    why[0] = '\0';
    if (busy > 0)
        return "yes";
    if (!sysfs_is_guest())
        return "no";
    snprintf(why, PLATFORM_WHY_ROOM, "a guest cannot see who shares its cores");
    return "unknown";
}
