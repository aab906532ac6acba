/* x86.h: what an x86 processor claims through CPUID: hypervisor, caches, TLBs. */
#ifndef TLBLAB_MACHINE_X86_H
#define TLBLAB_MACHINE_X86_H

#include "platform.h"

/* Reads CPUID: platform_cpuid(), or a test's registers. */
typedef bool x86_ask(uint32_t leaf, uint32_t subleaf, struct platform_cpuid *registers);

/* The leaves read here, which a recording must contain, and whether they have sub-leaves (0 …
 * x86_last_subleaf()). A leaf UINT32_MAX ends the list. */
struct x86_leaf {
    uint32_t leaf;
    bool subleaves;
};
extern const struct x86_leaf x86_leaves[];
uint32_t x86_last_subleaf(x86_ask *ask, const struct x86_leaf *leaf);

enum { X86_SUBLEAVES_MAX = 32 }; /* more than any processor has */

bool x86_is_amd(x86_ask *ask); /* or Hygon, whose leaves are the same */
bool x86_is_intel(x86_ask *ask);
bool x86_is_guest(x86_ask *ask);
/* 0: unknown. */
uint32_t x86_family(x86_ask *ask);
uint32_t x86_model(x86_ask *ask);

/* Whether the processor has several kinds of core; whether the current one is an efficiency core of
 * such a processor. */
bool x86_has_kinds(x86_ask *ask);
bool x86_is_efficiency_core(x86_ask *ask);

/* Claims with keys `cpu`, `hypervisor`; `l1d_bytes`, `l1d_ways`, …, `line_bytes`; and
 * `dtlb1_4k_entries`, `dtlb1_4k_ways` (= entries when fully associative), `dtlb2_2m_entries`,
 * `itlb1_4k_entries`, … `why` receives the reason for any that are missing. */
void x86_names(x86_ask *ask, platform_claim *claim, void *context);
void x86_caches(x86_ask *ask, platform_claim *claim, void *context);
void x86_tlbs(x86_ask *ask, platform_claim *claim, void *context, char why[PLATFORM_WHY_ROOM]);

/* Parts of these for AMD's processors; caches of those without leaf 0x8000001d. */
struct sink;
void x86_amd_old_caches(x86_ask *ask, const struct sink *sink);
void x86_amd_tlbs(x86_ask *ask, const struct sink *sink, char why[PLATFORM_WHY_ROOM]);

#endif
