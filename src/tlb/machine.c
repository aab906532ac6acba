/* machine: what this machine claims to be, with the source of every claim.
 *
 * usage: machine [OPTION...]
 * Writes the processor, cores, pages, caches, TLBs and memory as each source states them, and which
 * requests of a measuring program succeed here; or the claims of a recorded machine.
 *
 * example: machine | grep tlb
 */
#include "base/args.h"
#include "base/error.h"
#include "machine/facts.h"
#include "machine/recording.h"
#include "machine/topology.h"
#include "machine/x86.h"
#include "platform.h"
#include "table/table.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *sysroot;
static bool cpuid_wanted;

static const struct flag flags[] = {
    {"sysroot", FLAG_TEXT, &sysroot, "FILE", "read the machine recorded in FILE"},
    {"cpuid", FLAG_YES, &cpuid_wanted, NULL, "write the CPUID leaves that are read, undecoded"},
    {0},
};

static const struct program program = {
    .name = "machine",
    .purpose = "what this machine claims to be, with the source of every claim",
    .operands = "",
    .example = "machine | grep tlb",
    .flags = flags,
    .writes_table = true,
};

/* ---- hwloc, as one more source ---- */

/* Adds the caches of the core that the other sources describe. */
static void add_hwloc(struct facts *facts)
{
    hwloc_topology_t topology = topology_load(sysroot);
    if (topology == NULL)
        return;
    topology_add_caches(topology, (unsigned)facts_number(facts, "described_cpu", 0), facts);
    hwloc_topology_destroy(topology);
}

/* ---- requests of measuring programs ---- */

static void add_outcome(struct facts *facts, const char *key, const char *how,
                        struct platform_outcome result)
{
    static const char *const words[] = {"no", "yes", "hint"};
    char source[64 + PLATFORM_WHY_ROOM];
    snprintf(source, sizeof source, result.why[0] ? "%s: %s" : "%s", how, result.why);
    facts_add(facts, key, words[result.verdict], "", source);
}

static void add_outcomes(struct facts *facts)
{
    enum { PAGES = 64 };
    struct platform_outcome no_huge, frames, locked;
    size_t page = platform_page_bytes();
    int cpu;
    char *memory = platform_map(PAGES * page, 0, &no_huge);
    if (memory != NULL) {
        memset(memory, 1, PAGES * page);
        frames = platform_scattered(memory, PAGES, page);
        locked = platform_lock(memory, PAGES * page);
        /* NO means contiguous frames, which shows that frames are visible. */
        if (frames.verdict == PLATFORM_NO)
            frames = (struct platform_outcome){.verdict = PLATFORM_YES};
        platform_unmap(memory, PAGES * page);
        add_outcome(facts, "no_huge_pages", "requested", no_huge);
        add_outcome(facts, "frames_visible", "requested", frames);
        add_outcome(facts, "locking", "tried on 64 pages", locked);
    }
    add_outcome(facts, "pinning", "tried", platform_pin(&cpu));
    add_outcome(facts, "perf_counters", "tried", platform_perf());
}

/* ---- writing ---- */

static void write_leaf(uint32_t leaf, uint32_t subleaf)
{
    struct platform_cpuid r;
    if (platform_cpuid(leaf, subleaf, &r))
        put_formatted("0x%08" PRIx32 "\t%" PRIu32 "\t0x%08" PRIx32 "\t0x%08" PRIx32 "\t0x%08" PRIx32
                      "\t0x%08" PRIx32 "\n",
                      leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
}

static int write_cpuid(void)
{
    table_begin(NULL);
    table_put_header("leaf\tsubleaf\teax\tebx\tecx\tedx");
    for (const struct x86_leaf *l = x86_leaves; l->leaf != UINT32_MAX; l++) {
        uint32_t last = x86_last_subleaf(platform_cpuid, l);
        for (uint32_t subleaf = 0; subleaf <= last; subleaf++)
            write_leaf(l->leaf, subleaf);
    }
    if (platform_has_cpuid())
        return STATUS_DONE;
    warn("this processor has no CPUID, so the table is empty");
    return STATUS_PARTIAL;
}

int main(int argc, char **argv)
{
    args_parse(&program, argc, argv);
    if (sysroot != NULL)
        recording_open(sysroot);
    if (cpuid_wanted)
        return finish(write_cpuid());
    struct facts *facts = facts_gather();
    add_hwloc(facts);
    if (sysroot == NULL)
        add_outcomes(facts);
    table_begin(NULL);
    facts_put(facts);
    facts_free(facts);
    return finish(STATUS_DONE);
}
