/* facts.h: what this machine, or a recorded one (platform_set_root()), claims to be, with the
 * source of every claim. Claims are never mixed with measurements. */
#ifndef TLBLAB_MACHINE_FACTS_H
#define TLBLAB_MACHINE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fact {
    /* The value is "unknown" if no source states it; `source` then says why. */
    char *key, *value, *unit, *source;
    bool used; /* the programs use this claim; false for "unknown" and for a claim that disagrees */
};

/* Facts with the same key are adjacent. */
struct facts {
    struct fact *at;
    size_t count;
};

/* Reads the system's files, CPUID (or without it, what is published of the core) and the C library;
 * earlier sources take precedence. Takes a few milliseconds. On a machine with several kinds of
 * core, CPUID answers for the core it runs on, so pin the thread first. */
struct facts *facts_gather(void);
void facts_free(struct facts *facts);

/* Adds a claim: an equal one gets the source added, a new one goes after those with its key, or
 * takes the place of "unknown", which no key has beside a value. */
void facts_add(struct facts *facts, const char *key, const char *value, const char *unit,
               const char *source);

/* Adds what a source states of a cache, of data ('d'), of code ('i') or of both ('\0'), as far as
 * it makes sense; 0: unknown. */
void facts_add_cache(struct facts *facts, unsigned level, char kind, uint64_t bytes, uint64_t ways,
                     uint64_t line, const char *source);

/* The used value of `key`, or NULL; and as a whole number, or `otherwise` if it is not one. */
const char *facts_value(const struct facts *facts, const char *key);
uint64_t facts_number(const struct facts *facts, const char *key, uint64_t otherwise);

/* Why the value of `key` is unknown; NULL if it is known or no source mentions it. */
const char *facts_why_unknown(const struct facts *facts, const char *key);

/* The memory's peak bandwidth, from the speed and width of its channels; NaN: unknown. */
double facts_peak_gb_per_s(const struct facts *facts);

/* The governor in use that lowers the clock of a mostly idle core; NULL if none does, or none is
 * known. */
const char *facts_slow_governor(const struct facts *facts);

/* Writes those of these facts that are known into a table's metadata: cpu, hypervisor, page_bytes,
 * line_bytes, cache sizes, memory_limit_bytes, kinds of core, governor, memory_peak_gb_per_s, host,
 * claim_cache1_ways, and for the base page claim_dtlb1_entries, claim_dtlb1_ways,
 * claim_dtlb2_entries, claim_itlb1_entries, … */
void facts_put_meta(const struct facts *facts);

/* ---- the machine table ---- */

struct fact_row {
    uint64_t device;
    const char *key, *value, *unit, *source;
    int used;
};

/* Option of the columns: claims of several devices. */
enum { FACT_DEVICE = 1 };

/* Write the header, and a claim. Where people read the table, a value has its unit. */
void facts_put_header(unsigned options);
void fact_put(struct fact_row row, unsigned options);

/* Writes the header and all facts, of this or another machine. */
void facts_put(const struct facts *facts);

#endif
