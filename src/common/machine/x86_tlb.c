/* x86_tlb.c: the TLBs of an x86 processor from CPUID. The tables follow Intel's Software
 * Developer's Manual, volume 2A, CPUID (leaves 2 and 0x18); those of AMD are in x86_amd.c.
 *
 *     x86_tlbs(platform_cpuid, print, NULL, why);    -> "dtlb1_4k_entries", "72", "entries", …
 */
#include "machine/x86.h"
#include "sink.h"
#include <string.h>

enum kind { DATA = 1, CODE = 2, BOTH = 3, STORES = 4 };
enum pages { P4K = 1, P2M = 2, P1G = 8 }; /* 4 MiB pages (4) do not exist in 64-bit mode */

/* A TLB, or its part for some page sizes; ways is 0 if CPUID does not give them. */
struct tlb {
    enum kind kind;
    uint32_t level, pages, entries, ways;
    char source[64];
};

/* Sum over the parts of one TLB for one page size. Entries add up. Ways add up if all parts have
 * the same number of sets, since a page may then use the ways of each. */
struct total {
    uint64_t entries, ways, sets;
    bool ways_known;
    char source[PLATFORM_WHY_ROOM];
};

static void add_part(struct total *total, const struct tlb *part)
{
    uint64_t sets = part->ways ? part->entries / part->ways : 0;
    size_t length = strlen(total->source);
    if (total->entries == 0) {
        total->ways_known = part->ways > 0;
        total->sets = sets;
    }
    total->ways_known = total->ways_known && sets == total->sets;
    total->entries += part->entries;
    total->ways += part->ways;
    snprintf(total->source + length, sizeof total->source - length, "%s%s", length ? " + " : "",
             part->source);
}

/* Claims the TLBs of one kind and level, page size by page size. */
static void claim_level(const struct sink *sink, const struct tlb *tlbs, size_t count,
                        enum kind kind, uint32_t level)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } sizes[] = {{P4K, "4k"}, {P2M, "2m"}, {P1G, "1g"}};
    char name[16], key[48];
    snprintf(name, sizeof name,
             kind == CODE   ? "itlb%u"
             : kind == DATA ? "dtlb%u"
                            : "dtlb%u_store",
             level);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct total total = {0};
        for (size_t i = 0; i < count; i++)
            if ((tlbs[i].kind & kind) && tlbs[i].level == level && (tlbs[i].pages & sizes[s].bit))
                add_part(&total, &tlbs[i]);
        if (total.entries == 0)
            continue;
        snprintf(key, sizeof key, "%s_%s_entries", name, sizes[s].name);
        say_number(sink, key, total.entries, "entries", total.source);
        snprintf(key, sizeof key, "%s_%s_ways", name, sizes[s].name);
        if (total.ways_known)
            say_number(sink, key, total.ways, "ways", total.source);
    }
}

static void claim_tlbs(const struct sink *sink, const struct tlb *tlbs, size_t count)
{
    static const enum kind kinds[] = {DATA, STORES, CODE};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint32_t level = 1; level < 8; level++)
            claim_level(sink, tlbs, count, kinds[k], level);
}

/* ---- Intel, leaf 0x18 ---- */

static size_t read_leaf18(x86_ask *ask, struct tlb *tlbs)
{
    static const enum kind kinds[] = {0, DATA, CODE, BOTH, DATA, STORES};
    static const char *const notes[] = {"", "", "", ", shared", ", loads only", ""};
    struct platform_cpuid r;
    struct x86_leaf leaf = {0x18, true};
    uint32_t last = x86_last_subleaf(ask, &leaf);
    size_t count = 0;
    for (uint32_t i = 0; i <= last && i < X86_SUBLEAVES_MAX && ask(0x18, i, &r); i++) {
        uint32_t type = r.edx & 31, ways = r.ebx >> 16;
        uint64_t entries = (uint64_t)ways * r.ecx;
        if (type == 0 || type >= sizeof kinds / sizeof *kinds || entries > UINT32_MAX)
            continue;
        struct tlb *tlb = &tlbs[count++];
        *tlb = (struct tlb){kinds[type], r.edx >> 5 & 7, r.ebx & 15, (uint32_t)entries, ways, ""};
        if (r.edx >> 8 & 1)
            tlb->ways = tlb->entries;
        snprintf(tlb->source, sizeof tlb->source, "CPUID 0x18.%u%s", i, notes[type]);
    }
    return count;
}

/* ---- Intel, leaf 2: one byte describes one structure ---- */

/* Level 0: find_levels() orders these by size, since Intel's "DTLB", "DTLB0", "DTLB1" and "uTLB"
 * mean different levels in different processors. Descriptors for 4 MiB pages only are left out.
 * 0xc0 and 0xc2 are of large pages alone, though the manual names 4 KiB pages too: the processors
 * that have them, Bonnell and Silvermont, have other TLBs for those (Intel's optimization manual).
 */
static const struct {
    uint8_t code;
    struct tlb tlb;
} descriptors[] = {
    {0x01, {CODE, 1, P4K, 32, 4, ""}},         {0x03, {DATA, 0, P4K, 64, 4, ""}},
    {0x4f, {CODE, 1, P4K, 32, 0, ""}},         {0x50, {CODE, 1, P4K | P2M, 64, 0, ""}},
    {0x51, {CODE, 1, P4K | P2M, 128, 0, ""}},  {0x52, {CODE, 1, P4K | P2M, 256, 0, ""}},
    {0x55, {CODE, 1, P2M, 7, 7, ""}},          {0x57, {DATA, 0, P4K, 16, 4, ""}},
    {0x59, {DATA, 0, P4K, 16, 16, ""}},        {0x5a, {DATA, 0, P2M, 32, 4, ""}},
    {0x5b, {DATA, 0, P4K, 64, 0, ""}},         {0x5c, {DATA, 0, P4K, 128, 0, ""}},
    {0x5d, {DATA, 0, P4K, 256, 0, ""}},        {0x61, {CODE, 1, P4K, 48, 48, ""}},
    {0x63, {DATA, 0, P2M, 32, 4, ""}},         {0x63, {DATA, 0, P1G, 4, 4, ""}},
    {0x64, {DATA, 0, P4K, 512, 4, ""}},        {0x6a, {DATA, 0, P4K, 64, 8, ""}},
    {0x6b, {DATA, 0, P4K, 256, 8, ""}},        {0x6c, {DATA, 0, P2M, 128, 8, ""}},
    {0x6d, {DATA, 0, P1G, 16, 16, ""}},        {0x76, {CODE, 1, P2M, 8, 8, ""}},
    {0xa0, {DATA, 0, P4K, 32, 32, ""}},        {0xb0, {CODE, 1, P4K, 128, 4, ""}},
    {0xb1, {CODE, 1, P2M, 8, 4, ""}},          {0xb2, {CODE, 1, P4K, 64, 4, ""}},
    {0xb3, {DATA, 0, P4K, 128, 4, ""}},        {0xb4, {DATA, 0, P4K, 256, 4, ""}},
    {0xb5, {CODE, 1, P4K, 64, 8, ""}},         {0xb6, {CODE, 1, P4K, 128, 8, ""}},
    {0xba, {DATA, 0, P4K, 64, 4, ""}},         {0xc0, {DATA, 0, P2M, 8, 4, ""}},
    {0xc1, {BOTH, 2, P4K | P2M, 1024, 8, ""}}, {0xc2, {DATA, 0, P2M, 16, 4, ""}},
    {0xc3, {BOTH, 2, P4K | P2M, 1536, 6, ""}}, {0xc3, {BOTH, 2, P1G, 16, 4, ""}},
    {0xc4, {DATA, 0, P2M, 32, 4, ""}},         {0xca, {BOTH, 2, P4K, 512, 4, ""}},
};

/* Fills in levels that descriptors leave open: the smallest TLB for a page size is the first. */
static void find_levels(struct tlb *tlbs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t smaller = 0;
        for (size_t j = 0; j < count; j++)
            smaller += tlbs[j].kind == DATA && (tlbs[j].pages & tlbs[i].pages) &&
                       tlbs[j].entries < tlbs[i].entries;
        if (tlbs[i].level == 0)
            tlbs[i].level = 1 + smaller;
    }
}

/* Adds the TLBs that byte `code` describes; sets *in_leaf18 if it refers to leaf 0x18. */
static size_t add_descriptor(struct tlb *tlbs, size_t count, size_t capacity, uint8_t code,
                             bool *in_leaf18)
{
    *in_leaf18 = *in_leaf18 || code == 0xfe;
    for (size_t d = 0; d < sizeof descriptors / sizeof *descriptors; d++)
        if (descriptors[d].code == code && count < capacity) {
            struct tlb *tlb = &tlbs[count++];
            *tlb = descriptors[d].tlb;
            snprintf(tlb->source, sizeof tlb->source, "CPUID 0x2 descriptor 0x%02x%s", code,
                     tlb->kind == BOTH ? ", shared" : "");
        }
    return count;
}

static size_t read_leaf2(x86_ask *ask, struct tlb *tlbs, size_t capacity, bool *in_leaf18)
{
    struct platform_cpuid r;
    size_t count = 0;
    if (!ask(2, 0, &r))
        return 0;
    const uint32_t registers[] = {r.eax & ~0xffU, r.ebx, r.ecx, r.edx};
    for (size_t i = 0; i < 4; i++)
        for (unsigned shift = 0; shift < 32 && registers[i] >> 31 == 0; shift += 8)
            count = add_descriptor(tlbs, count, capacity, (uint8_t)(registers[i] >> shift),
                                   in_leaf18);
    find_levels(tlbs, count);
    return count;
}

/* ---- Intel, both leaves ---- */

/* Models of family 6 whose entries and ways in Intel's optimization manual are not those they
 * state. The leaf of what followed Golden Cove and Raptor Cove states their 96 entries; in leaf 2,
 * Skylake and what derives from it have the descriptor of Broadwell, whose ways are 6.
 */
static const struct correction {
    uint8_t models[7];
    uint32_t level, entries, ways, published_entries, published_ways;
    const char *core;
} corrections[] = {
    {{0x8f, 0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xcf}, 1, 64, 4, 96, 6, "Golden Cove"},
    {{0x4e, 0x55, 0x5e, 0x8e, 0x9e, 0xa5, 0xa6}, 2, 1536, 6, 1536, 12, "Skylake"},
};

static bool corrects(const struct correction *c, x86_ask *ask, const struct tlb *tlb)
{
    if (x86_family(ask) != 6 || memchr(c->models, (int)x86_model(ask), sizeof c->models) == NULL)
        return false;
    return (tlb->kind & DATA) && (tlb->pages & P4K) && tlb->level == c->level &&
           tlb->entries == c->entries && tlb->ways == c->ways;
}

/* Published values come first and are used; CPUID's are listed beside them. */
static void claim_corrected(x86_ask *ask, const struct sink *sink, const struct tlb *tlbs,
                            size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < sizeof corrections / sizeof *corrections; c++) {
            struct tlb published = tlbs[i];
            if (!corrects(&corrections[c], ask, &tlbs[i]))
                continue;
            published.entries = corrections[c].published_entries;
            published.ways = corrections[c].published_ways;
            snprintf(published.source, sizeof published.source,
                     "published: Intel's optimization manual 248966, %s", corrections[c].core);
            claim_tlbs(sink, &published, 1);
        }
}

static void intel_tlbs(x86_ask *ask, const struct sink *sink, char why[PLATFORM_WHY_ROOM])
{
    struct tlb tlbs[64];
    bool in_leaf18 = false;
    size_t count = read_leaf2(ask, tlbs, sizeof tlbs / sizeof *tlbs, &in_leaf18);
    if (in_leaf18)
        count = read_leaf18(ask, tlbs);
    claim_corrected(ask, sink, tlbs, count);
    claim_tlbs(sink, tlbs, count);
    const char *leaf = in_leaf18 ? "0x18" : "0x2";
    if (count == 0 && x86_is_guest(ask))
        snprintf(why, PLATFORM_WHY_ROOM, "CPUID %s (empty: hidden by the hypervisor)", leaf);
    else if (count == 0)
        snprintf(why, PLATFORM_WHY_ROOM, "CPUID %s (empty)", leaf);
    else
        snprintf(why, PLATFORM_WHY_ROOM, "CPUID %s does not state it", leaf);
}

void x86_tlbs(x86_ask *ask, platform_claim *claim, void *context, char why[PLATFORM_WHY_ROOM])
{
    struct sink sink = {claim, context};
    struct platform_cpuid r;
    if (!ask(0, 0, &r))
        snprintf(why, PLATFORM_WHY_ROOM, "this processor has no CPUID");
    else if (x86_is_amd(ask))
        x86_amd_tlbs(ask, &sink, why);
    else if (x86_is_intel(ask))
        intel_tlbs(ask, &sink, why);
    else
        snprintf(why, PLATFORM_WHY_ROOM, "CPUID of an unknown vendor");
}
