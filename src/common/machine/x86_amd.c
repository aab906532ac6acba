/* x86_amd.c: TLBs of AMD's processors from CPUID, and caches of the early ones, by AMD's
 * Architecture Programmer's Manual, volume 3, appendix E (leaves 0x80000005, 0x80000006, 0x80000019
 * and 0x80000021).
 */
#include "machine/x86.h"
#include "sink.h"
#include <string.h>

/* ---- caches ---- */

/* AMD before leaf 0x8000001d. Ways beyond the first level are but ranges there, and the third level
 * is in units of 512 KiB, of both dies of a package together. */
void x86_amd_old_caches(x86_ask *ask, const struct sink *sink)
{
    enum { PACKAGE_OF_TWO = 9 }; /* model of family 0x10 */
    struct platform_cpuid r;
    for (int code = 0; code < 2 && ask(0x80000005, 0, &r); code++) {
        uint32_t first = code ? r.edx : r.ecx;
        struct cache_claim cache = {.level = 1, .kind = code ? 'i' : 'd', .line = first & 0xff};
        cache.bytes = (uint64_t)(first >> 24) << 10;
        cache.ways = (first >> 16 & 0xff) < 0xff ? first >> 16 & 0xff : 0;
        say_cache(sink, "", &cache, "CPUID 0x80000005");
    }
    if (!ask(0x80000006, 0, &r))
        return;
    bool halved = x86_family(ask) == 0x10 && x86_model(ask) == PACKAGE_OF_TWO;
    struct cache_claim second = {.level = 2, .bytes = (uint64_t)(r.ecx >> 16) << 10};
    struct cache_claim third = {.level = 3, .bytes = (uint64_t)(r.edx >> 18) << 19 >> halved};
    say_cache(sink, "", &second, "CPUID 0x80000006");
    say_cache(sink, "", &third, "CPUID 0x80000006");
}

/* ---- TLBs ---- */

/* Ways for each associativity code of leaves 0x80000006 and 0x80000019; "" for a reserved one. */
static const char *const amd_ways[16] = {"",      "1",      "2",     "3",   "4-5",   "6-7",
                                         "8-15",  "",       "16-31", "",    "32-47", "48-63",
                                         "64-95", "96-127", "128+",  "full"};

/* The unit in which leaf 0x80000006 counts entries: 32 if leaf 0x80000021 has bit 14 in EAX. Family
 * 1Ah and later have it, but hypervisors hide it: then it is 1 or 32. */
enum unit { UNIT_1 = 1, UNIT_32 = 32, UNIT_HIDDEN };

static enum unit amd_unit(x86_ask *ask)
{
    struct platform_cpuid r;
    if (ask(0x80000021, 0, &r) && (r.eax >> 14 & 1) != 0)
        return UNIT_32;
    return x86_is_guest(ask) && x86_family(ask) >= 0x1a ? UNIT_HIDDEN : UNIT_1;
}

static void say_entries(const struct sink *sink, const char *key, uint32_t entries, enum unit unit,
                        const char *what, const char *source)
{
    char text[32];
    if (unit == UNIT_HIDDEN && entries > 0)
        snprintf(text, sizeof text, "%u or %u", entries, UNIT_32 * entries);
    else
        snprintf(text, sizeof text, "%u", unit == UNIT_32 ? UNIT_32 * entries : entries);
    say(sink, key, text, what, source);
}

static void claim_amd(const struct sink *sink, const char *name, const char *page, uint32_t entries,
                      enum unit unit, const char *ways, const char *source)
{
    char key[48];
    snprintf(key, sizeof key, "%s_%s_entries", name, page);
    say_entries(sink, key, entries, unit, "entries", source);
    snprintf(key, sizeof key, "%s_%s_ways", name, page);
    if (strcmp(ways, "full") == 0)
        say_entries(sink, key, entries, unit, "ways", source);
    else if (ways[0] != '\0' && entries > 0)
        say(sink, key, ways, "ways", source);
}

/* A register of leaf 0x80000005. Its bytes, lowest first: entries and ways of the instruction TLB,
 * entries and ways of the data TLB; 255 ways is fully associative. */
static void claim_amd_first(const struct sink *sink, uint32_t r, const char *page)
{
    static const char source[] = "CPUID 0x80000005";
    for (int data = 1; data >= 0; data--) {
        uint32_t half = data ? r >> 16 : r & 0xffff;
        char ways[16] = "full";
        if (half >> 8 != 0xff)
            snprintf(ways, sizeof ways, "%u", half >> 8);
        if (half != 0)
            claim_amd(sink, data ? "dtlb1" : "itlb1", page, half & 0xff, UNIT_1, ways, source);
    }
}

/* A register of the other leaves. Each half (the upper one is data) has 12 bits of entries below a
 * 4-bit associativity code. A second level without a data half is shared. */
static void claim_amd_coded(const struct sink *sink, uint32_t r, const char *page, int level,
                            enum unit unit, const char *leaf)
{
    char name[16], source[PLATFORM_WHY_ROOM];
    bool is_shared = level == 2 && r >> 16 == 0 && r != 0;
    snprintf(source, sizeof source, "%s%s%s", leaf,
             unit == UNIT_32       ? " in units of 32 (0x80000021)"
             : unit == UNIT_HIDDEN ? " in units of 1 or 32 (0x80000021: hidden by the hypervisor)"
                                   : "",
             is_shared ? ", shared" : "");
    for (int data = 1; data >= 0; data--) {
        uint32_t half = data && !is_shared ? r >> 16 : r & 0xffff;
        snprintf(name, sizeof name, "%ctlb%d", data ? 'd' : 'i', level);
        if (r != 0)
            claim_amd(sink, name, page, half & 0xfff, unit, amd_ways[half >> 12], source);
    }
}

void x86_amd_tlbs(x86_ask *ask, const struct sink *sink, char why[PLATFORM_WHY_ROOM])
{
    struct platform_cpuid first, second, gigabyte;
    bool known = ask(0x80000005, 0, &first) && (first.eax | first.ebx) != 0;
    if (known) {
        claim_amd_first(sink, first.ebx, "4k");
        claim_amd_first(sink, first.eax, "2m");
    }
    if (ask(0x80000006, 0, &second)) {
        claim_amd_coded(sink, second.ebx, "4k", 2, amd_unit(ask), "CPUID 0x80000006");
        claim_amd_coded(sink, second.eax, "2m", 2, amd_unit(ask), "CPUID 0x80000006");
    }
    if (ask(0x80000019, 0, &gigabyte)) {
        claim_amd_coded(sink, gigabyte.eax, "1g", 1, UNIT_1, "CPUID 0x80000019");
        claim_amd_coded(sink, gigabyte.ebx, "1g", 2, UNIT_1, "CPUID 0x80000019");
    }
    snprintf(why, PLATFORM_WHY_ROOM, "CPUID 0x80000005 (empty%s)",
             x86_is_guest(ask) ? ": hidden by the hypervisor" : "");
    if (known)
        snprintf(why, PLATFORM_WHY_ROOM, "CPUID 0x80000005, 6 and 0x19 do not state it");
}
