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

/* Adds the busy ticks of each processor (user, nice, system, irq, softirq, steal), or subtracts
 * them. */
static void load_read(uint64_t busy[SYSFS_SET_MAX], bool subtract)
{
    FILE *file = platform_open("/proc/stat");
    char line[512];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        unsigned cpu;
        unsigned long long t[8] = {0};
        if (sscanf(line, "cpu%u %llu %llu %llu %llu %llu %llu %llu %llu", &cpu, &t[0], &t[1], &t[2],
                   &t[3], &t[4], &t[5], &t[6], &t[7]) < 5 ||
            cpu >= SYSFS_SET_MAX)
            continue;
        uint64_t all = t[0] + t[1] + t[2] + t[5] + t[6] + t[7];
        busy[cpu] += subtract ? 0 - all : all;
    }
    if (file != NULL)
        fclose(file);
}

/* Busy ticks of every processor while this thread sleeps, for free(). */
static uint64_t *load_look(void)
{
    uint64_t *busy = calloc(SYSFS_SET_MAX, sizeof *busy);
    if (busy == NULL)
        platform_out_of_memory();
    load_read(busy, true);
    platform_sleep(LOOK_MS * 1e-3);
    load_read(busy, false);
    return busy;
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
static uint64_t sibling_load(const uint64_t *load, long cpu)
{
    struct sysfs_set set = siblings(cpu);
    uint64_t busy = 0;
    for (long other = sysfs_set_next(&set, -1); other >= 0; other = sysfs_set_next(&set, other))
        if (other != cpu)
            busy += load[other];
    return busy;
}

/* ---- the order of use ---- */

/* The processors that this thread may run on. Both return 0 or errno; our sets are the kernel's. */
static int allowed_read(struct sysfs_set *set)
{
    return sched_getaffinity(0, sizeof *set, (cpu_set_t *)set->bits) == 0 ? 0 : errno;
}

static int allowed_write(const struct sysfs_set *set)
{
    return sched_setaffinity(0, sizeof *set, (const cpu_set_t *)set->bits) == 0 ? 0 : errno;
}

static int allow_one(long cpu)
{
    struct sysfs_set one = {{0}};
    sysfs_set_put(&one, cpu, true);
    return allowed_write(&one);
}

/* The next of the set after `here`; after the last comes the first. */
static long next_around(const struct sysfs_set *set, long here)
{
    long next = sysfs_set_next(set, here);
    return next >= 0 ? next : sysfs_set_next(set, -1);
}

/* The cores not used yet, the one to begin with, and their loads: own busy ticks count twice,
 * siblings' once. */
struct core_choice {
    struct sysfs_set left;
    long first;
    uint64_t *busy;
    struct sysfs_kinds kinds;
};

static bool choice_open(struct core_choice *choice)
{
    if (allowed_read(&choice->left) != 0)
        return false;
    uint64_t *load = load_look();
    choice->busy = calloc(SYSFS_SET_MAX, sizeof *choice->busy);
    if (choice->busy == NULL)
        platform_out_of_memory();
    const struct sysfs_set *left = &choice->left;
    for (long cpu = sysfs_set_next(left, -1); cpu >= 0; cpu = sysfs_set_next(left, cpu))
        choice->busy[cpu] = 2 * load[cpu] + sibling_load(load, cpu);
    free(load);
    choice->first = -1;
    for (size_t n = (size_t)getpid() % sysfs_set_count(left) + 1; n > 0; n--)
        choice->first = sysfs_set_next(left, choice->first);
    choice->kinds = sysfs_kinds();
    return true;
}

/* The least busy core; ties go to performance cores, then to the first from one that depends on the
 * process ID, so two runs started together use different cores. -1 if none is left. */
static long choice_idlest(const struct core_choice *choice)
{
    long best = -1, cpu = choice->first - 1;
    for (size_t i = sysfs_set_count(&choice->left); i > 0; i--) {
        cpu = next_around(&choice->left, cpu);
        bool fast = sysfs_is_fast(&choice->kinds, cpu);
        if (best < 0 || choice->busy[cpu] < choice->busy[best] ||
            (choice->busy[cpu] == choice->busy[best] && fast &&
             !sysfs_is_fast(&choice->kinds, best)))
            best = cpu;
    }
    return best;
}

/* Marks a core as used: its sibling threads see it as fully busy. */
static void choice_take(struct core_choice *choice, long cpu)
{
    struct sysfs_set set = siblings(cpu);
    sysfs_set_put(&choice->left, cpu, false);
    for (long other = sysfs_set_next(&set, -1); other >= 0; other = sysfs_set_next(&set, other))
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
    free(choice.busy);
    return count;
}

/* ---- pinning ---- */

struct platform_outcome platform_pin_to(int cpu)
{
    struct platform_outcome outcome = {.verdict = PLATFORM_YES};
    int error = allow_one(cpu), now = sched_getcpu();
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
        free(choice.busy);
    }
    struct platform_outcome outcome = platform_pin_to((int)best);
    *cpu = sched_getcpu();
    return outcome;
}

struct platform_outcome platform_restrict(const char *kind)
{
    struct sysfs_kinds kinds = sysfs_kinds();
    bool fast = strcmp(kind, "performance") == 0;
    struct sysfs_set set;
    if (kinds.verdict == SYSFS_UNKNOWN)
        return platform_result(PLATFORM_NO, "the kinds of its cores are unknown: %s (taskset)",
                               kinds.source);
    if (kinds.verdict == SYSFS_ONE)
        return fast ? (struct platform_outcome){.verdict = PLATFORM_YES}
                    : platform_result(PLATFORM_NO, "the cores of this machine are all alike (%s)",
                                      kinds.source);
    int error = allowed_read(&set);
    if (error != 0)
        return platform_result(PLATFORM_NO, "sched_getaffinity: %s", strerror(error));
    for (long cpu = sysfs_set_next(&set, -1); cpu >= 0; cpu = sysfs_set_next(&set, cpu))
        sysfs_set_put(&set, cpu, sysfs_is_fast(&kinds, cpu) == fast);
    if (sysfs_set_count(&set) == 0)
        return platform_result(
            PLATFORM_NO, "this process may use no core of that kind (taskset or a cpuset; %s)",
            kinds.source);
    error = allowed_write(&set);
    return error == 0 ? (struct platform_outcome){.verdict = PLATFORM_YES}
                      : platform_result(PLATFORM_NO, "sched_setaffinity: %s", strerror(error));
}

/* Pins the thread briefly; once unpinned, it stays there until the scheduler moves it. */
struct platform_outcome platform_move(int *cpu)
{
    struct sysfs_set set;
    int error = allowed_read(&set);
    *cpu = sched_getcpu();
    if (error != 0)
        return platform_result(PLATFORM_NO, "sched_getaffinity: %s", strerror(error));
    long next = next_around(&set, *cpu);
    if (next == *cpu)
        return platform_result(PLATFORM_NO,
                               "this process may use only one core (taskset or a cpuset)");
    error = allow_one(next);
    error = error != 0 ? error : allowed_write(&set);
    *cpu = sched_getcpu();
    return error == 0 ? (struct platform_outcome){.verdict = PLATFORM_YES}
                      : platform_result(PLATFORM_NO, "sched_setaffinity: %s", strerror(error));
}

const char *platform_sibling_busy(int cpu, char why[PLATFORM_WHY_ROOM])
{
    uint64_t *load = load_look(), busy = sibling_load(load, cpu);
    free(load);
    why[0] = '\0';
    if (busy > 0)
        return "yes";
    if (!sysfs_is_guest())
        return "no";
    snprintf(why, PLATFORM_WHY_ROOM, "a guest cannot see who shares its cores");
    return "unknown";
}
