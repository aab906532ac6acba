/* x86.c: name, hypervisor and caches of an x86 processor from CPUID; x86_tlb.c reads the TLBs.
 *
 *     x86_caches(platform_cpuid, print, NULL);    -> "l1d_bytes", "49152", "bytes", "CPUID 0x4"
 */
#include "machine/x86.h"
#include "sink.h"
#include <string.h>

const struct x86_leaf x86_leaves[] = {
    {0, false},          {1, false},          {2, false},          {4, true},
    {7, false},          {0x18, true},        {0x1a, false},       {0x40000000, false},
    {0x40000100, false}, {0x40000200, false}, {0x80000000, false}, {0x80000002, false},
    {0x80000003, false}, {0x80000004, false}, {0x80000005, false}, {0x80000006, false},
    {0x80000019, false}, {0x8000001d, true},  {0x80000021, false}, {0x80000026, false},
    {UINT32_MAX, false},
};

/* ---- names ---- */

static const struct {
    const char *signature, *name;
} hypervisors[] = {
    {"KVMKVMKVM", "KVM"},          {"Linux KVM Hv", "KVM"},   {"Microsoft Hv", "Hyper-V"},
    {"VMwareVMware", "VMware"},    {"XenVMMXenVMM", "Xen"},   {"VBoxVBoxVBox", "VirtualBox"},
    {"TCGTCGTCGTCG", "QEMU"},      {"bhyve bhyve ", "bhyve"}, {"ACRNACRNACRN", "ACRN"},
    {" prl hyperv ", "Parallels"}, {"QNXQVMBSQG", "QNX"},
};

/* The signature in a leaf, and the name of the hypervisor that has it; NULL: of none that is known.
 */
static const char *hypervisor_of(x86_ask *ask, uint32_t leaf, char signature[13])
{
    struct platform_cpuid r;
    memset(signature, 0, 13);
    if (!ask(leaf, 0, &r))
        return NULL;
    memcpy(signature, &r.ebx, 4);
    memcpy(signature + 4, &r.ecx, 4);
    memcpy(signature + 8, &r.edx, 4);
    for (size_t i = 0; i < sizeof hypervisors / sizeof *hypervisors; i++)
        if (strcmp(signature, hypervisors[i].signature) == 0)
            return hypervisors[i].name;
    return NULL;
}

/* KVM and Xen can offer the interface of another hypervisor in the first leaf: then their own is in
 * a later one. */
static void claim_hypervisor(x86_ask *ask, const struct sink *sink)
{
    struct platform_cpuid r;
    char signature[13], source[24];
    if (!ask(1, 0, &r))
        return;
    if (r.ecx >> 31 == 0) {
        say(sink, "hypervisor", "none", "", "CPUID 0x1");
        return;
    }
    for (uint32_t leaf = 0x40000200; leaf >= 0x40000000; leaf -= 0x100) {
        const char *name = hypervisor_of(ask, leaf, signature);
        if (name == NULL && leaf > 0x40000000)
            continue;
        snprintf(source, sizeof source, "CPUID 0x%x", (unsigned)leaf);
        say(sink, "hypervisor",
            name != NULL   ? name
            : signature[0] ? signature
                           : "nameless",
            "", source);
        return;
    }
}

void x86_names(x86_ask *ask, platform_claim *claim, void *context)
{
    struct sink sink = {claim, context};
    struct platform_cpuid r;
    char brand[3 * sizeof r + 1] = "";
    claim_hypervisor(ask, &sink);
    for (uint32_t i = 0; i < 3; i++) {
        if (!ask(0x80000002 + i, 0, &r))
            return;
        memcpy(brand + i * sizeof r, &r, sizeof r);
    }
    const char *name = brand + strspn(brand, " ");
    size_t length = strlen(name);
    while (length > 0 && name[length - 1] == ' ')
        length--;
    brand[(size_t)(name - brand) + length] = '\0';
    if (length > 0)
        claim(context, "cpu", name, "", "CPUID 0x80000002");
}

static bool vendor_is(x86_ask *ask, const char *name)
{
    struct platform_cpuid r;
    char vendor[12];
    if (!ask(0, 0, &r))
        return false;
    memcpy(vendor, &r.ebx, 4);
    memcpy(vendor + 4, &r.edx, 4);
    memcpy(vendor + 8, &r.ecx, 4);
    return memcmp(vendor, name, sizeof vendor) == 0;
}

bool x86_is_amd(x86_ask *ask)
{
    return vendor_is(ask, "AuthenticAMD") || vendor_is(ask, "HygonGenuine");
}

bool x86_is_intel(x86_ask *ask)
{
    return vendor_is(ask, "GenuineIntel");
}

bool x86_is_guest(x86_ask *ask)
{
    struct platform_cpuid r;
    return ask(1, 0, &r) && r.ecx >> 31;
}

uint32_t x86_family(x86_ask *ask)
{
    struct platform_cpuid r;
    if (!ask(1, 0, &r))
        return 0;
    uint32_t family = r.eax >> 8 & 15;
    return family == 15 ? family + (r.eax >> 20 & 0xff) : family;
}

uint32_t x86_model(x86_ask *ask)
{
    struct platform_cpuid r;
    return ask(1, 0, &r) ? (r.eax >> 4 & 15) + (r.eax >> 12 & 0xf0) : 0;
}

/* Leaf 7 of Intel, leaf 0x80000026 of AMD. */
bool x86_has_kinds(x86_ask *ask)
{
    struct platform_cpuid r;
    bool amd = x86_is_amd(ask);
    return ask(amd ? 0x80000026 : 7, 0, &r) && (amd ? r.eax >> 30 & 1 : r.edx >> 15 & 1);
}

bool x86_is_efficiency_core(x86_ask *ask)
{
    struct platform_cpuid r;
    if (!x86_has_kinds(ask))
        return false;
    if (x86_is_amd(ask))
        return ask(0x80000026, 0, &r) && r.ebx >> 28 == 1;
    return ask(0x1a, 0, &r) && r.eax >> 24 == 0x20;
}

/* ---- caches: leaf 4, on AMD leaf 0x8000001d of the same form ---- */

static void claim_cache(const struct sink *sink, const struct platform_cpuid *r, const char *source)
{
    static const char kinds[] = {'\0', 'd', 'i', '\0'};
    uint32_t type = r->eax & 31;
    uint64_t partitions = (r->ebx >> 12 & 0x3ff) + 1;
    struct cache_claim cache = {.level = r->eax >> 5 & 7,
                                .ways = (r->ebx >> 22) + 1,
                                .sets = ((uint64_t)r->ecx + 1) * partitions,
                                .line = (r->ebx & 0xfff) + 1};
    if (type > 3 || cache.ways * cache.line > UINT64_MAX / cache.sets)
        return;
    cache.kind = kinds[type];
    cache.bytes = cache.ways * cache.sets * cache.line;
    say_cache(sink, "", &cache, source);
}

void x86_caches(x86_ask *ask, platform_claim *claim, void *context)
{
    struct sink sink = {claim, context};
    struct platform_cpuid r;
    uint32_t leaf = x86_is_amd(ask) ? 0x8000001d : 4;
    const char *source = leaf == 4 ? "CPUID 0x4" : "CPUID 0x8000001d";
    if (x86_is_amd(ask) && (!ask(leaf, 0, &r) || (r.eax & 31) == 0))
        x86_amd_old_caches(ask, &sink);
    for (uint32_t i = 0; i < X86_SUBLEAVES_MAX && ask(leaf, i, &r) && (r.eax & 31) != 0; i++)
        claim_cache(&sink, &r, source);
}

uint32_t x86_last_subleaf(x86_ask *ask, const struct x86_leaf *leaf)
{
    struct platform_cpuid r;
    if (!leaf->subleaves)
        return 0;
    if (leaf->leaf == 0x18) /* EAX of sub-leaf 0 is the last one */
        return ask(0x18, 0, &r) && r.eax < X86_SUBLEAVES_MAX ? r.eax : 0;
    uint32_t last = 0;
    while (last < X86_SUBLEAVES_MAX - 1 && ask(leaf->leaf, last, &r) && (r.eax & 31) != 0)
        last++;
    return last;
}
