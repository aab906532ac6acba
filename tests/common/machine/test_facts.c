/* test_facts.c: which of several claims counts, the contents of metadata, and that a recorded
 * machine is read and not this one.
 *
 *     bin/.obj/plain/tests/common/machine/test_facts
 */
#define _XOPEN_SOURCE 700
#include "base/error.h"
#include "machine/facts.h"
#include "recorded.h"
#include "table/table.h"
#include <math.h>

TEST(the_first_known_claim_counts)
{
    struct facts *facts = allocate(1, sizeof *facts);
    facts_add(facts, "l3_bytes", "unknown", "bytes", "first");
    facts_add(facts, "l3_bytes", "32", "bytes", "second");
    facts_add(facts, "l2_bytes", "8", "bytes", "second");
    facts_add(facts, "l3_bytes", "320", "bytes", "third");
    facts_add(facts, "l3_bytes", "32", "bytes", "fourth");
    facts_add(facts, "l3_bytes", "unknown", "bytes", "fifth");
    CU_ASSERT_EQUAL_FATAL(facts->count, 3); /* no "unknown" beside a value */
    CU_ASSERT_STRING_EQUAL(facts_value(facts, "l3_bytes"), "32");
    CU_ASSERT_STRING_EQUAL(facts->at[0].source, "second, fourth");
    CU_ASSERT(facts->at[0].used && !facts->at[1].used);
    CU_ASSERT_STRING_EQUAL(facts->at[1].value, "320"); /* facts with the same key are adjacent */
    CU_ASSERT_STRING_EQUAL(facts->at[2].key, "l2_bytes");
    facts_free(facts);
}

TEST(a_fact_is_a_number_only_as_a_whole)
{
    struct facts *facts = allocate(1, sizeof *facts);
    facts_add(facts, "bytes", "18446744073709551615", "bytes", "s");
    facts_add(facts, "ways", "8-15", "ways", "s");
    facts_add(facts, "minus", "-1", "", "s");
    facts_add(facts, "entries", "unknown", "entries", "s");
    CU_ASSERT_EQUAL(facts_number(facts, "bytes", 7), UINT64_MAX);
    CU_ASSERT_EQUAL(facts_number(facts, "ways", 7), 7);
    CU_ASSERT_EQUAL(facts_number(facts, "minus", 7), 7);
    CU_ASSERT_EQUAL(facts_number(facts, "entries", 7), 7);
    CU_ASSERT_EQUAL(facts_number(facts, "absent", 7), 7);
    CU_ASSERT_PTR_NULL(facts_value(facts, "entries"));
    CU_ASSERT_PTR_NULL(facts_value(facts, "absent"));
    facts_free(facts);
}

/* The governors that let the clock fall, on any of the cores; the peak as a number. */
TEST(governors_that_save_power_and_the_peak_of_the_memory)
{
    static const char *const names[][2] = {{"performance", NULL},
                                           {"userspace", NULL},
                                           {"unknown", NULL},
                                           {"powersave", "powersave"},
                                           {"performance,schedutil", "schedutil"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct facts *facts = allocate(1, sizeof *facts);
        facts_add(facts, "governor", names[i][0], "", "s");
        const char *slow = facts_slow_governor(facts);
        CU_ASSERT((slow == NULL) == (names[i][1] == NULL));
        CU_ASSERT(slow == NULL || strcmp(slow, names[i][1]) == 0);
        facts_free(facts);
    }
    struct facts *facts = allocate(1, sizeof *facts);
    facts_add(facts, "memory_peak_gb_per_s", "unknown", "GB/s", "no table");
    CU_ASSERT(isnan(facts_peak_gb_per_s(facts)));
    CU_ASSERT_STRING_EQUAL(facts_why_unknown(facts, "memory_peak_gb_per_s"), "no table");
    CU_ASSERT_PTR_NULL(facts_why_unknown(facts, "absent"));
    facts_add(facts, "memory_peak_gb_per_s", "76.8", "GB/s", "s");
    CU_ASSERT_EQUAL(facts_peak_gb_per_s(facts), 76.8);
    facts_free(facts);
}

/* Texts of the system go into a table: no tab, no line break. */
TEST(bytes_that_would_break_a_table_are_replaced)
{
    struct facts *facts = allocate(1, sizeof *facts);
    facts_add(facts, "cpu", "a\tb\nc\x01", "", "s\tt");
    CU_ASSERT_STRING_EQUAL(facts_value(facts, "cpu"), "a b c ");
    CU_ASSERT_STRING_EQUAL(facts->at[0].source, "s t");
    facts_free(facts);
}

static struct facts *recorded(const char *cpuid)
{
    put_file("/uname.txt", "Linux 1.2 x86_64\n");
    put_file("/getconf.txt", "PAGESIZE 4096\nLEVEL1_DCACHE_SIZE 999\n");
    put_file("/cpuid.tsv", cpuid);
    struct facts *facts = facts_gather();
    drop_root();
    return facts;
}

#define ZEN4                                                                                       \
    "0x0 0 0x10 0x68747541 0x444d4163 0x69746e65\n"                                                \
    "0x80000005 0 0xff48ff40 0xff48ff40 0x20080140 0x20080140\n"                                   \
    "0x80000006 0 0x5c002200 0x6c004200 0x04006140 0x01009140\n"                                   \
    "0x8000001d 0 0x4121 0x01c0003f 0x3f 0x0\n"

TEST(reads_a_recorded_machine_not_this_one)
{
    struct facts *facts = recorded(ZEN4);
    CU_ASSERT_STRING_EQUAL(facts_value(facts, "system"), "Linux 1.2 x86_64");
    CU_ASSERT_EQUAL(facts_number(facts, "dtlb1_4k_entries", 0), 72);
    CU_ASSERT_EQUAL(facts_number(facts, "l1d_bytes", 0), 32768); /* CPUID before the C library */
    CU_ASSERT_PTR_NULL(facts_value(facts, "host"));
    CU_ASSERT_PTR_NULL(facts_value(facts, "cpu"));
    CU_ASSERT_PTR_NULL(facts_value(facts, "l2_bytes"));
    facts_free(facts);
}

/* On a hybrid machine CPUID may answer for the wrong kind of core. */
TEST(keeps_an_efficiency_core_apart)
{
    struct facts *facts = recorded("0x0 0 0x20 0x756e6547 0x6c65746e 0x49656e69\n"
                                   "0x2 0 0x03000001 0x0 0x0 0x0\n"
                                   "0x7 0 0x0 0x0 0x0 0x8000\n"
                                   "0x1a 0 0x20000001 0x0 0x0 0x0\n");
    CU_ASSERT_EQUAL(facts_number(facts, "efficiency_dtlb1_4k_entries", 0), 64);
    CU_ASSERT_PTR_NULL(facts_value(facts, "dtlb1_4k_entries"));
    facts_free(facts);
}

static void put_meta(void)
{
    struct facts *facts = recorded(ZEN4);
    facts_put_meta(facts);
    facts_free(facts);
    fflush(stdout);
}

TEST(writes_claims_as_metadata)
{
    char text[4096];
    CU_ASSERT_EQUAL(tap_fork(put_meta, "", text, sizeof text), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "# page_bytes: 4096\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "# l1d_bytes: 32768\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "# claim_cache1_ways: 8\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "# claim_dtlb1_entries: 72\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "# claim_dtlb1_ways: 72\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "# claim_dtlb2_entries: 3072\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "# claim_dtlb2_ways: 8-15\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "# claim_itlb1_entries: 64\n"));
    CU_ASSERT_PTR_NULL(strstr(text, "unknown"));
    CU_ASSERT_PTR_NULL(strstr(text, "2m"));
}

/* Every machine has the lines that others look for, even if only to say that they are unknown. */
TEST(has_the_wanted_lines_here)
{
    static const char *const keys[] = {"system",   "cpu",        "hypervisor",
                                       "cores",    "page_bytes", "l1d_bytes",
                                       "l2_bytes", "l3_bytes",   "line_bytes"};
    struct facts *facts = facts_gather();
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        bool found = false;
        for (size_t i = 0; i < facts->count; i++)
            found = found || strcmp(facts->at[i].key, keys[k]) == 0;
        CU_ASSERT(found);
    }
    for (size_t i = 0; i < facts->count; i++)
        CU_ASSERT(facts->at[i].source[0] != '\0');
    facts_free(facts);
}
