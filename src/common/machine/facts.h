/* facts.h: what this machine (or a recorded one, see platform_set_root()) claims to be, with the
 * source of every claim. Claims are never mixed with measurements. */
#ifndef TLBLAB_MACHINE_FACTS_H
#define TLBLAB_MACHINE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fact {
    /* The value is "unknown" where nobody tells; the source then says why. */
    char *key, *value, *unit, *source;
    bool used; /* the one that counts; false for "unknown" and for sources that disagree with it */
};

/* Facts of one key stand together. */
struct facts {
    struct fact *at;
    size_t count, room;
};

/* Asks the system, CPUID and the C library, in this order of trust; takes a few milliseconds. On a
 * machine with several kinds of core CPUID answers for the one that it runs on: pin first. */
struct facts *facts_gather(void);
void facts_free(struct facts *facts);

/* One more claim: joins the sources of an equal one, else stands behind those of its key. */
void facts_add(struct facts *facts, const char *key, const char *value, const char *unit,
               const char *source);

/* The value of `key` that counts, or NULL; and as a whole number, `otherwise` where it is none. */
const char *facts_value(const struct facts *facts, const char *key);
uint64_t facts_number(const struct facts *facts, const char *key, uint64_t otherwise);

/* Writes what matters to samples into the metadata of a table: cpu, hypervisor, page_bytes,
 * line_bytes, cache sizes, memory_limit_bytes, kinds of core, host, and for the base page
 * claim_dtlb1_entries, claim_dtlb1_ways, claim_dtlb2_entries, claim_itlb1_entries, …; and
 * claim_cache1_ways. Only what is known. */
void facts_put_meta(const struct facts *facts);

#endif
