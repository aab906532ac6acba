/* pmu.c: uncore PMUs in sysfs.
 *
 * A unit's `type` is its number for perf_event_open(), `cpumask` lists a CPU of each package, and
 * each file in `format` says where the bits of a term go: "config:8-15,32-57" (Linux,
 * Documentation/ABI/testing/sysfs-bus-event_source-devices-format). */
#include "slices/counters/pmu.h"
#include "base/number.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char devices[] = "/sys/bus/event_source/devices";

enum { UNITS_MAX = SLICES_MAX, CANDIDATES_MAX = 5 }; /* [bound] */

/* Kinds of units, with their candidate events. In a term's value, * is the number of the slice, and
 * 1<<* the bit with that number. */
struct pmu_kind {
    const char *unit; /* name without the number; a unit without a number covers all slices */
    bool one;
    const char *selector; /* a format file it must have; NULL: none */
    unsigned slices;      /* if one unit covers all */
    struct pmu_candidate candidates[CANDIDATES_MAX];
};

#define SKX_MANUAL "Intel 336274, Xeon Scalable uncore performance monitoring, CHA"
#define ICX_MANUAL "Intel 639778, 3rd Gen Xeon Scalable uncore performance monitoring, CHA"

static const struct pmu_kind kinds[] = {
    {"uncore_cha_",
     false,
     NULL,
     0,
     {{"event=0x50,umask=0x03", "REQUESTS.READS: " SKX_MANUAL "; " ICX_MANUAL},
      {"event=0x34,umask=0x03,filter_state=0x3ff",
       "LLC_LOOKUP.DATA_READ with all states: " SKX_MANUAL},
      {"event=0x34,umask=0x1bc1ff", "guess: LLC_LOOKUP.DATA_READ of the kernel's events for ICX"},
      {"event=0x34,umask=0x03", "guess: LLC_LOOKUP.DATA_READ without a filter"}}},
    {"uncore_cbox_",
     false,
     NULL,
     0,
     {{"event=0x34,umask=0x8f", "CACHE_LOOKUP.ANY_MESI: the kernel's events for client cores"},
      {"event=0x34,umask=0x88", "guess: CACHE_LOOKUP of any request that hits or misses in I"}}},
    {"amd_l3",
     true,
     "slicemask",
     4,
     {{"event=0x04,umask=0xff,slicemask=1<<*,threadmask=0xff",
       "L3 lookups: AMD PPR for family 17h, L3PMCx04"},
      {"event=0x01,umask=0x80,slicemask=1<<*,threadmask=0xff",
       "guess: L3 requests: AMD PPR for family 17h, L3PMCx01"}}},
    {"amd_l3",
     true,
     "sliceid",
     8,
     {{"event=0x04,umask=0xff,sliceid=*,enallcores=1,threadmask=0x3",
       "L3 lookups: AMD PPR for family 19h, L3PMCx04"},
      {"event=0x04,umask=0x01,sliceid=*,enallcores=1,threadmask=0x3",
       "guess: L3 misses only: AMD PPR for family 19h, L3PMCx04"}}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- units ---- */

static void unit_name(const struct pmu_kind *kind, unsigned unit, char name[PMU_NAME_ROOM])
{
    if (kind->one)
        snprintf(name, PMU_NAME_ROOM, "%s", kind->unit);
    else
        snprintf(name, PMU_NAME_ROOM, "%s%u", kind->unit, unit);
}

void pmu_name(const struct pmu *pmu, unsigned slice, char name[PMU_NAME_ROOM])
{
    unit_name(pmu->kind, pmu->unit[slice], name);
}

/* The first line of a unit's file. */
static bool read_file(const char *unit, const char *file, char text[256])
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s/%s", devices, unit, file);
    return platform_read_line(path, text, 256);
}

static bool unit_exists(const struct pmu_kind *kind, unsigned unit)
{
    char name[PMU_NAME_ROOM], file[64], text[256];
    unit_name(kind, unit, name);
    snprintf(file, sizeof file, "format/%s", kind->selector != NULL ? kind->selector : "event");
    return read_file(name, "type", text) && read_file(name, file, text);
}

/* Units may be missing from the sequence: their slices are disabled. */
static unsigned find_units(const struct pmu_kind *kind, unsigned unit[SLICES_MAX])
{
    unsigned count = 0;
    for (unsigned k = 0; k < UNITS_MAX && !kind->one; k++)
        if (unit_exists(kind, k))
            unit[count++] = k;
    return kind->one && unit_exists(kind, 0) ? kind->slices : count;
}

/* The CPU in a cpumask such as "0,28" or "0-1" that has this file in common with `cpu`: its
 * package, or the CPUs of its L3; the first if there is none or cpu is negative. */
static int cpu_of(const char *mask, int cpu, const char *common)
{
    char path[128], ours[256] = "", theirs[256];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/%s", cpu, common);
    if (cpu < 0 || !platform_read_line(path, ours, sizeof ours))
        return atoi(mask);
    for (const char *at = mask; isdigit((unsigned char)*at);) {
        int other = atoi(at);
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/%s", other, common);
        if (platform_read_line(path, theirs, sizeof theirs) && strcmp(ours, theirs) == 0)
            return other;
        at += strcspn(at, ",");
        at += *at == ',';
    }
    return atoi(mask);
}

bool pmu_find(struct pmu *pmu, char why[PLATFORM_WHY_ROOM])
{
    char name[PMU_NAME_ROOM], mask[256];
    *pmu = (struct pmu){0};
    for (unsigned k = 0; k < KINDS && pmu->slices == 0; k++) {
        pmu->kind = &kinds[k];
        pmu->slices = find_units(pmu->kind, pmu->unit);
    }
    if (pmu->slices == 0) {
        snprintf(why, PLATFORM_WHY_ROOM,
                 "no counters of L3 slices (uncore_cha_N, uncore_cbox_N or amd_l3 in %s%s): "
                 "Linux has no driver for them, or a hypervisor hides them",
                 platform_root(), devices);
        return false;
    }
    pmu_name(pmu, 0, name);
    if (!read_file(name, "cpumask", mask) || !isdigit((unsigned char)*mask)) {
        snprintf(why, PLATFORM_WHY_ROOM, "%s/%s/cpumask names no CPU", devices, name);
        return false;
    }
    pmu->cpu = atoi(mask);
    return true;
}

const struct pmu_candidate *pmu_candidate(const struct pmu *pmu, unsigned k)
{
    return k < CANDIDATES_MAX && pmu->kind->candidates[k].terms != NULL ? &pmu->kind->candidates[k]
                                                                        : NULL;
}

/* ---- events ---- */

/* Puts the low bits of a value into the bits that a format names, lowest first. False for a format
 * of another kind, or a value that does not fit. */
static bool place_bits(const char *format, uint64_t value, struct platform_event *event)
{
    size_t name = strcspn(format, ":");
    uint64_t *config = name == 6                                            ? &event->config
                       : name == 7 && strncmp(format, "config1", name) == 0 ? &event->config1
                       : name == 7 && strncmp(format, "config2", name) == 0 ? &event->config2
                                                                            : NULL;
    if (config == NULL || strncmp(format, "config", 6) != 0 || format[name] != ':')
        return false;
    for (const char *at = format + name + 1; *at != '\0'; at += *at == ',') {
        char *end;
        if (!isdigit((unsigned char)*at))
            return false;
        unsigned long from = strtoul(at, &end, 10), to = from;
        if (*end == '-')
            to = strtoul(end + 1, &end, 10);
        if (to > 63 || from > to || (*end != '\0' && *end != ','))
            return false;
        for (unsigned long b = from; b <= to; b++, value >>= 1)
            *config |= (value & 1) << b;
        at = end;
    }
    return value == 0;
}

/* The value of a term for a slice. */
static uint64_t term_value(const char *text, unsigned slice)
{
    if (*text == '*')
        return slice;
    return strncmp(text, "1<<*", 4) == 0 ? (uint64_t)1 << slice : strtoull(text, NULL, 0);
}

static bool add_term(const char *unit, const char *term, unsigned slice,
                     struct platform_event *event, char why[PLATFORM_WHY_ROOM])
{
    char file[128], format[256];
    size_t name = strcspn(term, "=");
    snprintf(file, sizeof file, "format/%.*s", (int)(name < 64 ? name : 64), term);
    if (!read_file(unit, file, format)) {
        snprintf(why, PLATFORM_WHY_ROOM, "%s has no %s", unit, file);
        return false;
    }
    if (!place_bits(format, term_value(term + name + 1, slice), event)) {
        snprintf(why, PLATFORM_WHY_ROOM, "%.60s/%.60s is '%.60s': %.40s does not fit", unit, file,
                 format, term);
        return false;
    }
    return true;
}

bool pmu_event(const struct pmu *pmu, unsigned slice, const char *terms, int cpu,
               struct platform_event *event, char why[PLATFORM_WHY_ROOM])
{
    char unit[PMU_NAME_ROOM], text[256];
    uint64_t type;
    pmu_name(pmu, slice, unit);
    *event = (struct platform_event){.cpu = pmu->cpu};
    if (!read_file(unit, "type", text) || !parse_size(text, &type) || type > UINT32_MAX) {
        snprintf(why, PLATFORM_WHY_ROOM, "%s/%s/type is not a number", devices, unit);
        return false;
    }
    event->type = (uint32_t)type;
    if (read_file(unit, "cpumask", text) && isdigit((unsigned char)*text))
        event->cpu = cpu_of(text, cpu,
                            pmu->kind->one ? "cache/index3/shared_cpu_list"
                                           : "topology/physical_package_id");
    for (const char *at = terms; *at != '\0'; at += *at == ',') {
        if (!add_term(unit, at, slice, event, why))
            return false;
        at += strcspn(at, ",");
    }
    return true;
}
