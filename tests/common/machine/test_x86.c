/* test_x86.c: decoding CPUID, on the registers of real processors as they were published.
 *
 *     bin/.obj/plain/tests/common/machine/test_x86
 */
#define _XOPEN_SOURCE 700
#include "machine/x86.h"
#include "recorded.h"

struct row {
    uint32_t leaf, subleaf;
    struct platform_cpuid registers;
};

/* Vendors: leaf 0. */
/* clang-format off */
#define INTEL {0, 0, {0x1b, 0x756e6547, 0x6c65746e, 0x49656e69}}
#define AMD {0, 0, {0x10, 0x68747541, 0x444d4163, 0x69746e65}}
#define LEAF2(a, b, c, d) {INTEL, {2, 0, {a, b, c, d}}}
/* clang-format on */

static const struct row *processor;
static size_t processor_rows;

static bool ask(uint32_t leaf, uint32_t subleaf, struct platform_cpuid *registers)
{
    for (size_t i = 0; i < processor_rows; i++)
        if (processor[i].leaf == leaf && processor[i].subleaf == subleaf) {
            *registers = processor[i].registers;
            return true;
        }
    return false;
}

static void use(const struct row *rows, size_t count)
{
    processor = rows;
    processor_rows = count;
    claims[0] = why[0] = '\0';
}

#define USE(rows)    use((rows), sizeof(rows) / sizeof *(rows))
#define TLBS(rows)   (USE(rows), x86_tlbs(ask, note, NULL, why))
#define CACHES(rows) (USE(rows), x86_caches(ask, note, NULL))
#define NAMES(rows)  (USE(rows), x86_names(ask, note, NULL))

/* 96 and 64 entries, then 128 and 64 units of 32: bare, and in a guest that cannot see the unit. */
TEST(AMD_counts_second_levels_in_units_of_32_which_a_guest_may_not_see)
{
    struct row rows[] = {
        AMD,
        {1, 0, {0x00b40f40, 0, 0, 0}}, /* family 1Ah */
        {0x80000005, 0, {0xff60ff40, 0xff60ff40, 0x30080140, 0x20080140}},
        {0x80000006, 0, {0xf0802040, 0x90806040, 0, 0}},
        {0x80000019, 0, {0xf060f040, 0xf0400000, 0, 0}},
        {0x80000021, 0, {1 << 14, 0, 0, 0}},
    };
    TLBS(rows);
    CU_ASSERT_EQUAL(x86_family(ask), 0x1a);
    CU_ASSERT(claimed_all(
        "dtlb1_4k_entries=96 dtlb1_1g_entries=96 dtlb2_4k_entries=4096 itlb2_4k_entries=2048 "
        "dtlb2_2m_entries=4096 dtlb2_2m_ways=4096 dtlb2_1g_entries=64 itlb2_2m_ways=2"));
    rows[5].registers.eax = 0;
    TLBS(rows);
    CU_ASSERT(claimed_all("dtlb2_4k_entries=128 itlb2_4k_entries=64"));
    rows[1].registers.ecx = 0x80000000;
    TLBS(rows);
    CU_ASSERT(claimed("dtlb1_4k_entries=96"));
    CU_ASSERT(claimed("dtlb2_4k_entries=128 or 4096") && claimed("itlb2_4k_entries=64 or 2048"));
    CU_ASSERT(claimed("dtlb2_2m_ways=128 or 4096") && claimed("dtlb2_1g_entries=64"));
    rows[5].registers.eax = 1 << 14;
    TLBS(rows);
    CU_ASSERT(claimed("dtlb2_4k_entries=4096"));
    rows[5].registers.eax = 0;
    rows[1].registers.eax = 0x00a10f11; /* family 19h */
    TLBS(rows);
    CU_ASSERT(claimed("dtlb2_4k_entries=128"));
}

/* Published figures of the dTLB and iTLB for 4 KiB pages, by processor family, with the leaves
 * that its processors state (dumps of InstLatx64). */
TEST(finds_what_is_published_of_Intels_families)
{
    static const struct {
        const char *name;
        struct row rows[3];
        const char *first, *second, *third, *code; /* entries and ways; NULL: no such level */
    } families[] = {
        {"Pentium III", LEAF2(0x03020101, 0, 0, 0x0c040882), "64 4", NULL, NULL, "32 4"},
        {"Pentium M", LEAF2(0x02b3b001, 0xf0, 0, 0x2c04307d), "128 4", NULL, NULL, "128 4"},
        {"Core 2", LEAF2(0x05b0b101, 0x005657f0, 0, 0x2cb43000), "16 4", "256 4", NULL, "128 4"},
        {"Bonnell", LEAF2(0x4fba5901, 0x0e3080c0, 0, 0), "16 16", "64 4", NULL, "32 -"},
        {"Silvermont", LEAF2(0x61b3a001, 0x0000ffc2, 0, 0), "32 32", "128 4", NULL, "48 48"},
        {"Nehalem", LEAF2(0x55035a01, 0x00f0b2e4, 0, 0x09ca212c), "64 4", "512 4", NULL, "64 4"},
        {"Sandy Bridge", LEAF2(0x76035a01, 0x00f0b2ff, 0, 0x00ca0000), "64 4", "512 4", NULL,
         "64 4"},
        {"Haswell", LEAF2(0x76036301, 0x00f0b5ff, 0, 0x00c10000), "64 4", "1024 8", NULL, "64 8"},
        {"Broadwell", LEAF2(0x76036301, 0x00f0b5ff, 0, 0x00c30000), "64 4", "1536 6", NULL, "64 8"},
        {"Skylake",
         {INTEL,
          {1, 0, {0x000506e3, 0x00100800, 0x7ffafbbf, 0xbfebfbff}},
          {2, 0, {0x76036301, 0x00f0b6ff, 0, 0x00c30000}}},
         "64 4",
         "1536 12",
         NULL,
         "128 8"},
        {"K10",
         {AMD,
          {0x80000005, 0, {0xff30ff10, 0xff30ff20, 0x40020140, 0x40020140}},
          {0x80000006, 0, {0x20800000, 0x42004200, 0x02008140, 0x0030b140}}},
         "48 48",
         "512 4-5",
         NULL,
         "32 32"},
        {"Knights Landing", LEAF2(0x6c6b6a01, 0x00ff616d, 0, 0), "64 8", "256 8", NULL, "48 48"},
    };
    static const char *const names[] = {"dtlb1", "dtlb2", "dtlb3", "itlb1"};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        const char *const sizes[] = {families[f].first, families[f].second, families[f].third,
                                     families[f].code};
        TLBS(families[f].rows);
        for (int i = 0; i < 4; i++) {
            char entries[64], ways[64];
            snprintf(entries, sizeof entries, "%s_4k_entries=", names[i]);
            bool right = mentioned(entries) == (sizes[i] != NULL);
            if (sizes[i] != NULL) {
                const char *blank = strchr(sizes[i], ' ');
                snprintf(entries, sizeof entries, "%s_4k_entries=%.*s", names[i],
                         (int)(blank - sizes[i]), sizes[i]);
                snprintf(ways, sizeof ways, "%s_4k_ways=%s", names[i], blank + 1);
                right = claimed(entries) && (blank[1] == '-' || claimed(ways));
            }
            if (!right)
                printf("# %s: %s\n", families[f].name, names[i]);
            CU_ASSERT(right);
        }
    }
}

/* Its leaf states 64 entries for loads; the published 96 come first. A successor's leaf states 96,
 * and what an efficiency core states is left alone. */
TEST(puts_what_is_published_before_what_Golden_Coves_leaf_states)
{
    struct row rows[] = {INTEL,
                         {1, 0, {0x00090672, 0, 0, 0}},
                         {2, 0, {0x00feff01, 0xf0, 0, 0}},
                         {0x18, 0, {2, 0, 0, 0}},
                         {0x18, 1, {0, 0x00080001, 0x20, 0x4022}},
                         {0x18, 2, {0, 0x00040001, 0x10, 0x4024}}};
    TLBS(rows);
    const char *published = strstr(claims, "dtlb1_4k_entries=96\ndtlb1_4k_ways=6\n");
    const char *stated = strstr(claims, "dtlb1_4k_entries=64\ndtlb1_4k_ways=4\n");
    CU_ASSERT(published != NULL && stated != NULL && published < stated);
    rows[1].registers.eax = 0x000806f8; /* Sapphire Rapids */
    TLBS(rows);
    CU_ASSERT(claimed_all("dtlb1_4k_entries=96 dtlb1_4k_entries=64"));
    rows[1].registers.eax = 0x000606a6; /* Ice Lake-SP, which has 64 */
    TLBS(rows);
    CU_ASSERT(!mentioned("=96") && claimed("dtlb1_4k_entries=64"));
    rows[1].registers.eax = 0x000b0671; /* Raptor Lake */
    rows[5].registers.ecx = 8;
    TLBS(rows);
    CU_ASSERT(!mentioned("=96") && claimed("dtlb1_4k_entries=32"));
}

/* Every code for associativity, in the data half of the 4 KiB register. */
TEST(gives_AMDs_ways_as_the_ranges_that_they_are)
{
    static const char *const ways[16] = {NULL,    "1",      "2",     "3",  "4-5",   "6-7",
                                         "8-15",  NULL,     "16-31", NULL, "32-47", "48-63",
                                         "64-95", "96-127", "128+",  "512"};
    for (uint32_t code = 1; code < 16; code++) {
        char line[64];
        const struct row rows[] = {AMD,
                                   {0x80000006, 0, {0, code << 28 | 512u << 16 | 0x4200, 0, 0}}};
        TLBS(rows);
        CU_ASSERT(claimed("dtlb2_4k_entries=512"));
        snprintf(line, sizeof line, "dtlb2_4k_ways=%s", ways[code] ? ways[code] : "");
        CU_ASSERT_EQUAL(mentioned("dtlb2_4k_ways"), ways[code] != NULL);
        CU_ASSERT(!ways[code] || claimed(line));
    }
}

/* Nothing in the upper half: the second level is shared. */
TEST(sees_AMDs_shared_second_level)
{
    static const struct row rows[] = {AMD, {0x80000006, 0, {0, 0x00004200, 0, 0}}};
    TLBS(rows);
    CU_ASSERT(claimed_all("dtlb2_4k_entries=512 itlb2_4k_entries=512"));
}

TEST(decodes_Intels_descriptors_Skylake)
{
    static const struct row rows[] = {INTEL, {2, 0, {0x76036301, 0x00f0b6ff, 0, 0x00c30000}}};
    TLBS(rows);
    CU_ASSERT(claimed_all(
        "dtlb1_4k_entries=64 dtlb1_4k_ways=4 dtlb1_2m_entries=32 dtlb1_1g_entries=4 "
        "itlb1_4k_entries=128 itlb1_4k_ways=8 itlb1_2m_entries=8 itlb1_2m_ways=8 "
        "dtlb2_4k_entries=1536 dtlb2_4k_ways=6 itlb2_4k_entries=1536 dtlb2_1g_entries=16"));
    CU_ASSERT(!mentioned("store") && !mentioned("dtlb3"));
}

/* A register whose highest bit is set holds no descriptors. */
TEST(skips_registers_without_descriptors)
{
    static const struct row rows[] = {INTEL, {2, 0, {0x76030001, 0x80c30000, 0, 0}}};
    TLBS(rows);
    CU_ASSERT(claimed("dtlb1_4k_entries=64"));
    CU_ASSERT(!mentioned("dtlb2"));
}

/* 4 KiB pages may be in both halves of the second level, 2 MiB pages in one. */
TEST(decodes_Intels_leaf_0x18_Ice_Lake)
{
    static const struct row rows[] = {INTEL,
                                      {2, 0, {0x00feff01, 0xf0, 0, 0}},
                                      {0x18, 0, {7, 0, 0, 0}},
                                      {0x18, 1, {0, 0x00080007, 0x01, 0x4122}},
                                      {0x18, 2, {0, 0x0010000f, 0x01, 0x4125}},
                                      {0x18, 3, {0, 0x00040001, 0x10, 0x4024}},
                                      {0x18, 4, {0, 0x00040006, 0x08, 0x4024}},
                                      {0x18, 5, {0, 0x00080008, 0x01, 0x4124}},
                                      {0x18, 6, {0, 0x00080007, 0x80, 0x4043}},
                                      {0x18, 7, {0, 0x00080009, 0x80, 0x4043}}};
    TLBS(rows);
    CU_ASSERT(
        claimed_all("dtlb1_4k_entries=64 dtlb1_4k_ways=4 dtlb1_2m_entries=32 dtlb1_1g_entries=8 "
                    "dtlb1_1g_ways=8 dtlb1_store_4k_entries=16 dtlb1_store_4k_ways=16 "
                    "dtlb2_4k_entries=2048 dtlb2_4k_ways=16 dtlb2_2m_entries=1024 dtlb2_2m_ways=8 "
                    "itlb1_4k_entries=8 itlb2_4k_entries=2048"));
}

/* Parts with different numbers of sets: entries add up, ways mean nothing. */
TEST(does_not_add_ways_of_uneven_parts)
{
    static const struct row rows[] = {INTEL,
                                      {2, 0, {0x00feff01, 0, 0, 0}},
                                      {0x18, 0, {2, 0, 0, 0}},
                                      {0x18, 1, {0, 0x00080001, 0x80, 0x4043}},
                                      {0x18, 2, {0, 0x00040001, 0x40, 0x4043}}};
    TLBS(rows);
    CU_ASSERT(claimed("dtlb2_4k_entries=1280"));
    CU_ASSERT(!mentioned("dtlb2_4k_ways"));
}

TEST(says_why_TLBs_are_unknown)
{
    static const struct row guest[] = {INTEL,
                                       {1, 0, {0, 0, 0x80000000, 0}},
                                       {2, 0, {0x00feff01, 0xf0, 0, 0}},
                                       {0x18, 0, {0, 0, 0, 0}}};
    static const struct row bare[] = {INTEL, {2, 0, {0x00feff01, 0, 0, 0}}};
    static const struct row stranger[] = {{0, 0, {1, 0x746e6543, 0x736c7561, 0x48727561}}};
    TLBS(guest);
    CU_ASSERT_STRING_EQUAL(claims, "");
    CU_ASSERT_STRING_EQUAL(why, "CPUID 0x18 (empty: hidden by the hypervisor)");
    TLBS(bare);
    CU_ASSERT_STRING_EQUAL(why, "CPUID 0x18 (empty)");
    TLBS(stranger);
    CU_ASSERT_STRING_EQUAL(why, "CPUID of an unknown vendor");
    use(NULL, 0);
    x86_tlbs(ask, note, NULL, why);
    CU_ASSERT_STRING_EQUAL(why, "this processor has no CPUID");
    CU_ASSERT_STRING_EQUAL(claims, "");
}

TEST(CPUID_gives_the_caches_of_Intel_and_AMD)
{
    static const struct row intel[] = {INTEL,
                                       {4, 0, {0x1c004121, 0x02c0003f, 0x3f, 0}},
                                       {4, 1, {0x1c004122, 0x01c0003f, 0x3f, 0}},
                                       {4, 2, {0x1c004143, 0x01c0003f, 0x3ff, 0}},
                                       {4, 3, {0x1c03c163, 0x03c0003f, 0x1fff, 6}}};
    static const struct row amd[] = {AMD,
                                     {4, 0, {0, 0, 0, 0}},
                                     {0x8000001d, 0, {0x4121, 0x01c0003f, 0x3f, 0}},
                                     {0x8000001d, 1, {0x4122, 0x01c0003f, 0x3f, 0}},
                                     {0x8000001d, 2, {0x4143, 0x01c0003f, 0x7ff, 2}},
                                     {0x8000001d, 3, {0x2c163, 0x03c0003f, 0x7fff, 1}}};
    CACHES(intel);
    CU_ASSERT(claimed_all("l1d_bytes=49152 l1d_ways=12 line_bytes=64 l1i_bytes=32768 "
                          "l2_bytes=524288 l3_bytes=8388608 l3_ways=16"));
    CACHES(amd);
    CU_ASSERT(claimed_all("l1d_bytes=32768 l2_bytes=1048576 l3_bytes=33554432 l3_ways=16"));
}

/* Sizes near the limits of their fields must not overflow, nor sub-leaves run on for ever. */
TEST(absurd_registers_give_no_nonsense)
{
    static const struct row rows[] = {INTEL,
                                      {4, 0, {0x21, 0xffffffff, 0xffffffff, 0}},
                                      {2, 0, {0x00feff01, 0, 0, 0}},
                                      {0x18, 0, {0xffffffff, 0, 0, 0}},
                                      {0x18, 1, {0, 0xffff0001, 0xffffffff, 0x21}}};
    static const struct x86_leaf leaf = {0x18, true};
    CACHES(rows);
    CU_ASSERT_STRING_EQUAL(claims, "");
    TLBS(rows);
    CU_ASSERT_STRING_EQUAL(claims, "");
    CU_ASSERT(x86_last_subleaf(ask, &leaf) < X86_SUBLEAVES_MAX);
}

TEST(names_processor_and_hypervisor)
{
    static const struct row kvm[] = {
        {1, 0, {0, 0, 0x80000000, 0}},
        {0x40000000, 0, {0x40000001, 0x4b4d564b, 0x564b4d56, 0x4d}},
        {0x80000002, 0, {0x20444d41, 0x657a7952, 0x2035206e, 0x30303637}},
        {0x80000003, 0, {0x2d362058, 0x65726f43, 0x6f725020, 0x73736563}},
        {0x80000004, 0, {0x2020726f, 0x20202020, 0x20202020, 0x00202020}},
    };
    /* clang-format off */
#define GUEST {1, 0, {0, 0, 0x80000000, 0}}
#define HYPERV {0x40000000, 0, {0x4000000a, 0x7263694d, 0x666f736f, 0x76482074}}
#define XEN {0, 0x566e6558, 0x65584d4d, 0x4d4d566e}
#define KVM {0, 0x4b4d564b, 0x564b4d56, 0x4d}
    /* clang-format on */
    static const struct row with_hyperv[] = {GUEST, HYPERV, {0x40000100, 0, KVM}};
    static const struct row three[] = {GUEST, HYPERV, {0x40000100, 0, XEN}, {0x40000200, 0, KVM}};
    static const struct row hyperv[] = {GUEST, HYPERV, {0x40000100, 0, {0, 1, 2, 3}}};
    static const struct row bare[] = {{1, 0, {0, 0, 0x7fffffff, 0}}};
    static const struct row other[] = {{1, 0, {0, 0, 0x80000000, 0}},
                                       {0x40000000, 0, {0, 0x41414141, 0x42424242, 0x43434343}}};
    NAMES(kvm);
    CU_ASSERT(claimed("hypervisor=KVM"));
    CU_ASSERT(claimed("cpu=AMD Ryzen 5 7600X 6-Core Processor"));
    NAMES(with_hyperv);
    CU_ASSERT_STRING_EQUAL(claims, "hypervisor=KVM\n");
    NAMES(three);
    CU_ASSERT_STRING_EQUAL(claims, "hypervisor=KVM\n");
    NAMES(hyperv);
    CU_ASSERT_STRING_EQUAL(claims, "hypervisor=Hyper-V\n");
    NAMES(bare);
    CU_ASSERT_STRING_EQUAL(claims, "hypervisor=none\n");
    NAMES(other);
    CU_ASSERT_STRING_EQUAL(claims, "hypervisor=AAAABBBBCCCC\n");
}

TEST(knows_an_efficiency_core)
{
    static const struct row small[] = {{7, 0, {0, 0, 0, 1u << 15}},
                                       {0x1a, 0, {0x20000001, 0, 0, 0}}};
    static const struct row large[] = {{7, 0, {0, 0, 0, 1u << 15}},
                                       {0x1a, 0, {0x40000001, 0, 0, 0}}};
    static const struct row alone[] = {{7, 0, {0, 0, 0, 0}}, {0x1a, 0, {0x20000001, 0, 0, 0}}};
    USE(small);
    CU_ASSERT(x86_is_efficiency_core(ask));
    USE(large);
    CU_ASSERT(!x86_is_efficiency_core(ask));
    USE(alone);
    CU_ASSERT(!x86_is_efficiency_core(ask) && !x86_has_kinds(ask));
    struct row amd[] = {AMD, {0x80000026, 0, {0x60000001, 0x10000002, 0x100, 0}}}; /* Zen 5c */
    USE(amd);
    CU_ASSERT(x86_has_kinds(ask) && x86_is_efficiency_core(ask));
    amd[1].registers.ebx = 2; /* Zen 5 beside it */
    CU_ASSERT(x86_has_kinds(ask) && !x86_is_efficiency_core(ask));
    amd[1].registers.eax = 1;
    amd[1].registers.ebx = 0x10000002;
    CU_ASSERT(!x86_has_kinds(ask) && !x86_is_efficiency_core(ask));
}
