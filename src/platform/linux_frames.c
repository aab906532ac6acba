/* linux_frames.c: the page frames of a process's pages, on Linux, from /proc/PID/pagemap. */
#define _GNU_SOURCE
#include "linux_scan.h"
#include "platform.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* An entry of /proc/self/pagemap: Linux, Documentation/admin-guide/mm/pagemap.rst. */
static const uint64_t PRESENT = UINT64_C(1) << 63;
static const uint64_t FRAME = (UINT64_C(1) << 55) - 1;

/* Pages far apart are read individually, so only the first ones are examined. [bound] */
enum { FAR_APART = 1 << 14 };

/* Entries that are read at once. [bound] */
enum { BATCH = 512 };

/* Pairs of successive pages that are both present; of these, pairs on adjacent frames or on the
 * same frame (the zero page), and pairs on successive frames. */
struct frame_pairs {
    size_t present, touching, successive;
    bool hidden;   /* a present page has frame number 0: the system hides it */
    uint64_t last; /* the entry of the last page */
};

static const char unreadable[] = "/proc/self/pagemap cannot be read",
                  hides[] = "/proc/self/pagemap hides frame numbers without CAP_SYS_ADMIN";

static void count_pair(struct frame_pairs *pairs, uint64_t entry)
{
    uint64_t a = pairs->last & FRAME, b = entry & FRAME;
    bool both = (entry & PRESENT) && (pairs->last & PRESENT);
    if ((entry & PRESENT) && b == 0)
        pairs->hidden = true;
    pairs->present += both;
    pairs->touching += both && (a > b ? a - b : b - a) <= 1;
    pairs->successive += both && b == a + 1;
    pairs->last = entry;
}

/* The entries of successive pages; returns how many. The kernel refuses a read that is not of
 * whole entries, which stdio may ask for. */
static size_t read_entries(int file, uint64_t *entries, uint64_t page_number, size_t count)
{
    ssize_t got = pread(file, entries, count * sizeof *entries,
                        (off_t)(page_number * sizeof *entries));
    return got < 0 ? 0 : (size_t)got / sizeof *entries;
}

static bool count_pairs(const void *memory, size_t count, size_t distance,
                        struct frame_pairs *pairs)
{
    uint64_t entries[BATCH];
    size_t page = platform_page_bytes(), batch = distance > page ? 1 : BATCH, got = 1, i = 0;
    FILE *file = platform_open("/proc/self/pagemap");
    if (file == NULL)
        return false;
    if (distance > page)
        count = count < FAR_APART ? count : FAR_APART;
    for (; got > 0 && i < count; i += got) {
        got = read_entries(fileno(file), entries, ((uintptr_t)memory + i * distance) / page,
                           count - i < batch ? count - i : batch);
        for (size_t k = 0; k < got; k++)
            count_pair(pairs, entries[k]);
    }
    fclose(file);
    return i == count;
}

/* YES if the frames can be read, else HINT with the reason. */
static struct platform_outcome read_pairs(const void *memory, size_t count, size_t distance,
                                          struct frame_pairs *pairs)
{
    *pairs = (struct frame_pairs){0};
    if (!count_pairs(memory, count, distance, pairs))
        return platform_result(PLATFORM_HINT, "%s", unreadable);
    if (pairs->hidden)
        return platform_result(PLATFORM_HINT, "%s", hides);
    if (pairs->present == 0)
        return platform_result(PLATFORM_HINT, "no two neighbouring pages are in memory");
    return (struct platform_outcome){.verdict = PLATFORM_YES};
}

struct platform_outcome platform_scattered(const void *memory, size_t count, size_t distance)
{
    struct frame_pairs pairs;
    struct platform_outcome outcome = read_pairs(memory, count, distance, &pairs);
    if (outcome.verdict == PLATFORM_YES && pairs.touching * 2 >= pairs.present) {
        outcome = platform_result(PLATFORM_NO,
                                  "%zu of %zu neighbouring pages are on neighbouring frames",
                                  pairs.touching, pairs.present);
    }
    return outcome;
}

struct platform_outcome platform_contiguous(const void *memory, size_t count)
{
    struct frame_pairs pairs;
    struct platform_outcome outcome = read_pairs(memory, count, platform_page_bytes(), &pairs);
    if (outcome.verdict == PLATFORM_YES && 16 * pairs.successive < 15 * pairs.present) {
        outcome = platform_result(PLATFORM_NO,
                                  "only %zu of %zu neighbouring pages are on neighbouring frames",
                                  pairs.successive, pairs.present);
    }
    return outcome;
}

struct platform_outcome platform_physical(const void *memory, uint64_t *paddr)
{
    struct frame_pairs one = {0};
    uint64_t page = platform_page_bytes();
    if (!count_pairs(memory, 1, SIZE_MAX, &one))
        return platform_result(PLATFORM_NO, "%s", unreadable);
    if (!(one.last & PRESENT))
        return platform_result(PLATFORM_NO, "the page is not in memory");
    if (one.hidden)
        return platform_result(PLATFORM_NO, "%s", hides);
    *paddr = (one.last & FRAME) * page + (uintptr_t)memory % page;
    return (struct platform_outcome){.verdict = PLATFORM_YES};
}

/* ---- another process ---- */

/* The number of the first page in memory from `at` on, `end` if there is none; `at` where the
 * system cannot say. A mapping may reserve more address space than is read in minutes. */
static uint64_t next_present(int pagemap, uint64_t at, uint64_t end)
{
    uint64_t page = platform_page_bytes(), begin = at * page;
    struct region region;
    int found = scan_pages(pagemap, &begin, end * page, SCAN_PRESENT, &region, 1);
    return found < 0 ? at : found == 0 ? end : region.begin / page;
}

/* The pages of one mapping; false where frame numbers are hidden. */
static bool take_frames(int pagemap, const char *name, uint64_t begin, uint64_t end,
                        platform_take_frame *take, void *context)
{
    uint64_t entries[BATCH], page = platform_page_bytes(), at = begin / page, got;
    for (at = next_present(pagemap, at, end / page); at < end / page;
         at = next_present(pagemap, at + got, end / page)) {
        uint64_t left = end / page - at;
        got = read_entries(pagemap, entries, at, left < BATCH ? left : BATCH);
        if (got == 0)
            return true; /* the system's own page, or the process has ended */
        for (uint64_t i = 0; i < got; i++) {
            if ((entries[i] & PRESENT) && (entries[i] & FRAME) == 0)
                return false;
            if (entries[i] & PRESENT)
                take(context, name, (at + i) * page, entries[i] & FRAME);
        }
    }
    return true;
}

static bool take_mappings(FILE *maps, int pagemap, platform_take_frame *take, void *context)
{
    char line[4352];
    while (fgets(line, sizeof line, maps) != NULL) {
        uint64_t begin, end;
        int name = 0;
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %n", &begin, &end, &name) == 2 &&
            !take_frames(pagemap, line + (name > 0 ? name : (int)strlen(line)), begin, end, take,
                         context))
            return false;
    }
    return true;
}

struct platform_outcome platform_frames(uint32_t process, platform_take_frame *take, void *context)
{
    char path[64];
    struct platform_outcome outcome = {.verdict = PLATFORM_YES};
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/maps", process);
    FILE *maps = platform_open(path);
    if (maps == NULL)
        return platform_result(PLATFORM_NO, "%s: %s", path, strerror(errno));
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/pagemap", process);
    FILE *pagemap = platform_open(path);
    if (pagemap == NULL)
        outcome = platform_result(PLATFORM_NO, "%s: %s", path, strerror(errno));
    else if (!take_mappings(maps, fileno(pagemap), take, context))
        outcome = platform_result(PLATFORM_NO, "%s hides frame numbers without CAP_SYS_ADMIN",
                                  path);
    if (pagemap != NULL)
        fclose(pagemap);
    fclose(maps);
    return outcome;
}
