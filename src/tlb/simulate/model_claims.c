/* model_claims.c: a machine from the claims in a table of machine(1).
 *
 *     struct table *table = table_open((char *[]){"machine.tsv"}, 1);
 *     struct model model = {0};
 *     model_claims(&model, table);
 */
#include "base/error.h"
#include "base/number.h"
#include "machine/claim.h"
#include "machine/facts.h"
#include "tlb/simulate/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The claims in use, as the table has them. */
static struct facts *read_facts(struct table *table)
{
    struct facts *facts = allocate(1, sizeof *facts);
    int key = table_column(table, "key"), value = table_column(table, "value"),
        used = table_column(table, "used");
    table_require(table, value);
    while (table_next(table)) {
        struct field no = table_field(table, used);
        struct field name = table_field(table, key), text = table_field(table, value);
        if (name.text == NULL || text.text == NULL ||
            (no.text != NULL && strcmp(field_keep(no), "no") == 0))
            continue;
        facts_add(facts, field_keep(name), field_keep(text), "", "");
    }
    return facts;
}

/* The ways of a claim such as "12", "8-15" or none: those that divide the entries into a power of
 * two of sets, else all of them. */
static uint64_t ways_of(const char *claim, uint64_t entries)
{
    const char *dash = claim != NULL ? strchr(claim, '-') : NULL;
    uint64_t least = size_or(claim, 0), most = least;
    if (dash != NULL) {
        char first[CLAIM_ROOM];
        snprintf(first, sizeof first, "%.*s", (int)(dash - claim), claim);
        least = size_or(first, 0);
        most = size_or(dash + 1, 0);
    }
    for (uint64_t ways = least; ways > 0 && ways <= most; ways++)
        if (entries % ways == 0 && (least == most || is_power_of_two(entries / ways)))
            return ways;
    return entries;
}

static void add_level(struct model_rows *rows, uint64_t entries, const char *ways)
{
    if (entries > MODEL_ENTRIES_MAX)
        die("%llu entries of a level are claimed: at most %d can be simulated",
            (unsigned long long)entries, MODEL_ENTRIES_MAX);
    rows->at[rows->count++] = (struct model_level){
        .number = rows->count,
        .coalesce = 1,
        .shape = {.entries = entries, .ways = ways_of(ways, entries)}};
}

/* Levels of a TLB for base pages, up to one that is unknown or has two numbers. */
static void add_tlb(struct model_rows *rows, const struct facts *facts, const char *name,
                    const char *page)
{
    for (int level = 1; level <= MODEL_LEVELS; level++) {
        char entries[CLAIM_ROOM], ways[CLAIM_ROOM];
        uint64_t values[CLAIM_VALUES];
        snprintf(entries, sizeof entries, "%s%d_%s_entries", name, level, page);
        snprintf(ways, sizeof ways, "%s%d_%s_ways", name, level, page);
        if (claim_values(facts_value(facts, entries), values) != 1)
            return;
        add_level(rows, values[0], facts_value(facts, ways));
    }
}

static void add_caches(struct model_rows *rows, const struct facts *facts, uint64_t line)
{
    static const char *const ways[CLAIM_CACHES] = {"l1d_ways", "l2_ways", "l3_ways"};
    for (int i = 0; i < CLAIM_CACHES; i++) {
        uint64_t lines = facts_number(facts, claim_cache_bytes[i], 0) / line;
        if (lines == 0)
            return;
        add_level(rows, lines, facts_value(facts, ways[i]));
    }
}

void model_claims(struct model *model, struct table *table)
{
    struct facts *facts = read_facts(table);
    const char *cpu = facts_value(facts, "cpu");
    char page[32];
    model->page_bytes = facts_number(facts, "page_bytes", 4096); /* CPUID alone does not say */
    model->line_bytes = facts_number(facts, claim_line_bytes, MODEL_LINE_BYTES);
    model->memory_bytes = facts_number(facts, "mem_total_bytes", MODEL_MEMORY_BYTES);
    model->memory_limit_bytes = facts_number(facts, "memory_limit_bytes", 0);
    model->user_address_bits = MODEL_USER_ADDRESS_BITS;
    model->untimed = true;
    model_check_sizes(model, table_file_name(table, 0));
    snprintf(model->name, sizeof model->name, "%s", cpu != NULL ? cpu : "machine");
    snprintf(page, sizeof page, "%lluk", (unsigned long long)model->page_bytes >> 10);
    add_tlb(&model->dtlb, facts, "dtlb", page);
    add_tlb(&model->itlb, facts, "itlb", page);
    add_caches(&model->cache, facts, model->line_bytes);
    if (model->dtlb.count == 0)
        die("%s: no TLB for pages of %llu bytes is claimed (a hypervisor may hide it): measure it "
            "(sweep --preset geometry | geometry)",
            table_file_name(table, 0), (unsigned long long)model->page_bytes);
    facts_free(facts);
}
