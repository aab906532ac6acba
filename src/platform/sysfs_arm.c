/* sysfs_arm.c: the cores of Arm's architecture, which say only by numbers what they are: those of
 * the register MIDR_EL1. Their names and their TLBs are those of their manuals.
 *
 *     platform_arm_name("0x41", "0xd08")    -> "Arm Cortex-A72"
 */
#include "platform.h"
#include "sysfs.h"
#include <stdlib.h>

struct core {
    unsigned long code; /* implementer and part */
    bool small;         /* made for systems with larger ones beside it */
    const char *name;
};

static const struct core cores[] = {
    {0x410c07, true, "Arm Cortex-A7"},        {0x410d03, true, "Arm Cortex-A53"},
    {0x410d04, true, "Arm Cortex-A35"},       {0x410d05, true, "Arm Cortex-A55"},
    {0x410d07, false, "Arm Cortex-A57"},      {0x410d08, false, "Arm Cortex-A72"},
    {0x410d09, false, "Arm Cortex-A73"},      {0x410d0a, false, "Arm Cortex-A75"},
    {0x410d0b, false, "Arm Cortex-A76"},      {0x410d0c, false, "Arm Neoverse-N1"},
    {0x410d0d, false, "Arm Cortex-A77"},      {0x410d40, false, "Arm Neoverse-V1"},
    {0x410d41, false, "Arm Cortex-A78"},      {0x410d44, false, "Arm Cortex-X1"},
    {0x410d46, true, "Arm Cortex-A510"},      {0x410d47, false, "Arm Cortex-A710"},
    {0x410d48, false, "Arm Cortex-X2"},       {0x410d49, false, "Arm Neoverse-N2"},
    {0x410d4d, false, "Arm Cortex-A715"},     {0x410d4e, false, "Arm Cortex-X3"},
    {0x410d4f, false, "Arm Neoverse-V2"},     {0x410d80, true, "Arm Cortex-A520"},
    {0x410d81, false, "Arm Cortex-A720"},     {0x410d82, false, "Arm Cortex-X4"},
    {0x410d84, false, "Arm Neoverse-V3"},     {0x410d85, false, "Arm Cortex-X925"},
    {0x410d87, false, "Arm Cortex-A725"},     {0x410d8a, true, "Arm C1-Nano"},
    {0x410d8e, false, "Arm Neoverse-N3"},     {0x510801, true, "Qualcomm Kryo Silver"},
    {0x510803, true, "Qualcomm Kryo Silver"}, {0x510805, true, "Qualcomm Kryo Silver"},
    {0x610022, true, "Apple M1 Icestorm"},    {0x610023, false, "Apple M1 Firestorm"},
    {0x610024, true, "Apple M1 Icestorm"},    {0x610025, false, "Apple M1 Firestorm"},
    {0x610028, true, "Apple M1 Icestorm"},    {0x610029, false, "Apple M1 Firestorm"},
    {0x610032, true, "Apple M2 Blizzard"},    {0x610033, false, "Apple M2 Avalanche"},
    {0x610034, true, "Apple M2 Blizzard"},    {0x610035, false, "Apple M2 Avalanche"},
    {0x610038, true, "Apple M2 Blizzard"},    {0x610039, false, "Apple M2 Avalanche"},
    {0xc00ac3, false, "AmpereOne"},
};

static const struct core *find(unsigned long code)
{
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
        if (cores[i].code == code)
            return &cores[i];
    return NULL;
}

bool sysfs_is_small(unsigned long code)
{
    const struct core *core = find(code);
    return core != NULL && core->small;
}

const char *platform_arm_name(const char *implementer, const char *part)
{
    const struct core *core = find(strtoul(implementer, NULL, 0) << 16 | strtoul(part, NULL, 0));
    return core != NULL ? core->name : NULL;
}

/* ---- TLBs ---- */

/* The ways of a level are its entries if it is fully associative, and 0 if they are not known. The
 * second level is shared by data and code. Apple's cores are missing: only registered developers
 * can read the manual that has their sizes (Apple Silicon CPU Optimization Guide), and sizes that
 * others have measured are no claims. */
struct size {
    unsigned entries, ways;
};
static const struct tlbs {
    unsigned long code;
    const char *manual;
    struct size data, instructions, second;
} published[] = {
    {0x410d03, "Cortex-A53 TRM DDI 0500", {10, 10}, {10, 10}, {512, 4}},
    {0x410d05, "Cortex-A55 TRM 100442", {16, 16}, {15, 15}, {1024, 4}},
    {0x410d08, "Cortex-A72 TRM 100095", {32, 32}, {48, 48}, {1024, 4}},
    {0x410d0b, "Cortex-A76 TRM 100798", {48, 48}, {48, 48}, {1280, 5}},
    {0x410d0c, "Neoverse N1 TRM 100616", {48, 48}, {48, 48}, {1280, 5}},
    {0x410d49, "Neoverse N2 TRM 102099", {44, 44}, {48, 48}, {1280, 5}},
    {0x410d4f, "Arm's model of the Neoverse V2 in gem5", {48, 48}, {48, 0}, {2048, 8}},
};

/* The number of a core of /proc/cpuinfo; 0: not there. */
static unsigned long code_of(long cpu)
{
    char line[512];
    long here = 0;
    unsigned long implementer = 0, part, code = 0;
    FILE *file = platform_open("/proc/cpuinfo");
    while (file != NULL && code == 0 && fgets(line, sizeof line, file) != NULL) {
        sscanf(line, "processor : %ld", &here);
        sscanf(line, "CPU implementer : %lx", &implementer);
        if (sscanf(line, "CPU part : %lx", &part) == 1 && here == cpu)
            code = implementer << 16 | part;
    }
    if (file != NULL)
        fclose(file);
    return code;
}

static void claim_level(const struct sink *sink, const char *name, uint64_t page_bytes,
                        struct size size, const char *source)
{
    char key[48];
    snprintf(key, sizeof key, "%s_%" PRIu64 "k_entries", name, page_bytes >> 10);
    say_number(sink, key, size.entries, "entries", source);
    snprintf(key, sizeof key, "%s_%" PRIu64 "k_ways", name, page_bytes >> 10);
    if (size.ways > 0)
        say_number(sink, key, size.ways, "ways", source);
}

void sysfs_arm_claims(const struct sink *sink, long cpu, uint64_t page_bytes)
{
    unsigned long code = code_of(cpu);
    char source[96], shared[112];
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const struct tlbs *tlbs = &published[i];
        if (tlbs->code != code)
            continue;
        snprintf(source, sizeof source, "published: %s", tlbs->manual);
        snprintf(shared, sizeof shared, "%s, shared", source);
        claim_level(sink, "dtlb1", page_bytes, tlbs->data, source);
        claim_level(sink, "itlb1", page_bytes, tlbs->instructions, source);
        claim_level(sink, "dtlb2", page_bytes, tlbs->second, shared);
        claim_level(sink, "itlb2", page_bytes, tlbs->second, shared);
    }
}
