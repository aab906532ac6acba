/* linux_memory.c: memory on Linux: mappings on base and on huge pages, and the address space. */
#define _GNU_SOURCE
#include "platform.h"
#include "posix.h"
#include "sysfs.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE /* Linux 5.14, newer than some C libraries */
#define MADV_POPULATE_WRITE 23
#endif

#ifndef MADV_COLD /* Linux 5.4, likewise */
#define MADV_COLD 20
#endif

static const char thp_enabled[] = "/sys/kernel/mm/transparent_hugepage/enabled";

/* ---- base pages ---- */

void *platform_map(size_t bytes, size_t align, struct platform_outcome *no_huge)
{
    struct platform_outcome outcome = {.verdict = PLATFORM_YES};
    void *memory = posix_map(bytes, align);
    if (memory == NULL) {
        outcome = platform_result(PLATFORM_NO, "mmap: %s", strerror(errno));
    } else if (madvise(memory, bytes, MADV_NOHUGEPAGE) != 0) {
        char text[64];
        /* A system without transparent huge pages refuses the advice and does not need it. */
        if (platform_read_line(thp_enabled, text, sizeof text)) {
            outcome = platform_result(PLATFORM_NO, "madvise(MADV_NOHUGEPAGE): %s", strerror(errno));
        }
    }
    if (no_huge != NULL)
        *no_huge = outcome;
    return memory;
}

struct platform_outcome platform_will_need(void *memory, size_t bytes)
{
    if (madvise(memory, bytes, MADV_WILLNEED) != 0)
        return platform_result(PLATFORM_NO, "madvise(MADV_WILLNEED): %s", strerror(errno));
    return platform_result(PLATFORM_HINT,
                           "Linux accepts MADV_WILLNEED but does not prefault anonymous memory");
}

/* Linux invalidates the entries of pages that it marks as not accessed; it flushes the whole TLB in
 * place of more pages than this at a time (tlb_single_page_flush_ceiling). */
enum { INVALIDATED_MAX = 32 };

void platform_invalidate(void *memory, size_t bytes)
{
    size_t piece = INVALIDATED_MAX * platform_page_bytes();
    for (size_t at = 0; at < bytes; at += piece)
        madvise((char *)memory + at, bytes - at < piece ? bytes - at : piece, MADV_COLD);
}

/* If the pool runs out of pages, a write raises SIGBUS, but MADV_POPULATE_WRITE returns an
 * error. */
bool platform_touch(void *page, uint64_t page_bytes)
{
    if (madvise(page, page_bytes, MADV_POPULATE_WRITE) == 0)
        return true;
    if (errno != EINVAL)
        return false;
    *(volatile char *)page = 0;
    return true;
}

/* ---- huge pages ---- */

static uint64_t pool_number(uint64_t page_bytes, const char *name)
{
    char path[128], text[32];
    snprintf(path, sizeof path, "/sys/kernel/mm/hugepages/hugepages-%llukB/%s",
             (unsigned long long)(page_bytes >> 10), name);
    return platform_read_line(path, text, sizeof text) ? strtoull(text, NULL, 10) : 0;
}

/* Free pages not reserved by any process, plus pages by which the pool may grow on demand. */
uint64_t platform_huge_pool(uint64_t page_bytes)
{
    uint64_t free = pool_number(page_bytes, "free_hugepages");
    uint64_t reserved = pool_number(page_bytes, "resv_hugepages");
    uint64_t max = pool_number(page_bytes, "nr_overcommit_hugepages");
    uint64_t grown = pool_number(page_bytes, "surplus_hugepages");
    return (free > reserved ? free - reserved : 0) + (max > grown ? max - grown : 0);
}

/* Size of transparent huge pages; 0 if the system has none or they are off. */
static uint64_t transparent_bytes(void)
{
    char text[128];
    if (!platform_read_line(thp_enabled, text, sizeof text) || strstr(text, "[never]") != NULL)
        return 0;
    if (!platform_read_line("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", text,
                            sizeof text))
        return 0;
    return strtoull(text, NULL, 10);
}

uint64_t platform_huge_bytes(void)
{
    char text[64];
    uint64_t bytes = transparent_bytes();
    if (bytes == 0 && sysfs_read_keyed("/proc/meminfo", "Hugepagesize", text, sizeof text))
        bytes = strtoull(text, NULL, 10) << 10;
    return bytes;
}

/* Replaces part of a mapping with pages from the pool; the mapping is already aligned. */
static void *map_pool(char *memory, size_t bytes, uint64_t page_bytes)
{
    int size = 0;
    while (page_bytes >> size > 1)
        size++;
    /* MAP_NORESERVE: pages never touched need not be in the pool. */
    return mmap(memory, bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE | MAP_HUGETLB |
                    (int)((unsigned)size << MAP_HUGE_SHIFT),
                -1, 0);
}

static void huge_why(uint64_t page_bytes, uint64_t pages, char why[PLATFORM_WHY_ROOM])
{
    char path[128], text[32];
    unsigned long long kb = page_bytes >> 10;
    int length;
    snprintf(path, sizeof path, "/sys/kernel/mm/hugepages/hugepages-%llukB/nr_hugepages", kb);
    if (platform_read_line(path, text, sizeof text))
        length = snprintf(why, PLATFORM_WHY_ROOM,
                          "%llu of %llu pages are free in the pool "
                          "(%s sets it), and ",
                          (unsigned long long)platform_huge_pool(page_bytes),
                          (unsigned long long)pages, path);
    else
        length = snprintf(why, PLATFORM_WHY_ROOM, "the system has no pool of them, and ");
    why += length;
    size_t size = PLATFORM_WHY_ROOM - (size_t)length;
    if (transparent_bytes() == 0)
        snprintf(why, size, "transparent huge pages are switched off (%s)", thp_enabled);
    else
        snprintf(why, size, "transparent huge pages are of %llu KiB",
                 (unsigned long long)transparent_bytes() >> 10);
}

void *platform_map_huge(size_t bytes, size_t align, uint64_t page_bytes, uint64_t pages,
                        struct platform_outcome *huge)
{
    *huge = (struct platform_outcome){.verdict = PLATFORM_HINT};
    char *memory = posix_map(bytes, align > page_bytes ? align : page_bytes);
    bool placed = memory != NULL && (uintptr_t)memory % page_bytes == 0;
    if (placed &&
        ((platform_huge_pool(page_bytes) >= pages &&
          map_pool(memory, bytes, page_bytes) != MAP_FAILED) ||
         (transparent_bytes() == page_bytes && madvise(memory, bytes, MADV_HUGEPAGE) == 0)))
        return memory;
    if (placed)
        huge_why(page_bytes, pages, huge->why);
    else
        snprintf(huge->why, sizeof huge->why, "no free address space is large enough");
    huge->verdict = PLATFORM_NO;
    if (memory != NULL)
        platform_unmap(memory, bytes);
    return NULL;
}

/* Reads how many bytes of the mappings within this memory are on huge pages. posix_map() leaves a
 * gap after each mapping, so the system never merges them. */
static bool read_huge(const void *memory, size_t bytes, uint64_t page_bytes, uint64_t *huge)
{
    FILE *file = platform_open("/proc/self/smaps");
    uint64_t from = (uintptr_t)memory, to = from + bytes, start = 0, end, kb, page = 0;
    char line[512];
    *huge = 0;
    if (file == NULL)
        return false;
    while (fgets(line, sizeof line, file) != NULL) {
        unsigned long long a, b;
        if (sscanf(line, "%llx-%llx ", &a, &b) == 2) {
            start = a;
            end = b;
            start = start >= from && end < to + platform_page_bytes() ? start : 0;
        } else if (start > 0 && sscanf(line, "KernelPageSize: %llu kB", &a) == 1)
            page = a << 10;
        else if (start > 0 &&
                 (sscanf(line, "AnonHugePages: %llu kB", &a) == 1 ||
                  (page == page_bytes && sscanf(line, "Private_Hugetlb: %llu kB", &a) == 1))) {
            kb = a;
            *huge += kb << 10;
        }
    }
    fclose(file);
    return true;
}

struct platform_outcome platform_huge(const void *memory, size_t bytes, uint64_t page_bytes,
                                      uint64_t pages)
{
    struct platform_outcome outcome = {.verdict = PLATFORM_YES};
    uint64_t huge;
    if (!read_huge(memory, bytes, page_bytes, &huge)) {
        outcome = platform_result(PLATFORM_HINT, "/proc/self/smaps cannot be read");
    } else if (huge / page_bytes < pages) {
        outcome = platform_result(
            PLATFORM_NO,
            "the system gave %llu of %llu: free memory may be in pieces (1 written to "
            "/proc/sys/vm/compact_memory, or a pool of such pages, helps), or this process may "
            "have none (PR_SET_THP_DISABLE)",
            (unsigned long long)(huge / page_bytes), (unsigned long long)pages);
    }
    return outcome;
}

/* ---- contiguous frames ---- */

/* A huge page is one block of frames. Changing the protection of one base page in it splits its
 * page-table entry without moving data. */
static bool split_huge_pages(char *memory, size_t bytes, uint64_t huge_bytes)
{
    size_t page = platform_page_bytes();
    for (size_t at = 0; at < bytes; at += huge_bytes)
        if (mprotect(memory + at, page, PROT_READ) != 0 ||
            mprotect(memory + at, page, PROT_READ | PROT_WRITE) != 0)
            return false;
    return true;
}

struct platform_outcome platform_touch_contiguous(void *memory, size_t bytes)
{
    struct platform_outcome outcome = {.verdict = PLATFORM_YES};
    uint64_t huge_bytes = transparent_bytes(), left = 0;
    size_t page = platform_page_bytes();
    bool blocks = huge_bytes > 0 && madvise(memory, bytes, MADV_HUGEPAGE) == 0;
    int error = errno;
    for (size_t at = 0; at < bytes; at += page)
        ((volatile char *)memory)[at] = 1;
    if (!blocks) {
        outcome.verdict = PLATFORM_NO;
        if (huge_bytes > 0)
            snprintf(outcome.why, sizeof outcome.why, "madvise(MADV_HUGEPAGE): %s",
                     strerror(error));
        else
            snprintf(outcome.why, sizeof outcome.why,
                     "transparent huge pages are switched off (%s)", thp_enabled);
    } else if (madvise(memory, bytes, MADV_NOHUGEPAGE) != 0 ||
               !split_huge_pages(memory, bytes, huge_bytes) ||
               (read_huge(memory, bytes, huge_bytes, &left) && left > 0)) {
        outcome = platform_result(PLATFORM_NO, "its huge pages could not be split: %s",
                                  left > 0 ? "some are left" : strerror(errno));
    }
    return outcome;
}

/* ---- limits ---- */

struct platform_memory platform_memory(void)
{
    return sysfs_memory();
}

/* The widest gap between mappings below the stack, where the system puts new ones. On x86-64 it is
 * 85 of 128 TiB, because the system loads programs at two thirds; the rest of five-level page
 * tables is only for mappings at a requested address, which this library never makes. Without /proc
 * it is assumed to be 64 TiB, and mmap() decides. */
static uint64_t widest_gap(void)
{
    FILE *file = platform_open("/proc/self/maps");
    unsigned long long from, to, last = 1 << 16;
    uint64_t widest = 0, here = (uintptr_t)&file;
    char line[4096 + 128];
    if (file == NULL)
        return UINT64_C(1) << 46;
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%llx-%llx ", &from, &to) != 2 || from > here)
            continue;
        if (from > last && from - last > widest)
            widest = from - last;
        last = to;
    }
    fclose(file);
    if (here > last && here - last > widest) /* the stack is missing in an emulator's list */
        widest = here - last;
    return widest;
}

uint64_t platform_address_space(void)
{
    uint64_t space = widest_gap();
    struct rlimit limit;
    char text[64];
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        sysfs_read_keyed("/proc/self/status", "VmSize", text, sizeof text)) {
        uint64_t used = strtoull(text, NULL, 10) << 10;
        uint64_t rest = limit.rlim_cur > used ? limit.rlim_cur - used : 0;
        space = rest < space ? rest : space;
    }
    if (platform_read_line("/proc/sys/vm/overcommit_memory", text, sizeof text) && *text == '2') {
        struct platform_memory memory = platform_memory();
        space = memory.available < space ? memory.available : space;
    }
    return space;
}
