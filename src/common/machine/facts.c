/* facts.c: gathers what the machine claims to be. */
#include "machine/facts.h"
#include "base/error.h"
#include "base/number.h"
#include "machine/claim.h"
#include "machine/x86.h"
#include "platform.h"
#include "sink.h"
#include "table/table.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char unknown[] = "unknown";

/* ---- the list ---- */

/* A copy in which control characters, which would break a table, are replaced by blanks. */
static char *copy(const char *text)
{
    size_t length = strlen(text);
    char *copied = allocate(length + 1, 1);
    for (size_t i = 0; i < length; i++)
        copied[i] = (unsigned char)text[i] < ' ' ? ' ' : text[i];
    return copied;
}

static void join_source(struct fact *fact, const char *source)
{
    size_t length = strlen(fact->source);
    if (strstr(fact->source, source) != NULL)
        return;
    fact->source = reallocate(fact->source, length + strlen(source) + 3, 1);
    sprintf(fact->source + length, ", %s", source);
}

static void fact_free(struct fact *fact)
{
    free(fact->key);
    free(fact->value);
    free(fact->unit);
    free(fact->source);
}

void facts_add(struct facts *facts, const char *key, const char *value, const char *unit,
               const char *source)
{
    bool known = strcmp(value, unknown) != 0, used = known;
    size_t place = facts->count;
    for (size_t i = 0; i < facts->count; i++) {
        if (strcmp(facts->at[i].key, key) != 0)
            continue;
        if (known && strcmp(facts->at[i].value, unknown) == 0) {
            fact_free(&facts->at[i]);
            facts->at[i] = (struct fact){copy(key), copy(value), copy(unit), copy(source), true};
            return;
        }
        if (strcmp(facts->at[i].value, value) == 0)
            join_source(&facts->at[i], source);
        if (!known || strcmp(facts->at[i].value, value) == 0)
            return;
        used = used && !facts->at[i].used;
        place = i + 1;
    }
    facts->at = extend(facts->at, facts->count, sizeof *facts->at);
    memmove(facts->at + place + 1, facts->at + place, (facts->count - place) * sizeof *facts->at);
    facts->at[place] = (struct fact){copy(key), copy(value), copy(unit), copy(source), used};
    facts->count++;
}

static void add(void *facts, const char *key, const char *value, const char *unit,
                const char *source)
{
    facts_add(facts, key, value, unit, source);
}

void facts_add_cache(struct facts *facts, unsigned level, char kind, uint64_t bytes, uint64_t ways,
                     uint64_t line, const char *source)
{
    struct sink sink = {add, facts};
    struct cache_claim cache = {
        .level = level, .kind = kind, .bytes = bytes, .ways = ways, .line = line};
    say_cache(&sink, "", &cache, source);
}

/* CPUID claims of an efficiency core: their keys begin with `efficiency_`. */
static void add_efficiency(void *facts, const char *key, const char *value, const char *unit,
                           const char *source)
{
    char name[96];
    snprintf(name, sizeof name, "efficiency_%s", key);
    facts_add(facts, name, value, unit, source);
}

const char *facts_value(const struct facts *facts, const char *key)
{
    for (size_t i = 0; i < facts->count; i++)
        if (facts->at[i].used && strcmp(facts->at[i].key, key) == 0)
            return facts->at[i].value;
    return NULL;
}

uint64_t facts_number(const struct facts *facts, const char *key, uint64_t otherwise)
{
    const char *value = facts_value(facts, key);
    char *end;
    if (value == NULL || *value < '0' || *value > '9')
        return otherwise;
    unsigned long long number = strtoull(value, &end, 10);
    return *end == '\0' ? number : otherwise;
}

const char *facts_why_unknown(const struct facts *facts, const char *key)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(facts->at[i].key, key) == 0)
            return facts->at[i].used ? NULL : facts->at[i].source;
    return NULL;
}

double facts_peak_gb_per_s(const struct facts *facts)
{
    const char *value = facts_value(facts, "memory_peak_gb_per_s");
    double peak;
    return value != NULL && parse_number(value, strlen(value), &peak) && peak > 0 ? peak : NAN;
}

/* `performance` keeps the clock up, `userspace` where the user set it. */
const char *facts_slow_governor(const struct facts *facts)
{
    static const char *const slow[] = {"powersave", "conservative", "ondemand", "schedutil"};
    const char *governors = facts_value(facts, "governor");
    for (size_t i = 0; governors != NULL && i < sizeof slow / sizeof *slow; i++)
        if (strstr(governors, slow[i]) != NULL)
            return slow[i];
    return NULL;
}

/* ---- gathering ---- */

/* The base page as part of a key: "4k", "16k", "64k". */
static void page_name(const struct facts *facts, char *text, size_t size)
{
    snprintf(text, size, "%lluk",
             (unsigned long long)facts_number(facts, "page_bytes", 4096) >> 10);
}

static bool has(const struct facts *facts, const char *key)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(facts->at[i].key, key) == 0)
            return true;
    return false;
}

/* Adds the keys that every table has as "unknown" if no source states them. */
static void add_unknown(struct facts *facts, const char *tlb_why)
{
    static const struct {
        const char *key, *unit;
    } listed[] = {
        {"system", ""},
        {"cpu", ""},
        {"hypervisor", ""},
        {"cores", "cores"},
        {"page_bytes", "bytes"},
        {"line_bytes", "bytes"},
        {"l1d_bytes", "bytes"},
        {"l1i_bytes", "bytes"},
        {"l2_bytes", "bytes"},
        {"l3_bytes", "bytes"},
        {"governor", ""},
        {"turbo", ""},
        {"min_ghz", "GHz"},
        {"max_ghz", "GHz"},
        {"microcode", ""},
        {"memory_type", ""},
        {"memory_channels", "channels"},
        {"memory_bus_bits", "bits"},
        {"memory_mt_per_s", "MT/s"},
        {"memory_peak_gb_per_s", "GB/s"},
    };
    static const char *const tlbs[][2] = {
        {"dtlb1", "entries"}, {"dtlb1", "ways"},    {"dtlb2", "entries"},
        {"dtlb2", "ways"},    {"itlb1", "entries"}, {"itlb1", "ways"},
    };
    char page[32], key[64];
    page_name(facts, page, sizeof page);
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
        if (!has(facts, listed[i].key))
            facts_add(facts, listed[i].key, unknown, listed[i].unit, "no source states it");
    for (size_t i = 0; i < sizeof tlbs / sizeof *tlbs; i++) {
        snprintf(key, sizeof key, "%s_%s_%s", tlbs[i][0], page, tlbs[i][1]);
        if (!has(facts, key))
            facts_add(facts, key, unknown, tlbs[i][1], tlb_why);
    }
}

/* Only `machine` asks hwloc, which reads the same files as the platform does but takes tens of
 * milliseconds on large machines and runs CPUID on every core. */
struct facts *facts_gather(void)
{
    struct facts *facts = allocate(1, sizeof *facts);
    char text[256], why[PLATFORM_WHY_ROOM] = "";
    platform_host(text, sizeof text);
    if (strcmp(text, unknown) != 0)
        facts_add(facts, "host", text, "", "uname");
    platform_system(text, sizeof text);
    if (strcmp(text, unknown) != 0)
        facts_add(facts, "system", text, "", "uname");
    x86_names(platform_cpuid, add, facts);
    platform_claims(add, facts);
    if (x86_has_kinds(platform_cpuid))
        for (int fast = 1; fast >= 0; fast--)
            facts_add(facts, fast ? "performance_cores" : "efficiency_cores", unknown, "cores",
                      "CPUID states several kinds of core, and no file which core is of which");
    bool efficiency = x86_is_efficiency_core(platform_cpuid);
    x86_caches(platform_cpuid, efficiency ? add_efficiency : add, facts);
    x86_tlbs(platform_cpuid, efficiency ? add_efficiency : add, facts, why);
    if (efficiency)
        snprintf(why, sizeof why, "CPUID answered for an efficiency core: use taskset");
    platform_sysconf(add, facts);
    add_unknown(facts, why);
    return facts;
}

void facts_free(struct facts *facts)
{
    for (size_t i = 0; i < facts->count; i++)
        fact_free(&facts->at[i]);
    free(facts->at);
    free(facts);
}

/* ---- metadata ---- */

static void put(const struct facts *facts, const char *key, const char *name)
{
    const char *value = facts_value(facts, key);
    if (value != NULL)
        table_put_meta(name, "%s", value);
}

void facts_put_meta(const struct facts *facts)
{
    static const char *const keys[] = {
        "host",
        "cpu",
        "hypervisor",
        "page_bytes",
        "line_bytes",
        "l1d_bytes",
        "l2_bytes",
        "l3_bytes",
        "l4_bytes",
        "memory_limit_bytes",
        "performance_cores",
        "efficiency_cores",
        "governor",
        "memory_peak_gb_per_s",
    };
    static const struct {
        const char *structure;
        int level;
    } tlbs[] = {{"dtlb", 1}, {"dtlb", 2}, {"dtlb", 3}, {"itlb", 1}, {"itlb", 2}};
    static const char *const what[] = {"entries", "ways"};
    char page[32], key[64], name[CLAIM_ROOM];
    page_name(facts, page, sizeof page);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        put(facts, keys[i], keys[i]);
    for (size_t t = 0; t < sizeof tlbs / sizeof *tlbs; t++)
        for (size_t w = 0; w < sizeof what / sizeof *what; w++) {
            snprintf(key, sizeof key, "%s%d_%s_%s", tlbs[t].structure, tlbs[t].level, page,
                     what[w]);
            put(facts, key, claim_name(tlbs[t].structure, tlbs[t].level, what[w], name));
        }
    put(facts, "l1d_ways", claim_name("cache", 1, "ways", name));
}
