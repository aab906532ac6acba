/* published.c: TLBs of Arm cores, which have no CPUID, as their manuals describe them. Nothing here
 * was measured, and nothing of it reaches an analysis: it is what `machine` lists and what
 * `detect --claims` compares with.
 *
 *     published_tlbs(0, "4k", print, NULL);    -> "dtlb1_4k_entries", "48", "entries", "published…"
 */
#include "machine/published.h"
#include "sink.h"
#include <stdlib.h>
#include <string.h>

/* The ways of a level are its entries if it is fully associative, and 0 if they are not known. The
 * second level is shared by data and code. Apple's cores are missing: only registered developers
 * can read the manual that has their sizes (Apple Silicon CPU Optimization Guide), and sizes that
 * others have measured are no claims. */
struct size {
    unsigned entries, ways;
};
static const struct core {
    unsigned long implementer, part;
    const char *manual;
    struct size data, code, second;
} cores[] = {
    {0x41, 0xd03, "Cortex-A53 TRM DDI 0500", {10, 10}, {10, 10}, {512, 4}},
    {0x41, 0xd05, "Cortex-A55 TRM 100442", {16, 16}, {15, 15}, {1024, 4}},
    {0x41, 0xd08, "Cortex-A72 TRM 100095", {32, 32}, {48, 48}, {1024, 4}},
    {0x41, 0xd0b, "Cortex-A76 TRM 100798", {48, 48}, {48, 48}, {1280, 5}},
    {0x41, 0xd0c, "Neoverse N1 TRM 100616", {48, 48}, {48, 48}, {1280, 5}},
    {0x41, 0xd49, "Neoverse N2 TRM 102099", {44, 44}, {48, 48}, {1280, 5}},
    {0x41, 0xd4f, "Arm's model of the Neoverse V2 in gem5", {48, 48}, {48, 0}, {2048, 8}},
};

/* The number after "NAME\t: " in a line of /proc/cpuinfo. */
static bool number_of(const char *line, const char *name, unsigned long *number)
{
    const char *colon = strchr(line, ':');
    if (strncmp(line, name, strlen(name)) != 0 || colon == NULL)
        return false;
    *number = strtoul(colon + 1, NULL, 0);
    return true;
}

static const struct core *find_core(uint64_t cpu)
{
    char line[512];
    unsigned long here = 0, implementer = 0, part = 0;
    const struct core *found = NULL;
    FILE *file = platform_open("/proc/cpuinfo");
    while (file != NULL && found == NULL && fgets(line, sizeof line, file) != NULL) {
        number_of(line, "processor", &here);
        number_of(line, "CPU implementer", &implementer);
        if (!number_of(line, "CPU part", &part) || here != cpu)
            continue;
        for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
            if (cores[i].implementer == implementer && cores[i].part == part)
                found = &cores[i];
    }
    if (file != NULL)
        fclose(file);
    return found;
}

static void claim_level(const struct sink *sink, const char *name, const char *page,
                        struct size size, const char *source)
{
    char key[48];
    snprintf(key, sizeof key, "%s_%s_entries", name, page);
    say_number(sink, key, size.entries, "entries", source);
    snprintf(key, sizeof key, "%s_%s_ways", name, page);
    if (size.ways > 0)
        say_number(sink, key, size.ways, "ways", source);
}

void published_tlbs(uint64_t cpu, const char *page, platform_claim *claim, void *context)
{
    struct sink sink = {claim, context};
    const struct core *core = find_core(cpu);
    char source[96], shared[112];
    if (core == NULL)
        return;
    snprintf(source, sizeof source, "published: %s", core->manual);
    snprintf(shared, sizeof shared, "%s, shared", source);
    claim_level(&sink, "dtlb1", page, core->data, source);
    claim_level(&sink, "itlb1", page, core->code, source);
    claim_level(&sink, "dtlb2", page, core->second, shared);
    claim_level(&sink, "itlb2", page, core->second, shared);
}
