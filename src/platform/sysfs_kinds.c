/* sysfs_kinds.c: which cores are online, and of which kinds they are, from Linux's files, live or
 * recorded.
 *
 *     struct sysfs_kinds kinds = sysfs_kinds();
 *     if (kinds.verdict == SYSFS_SEVERAL && sysfs_set_has(&kinds.fast, cpu))
 */
#include "sysfs.h"
#include <stdlib.h>
#include <string.h>

/* ---- the cores that are online ---- */

static bool has_folder(long cpu)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld", cpu);
    return platform_has_folder(path);
}

/* The numbers of the processors in /proc/cpuinfo. */
static void list_cpuinfo(struct sysfs_set *set)
{
    char line[512];
    long cpu;
    FILE *file = platform_open("/proc/cpuinfo");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "processor : %ld", &cpu) == 1)
            sysfs_set_put(set, cpu, true);
    if (file != NULL)
        fclose(file);
}

/* Old kernels have no list of online cores: those that are present, or have a folder, are online
 * unless their own file says no. */
static const char *find_online(struct sysfs_set *set)
{
    static const char online[] = "/sys/devices/system/cpu/online",
                      present[] = "/sys/devices/system/cpu/present",
                      folders[] = "/sys/devices/system/cpu/cpu*", cpuinfo[] = "/proc/cpuinfo";
    enum { CPUS_MAX = 8192 }; /* of Linux */
    if (sysfs_set_read(online, set))
        return online;
    const char *source = sysfs_set_read(present, set) ? present : folders;
    for (long cpu = 0; source == folders && cpu < CPUS_MAX; cpu++)
        if (has_folder(cpu))
            sysfs_set_put(set, cpu, true);
    for (long cpu = sysfs_set_next(set, -1); cpu >= 0; cpu = sysfs_set_next(set, cpu))
        if (sysfs_cpu_number(cpu, "online") == 0)
            sysfs_set_put(set, cpu, false);
    if (sysfs_set_next(set, -1) >= 0)
        return source;
    list_cpuinfo(set);
    return sysfs_set_next(set, -1) >= 0 ? cpuinfo : NULL;
}

/* ---- what they are compared by ---- */

enum { CAPACITY, PART, L1, L2, PERFORMANCE, CLOCK, L3, CRITERIA };

/* Kinds are further apart than this. Cores of one design differ in capacity and in clock, and their
 * CPPC performance may be but a number in an order of preference, a few percent from the next. Only
 * what is decisive shows that there are kinds: caches of 3D stacks differ among cores of one kind.
 */
static const struct criterion {
    const char *name;
    int percent;
    bool decisive;
} criteria[CRITERIA] = {
    [CAPACITY] = {"cpu_capacity", 10, true},
    [PART] = {"CPU parts", 0, true},
    [L1] = {"L1 sizes", 0, true},
    [L2] = {"L2 sizes", 0, true},
    [PERFORMANCE] = {"highest_perf", 10, false},
    [CLOCK] = {"cpuinfo_max_freq", 10, false},
    [L3] = {"L3 sizes", 0, false},
};

/* Values of a core; -1: unknown. */
struct core {
    long cpu, of[CRITERIA];
};

struct cores {
    struct core *at;
    size_t count;
    bool parts_differ;
};

/* A level that a core lacks, though it has others, has size 0. Every core has a first level: where
 * that is not listed, the list is not complete. */
static void read_caches(struct core *core)
{
    static const int level[] = {L1, L2, L3};
    struct cache_claim cache;
    for (int index = 0; index < SYSFS_CACHES; index++) {
        if (!sysfs_cache(core->cpu, index, &cache))
            continue;
        for (unsigned c = 0; c < 3; c++) {
            long *size = &core->of[level[c]];
            *size = *size < 0 ? 0 : *size;
            if (cache.level == c + 1 && cache.kind != 'i')
                *size = cache.bytes > 0 ? (long)(cache.bytes >> 10) : -1;
        }
    }
    for (unsigned c = 0; c < 3 && core->of[L1] == 0; c++)
        core->of[level[2 - c]] = -1;
}

static void read_parts(struct cores *cores)
{
    char line[512];
    unsigned long implementer = 0, first = 0, part, core;
    long cpu = -1;
    FILE *file = platform_open("/proc/cpuinfo");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        sscanf(line, "processor : %ld", &cpu);
        sscanf(line, "CPU implementer : %lx", &implementer);
        if (sscanf(line, "CPU part : %lx", &part) != 1)
            continue;
        core = implementer << 16 | part;
        first = first == 0 ? core : first;
        cores->parts_differ = cores->parts_differ || first != core;
        for (size_t i = 0; i < cores->count; i++)
            if (cores->at[i].cpu == cpu)
                cores->at[i].of[PART] = !sysfs_is_small(core);
    }
    if (file != NULL)
        fclose(file);
}

static struct cores read_cores(const struct sysfs_set *online)
{
    struct cores cores = {.at = calloc(sysfs_set_count(online) + 1, sizeof *cores.at)};
    if (cores.at == NULL)
        platform_out_of_memory();
    for (long cpu = sysfs_set_next(online, -1); cpu >= 0; cpu = sysfs_set_next(online, cpu)) {
        struct core *core = &cores.at[cores.count++];
        core->cpu = cpu;
        for (int c = 0; c < CRITERIA; c++)
            core->of[c] = -1;
        core->of[CAPACITY] = sysfs_cpu_number(cpu, "cpu_capacity");
        core->of[PERFORMANCE] = sysfs_cpu_number(cpu, "acpi_cppc/highest_perf");
        core->of[CLOCK] = sysfs_cpu_number(cpu, "cpufreq/cpuinfo_max_freq");
        read_caches(core);
    }
    read_parts(&cores);
    return cores;
}

/* ---- kinds ---- */

static int compare_numbers(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

/* Whether the value is known of all cores. */
static bool comparable(const struct cores *cores, int criterion)
{
    for (size_t i = 0; i < cores->count; i++)
        if (cores->at[i].of[criterion] < 0)
            return false;
    return true;
}

/* The smallest value above the widest gap, where that is wide enough for two kinds; else 0. */
static long find_gap(const struct cores *cores, int criterion)
{
    long above = 0, *values = calloc(cores->count + 1, sizeof *values);
    double widest = criteria[criterion].percent / 100.0;
    if (values == NULL)
        platform_out_of_memory();
    for (size_t i = 0; i < cores->count; i++)
        values[i] = cores->at[i].of[criterion];
    qsort(values, cores->count, sizeof *values, compare_numbers);
    for (size_t i = 1; i < cores->count && values[0] >= 0; i++) {
        double gap = values[i] > 0 ? (double)(values[i] - values[i - 1]) / (double)values[i] : 0;
        if (gap > widest) {
            widest = gap;
            above = values[i];
        }
    }
    free(values);
    return above;
}

/* CPUID's word on the kinds: leaf 7 of Intel and leaf 0x80000026 of AMD have a bit for it. A
 * guest is shown its own processors, not which cores they are on. */
static enum sysfs_verdict ask_cpuid(void)
{
    struct platform_cpuid r, amd;
    bool intel = platform_cpuid(0, 0, &r) && r.ebx == 0x756e6547;
    bool known = platform_cpuid(0x80000026, 0, &amd) && amd.eax != 0;
    if (sysfs_is_guest() || (!intel && !known))
        return SYSFS_UNKNOWN;
    if (intel)
        return platform_cpuid(7, 0, &r) && (r.edx >> 15 & 1) != 0 ? SYSFS_SEVERAL : SYSFS_ONE;
    return (amd.eax >> 30 & 1) != 0 ? SYSFS_SEVERAL : SYSFS_ONE;
}

static void separate(struct sysfs_kinds *kinds, const struct cores *cores, int criterion,
                     long above)
{
    kinds->verdict = SYSFS_SEVERAL;
    snprintf(kinds->source, sizeof kinds->source, "%s", criteria[criterion].name);
    for (size_t i = 0; i < cores->count; i++)
        if (cores->at[i].of[criterion] >= above)
            sysfs_set_put(&kinds->fast, cores->at[i].cpu, true);
}

/* They are known to be of one kind by CPUID, or because all that can be compared is equal. */
static void unite(struct sysfs_kinds *kinds, const struct cores *cores, bool cpuid)
{
    bool decisive = cpuid || cores->count == 1;
    char *source = kinds->source;
    snprintf(source, sizeof kinds->source, "%s", cpuid ? "CPUID" : decisive ? "one core" : "");
    for (int c = 0; c < CRITERIA; c++) {
        size_t length = strlen(source);
        if (!comparable(cores, c))
            continue;
        decisive = decisive || criteria[c].decisive;
        snprintf(source + length, sizeof kinds->source - length, "%s%s", length > 0 ? ", " : "",
                 criteria[c].name);
    }
    kinds->verdict = decisive ? SYSFS_ONE : SYSFS_UNKNOWN;
    if (!decisive)
        snprintf(source, sizeof kinds->source, "no source to compare the cores by");
}

static void decide(struct sysfs_kinds *kinds, const struct cores *cores)
{
    enum sysfs_verdict cpuid = ask_cpuid();
    int differs = CRITERIA;
    for (int c = 0; c < CRITERIA; c++) {
        long above = find_gap(cores, c);
        if (above > 0 && (criteria[c].decisive || cpuid == SYSFS_SEVERAL)) {
            separate(kinds, cores, c, above);
            return;
        }
        differs = above > 0 && differs == CRITERIA ? c : differs;
    }
    if (cores->count == 0)
        snprintf(kinds->source, sizeof kinds->source, "no source states which cores there are");
    else if (cpuid == SYSFS_SEVERAL)
        snprintf(kinds->source, sizeof kinds->source,
                 "CPUID states several kinds of core, and no file which core is of which");
    else if (cores->parts_differ)
        snprintf(kinds->source, sizeof kinds->source,
                 "/proc/cpuinfo has several CPU parts, and no file states which are faster");
    else if (differs < CRITERIA && cpuid != SYSFS_ONE)
        snprintf(kinds->source, sizeof kinds->source,
                 "%s: they differ, which those of one kind may, too", criteria[differs].name);
    else
        unite(kinds, cores, cpuid == SYSFS_ONE);
}

/* How many levels of caches the core lists. */
static int listed_levels(const struct core *core)
{
    return (core->of[L1] > 0) + (core->of[L2] > 0) + (core->of[L3] > 0);
}

/* The core that represents its kind: of those that list most levels, one of the largest capacity.
 */
static long represent(const struct sysfs_kinds *kinds, const struct cores *cores, bool fast)
{
    const struct core *best = NULL;
    for (size_t i = 0; i < cores->count; i++) {
        const struct core *core = &cores->at[i];
        if (sysfs_is_fast(kinds, core->cpu) != fast)
            continue;
        int more = best != NULL ? listed_levels(core) - listed_levels(best) : 1;
        if (more > 0 || (more == 0 && core->of[CAPACITY] > best->of[CAPACITY]))
            best = core;
    }
    return best != NULL ? best->cpu : -1;
}

struct sysfs_kinds sysfs_kinds(void)
{
    static const char list[] = "/sys/devices/cpu_core/cpus";
    struct sysfs_kinds kinds = {.core = {-1, -1}};
    struct sysfs_set small;
    bool listed = sysfs_set_read(list, &kinds.fast) &&
                  sysfs_set_read("/sys/devices/cpu_atom/cpus", &small);
    kinds.online_source = find_online(&kinds.online);
    struct cores cores = read_cores(&kinds.online);
    if (listed) {
        kinds.verdict = SYSFS_SEVERAL;
        snprintf(kinds.source, sizeof kinds.source, "%s", list);
    } else {
        memset(&kinds.fast, 0, sizeof kinds.fast);
        decide(&kinds, &cores);
    }
    for (int fast = 0; fast < 2; fast++)
        kinds.core[fast] = represent(&kinds, &cores, fast);
    free(cores.at);
    return kinds;
}

bool sysfs_is_fast(const struct sysfs_kinds *kinds, long cpu)
{
    return kinds->verdict != SYSFS_SEVERAL || sysfs_set_has(&kinds->fast, cpu);
}
