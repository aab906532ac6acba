/* linux_huge.c: which memory of a process is on huge pages just now, or will be when it is touched,
 * on Linux: by /proc/PID/smaps, and for mappings that are partly on them by a scan of
 * /proc/PID/pagemap, from Linux 6.7 on. */
#define _GNU_SOURCE
#include "linux_scan.h"
#include "platform.h"
#include <string.h>

static const char thp_enabled[] = "/sys/kernel/mm/transparent_hugepage/enabled";

/* Regions of one call. [bound] */
enum { REGIONS = 256 };

/* The parts of a mapping on huge pages; false if unknown. */
static bool scan(int descriptor, uint64_t begin, uint64_t end, struct platform_huge_ranges *huge)
{
    struct region regions[REGIONS];
    while (begin < end && huge->count < PLATFORM_HUGE_RANGES) {
        uint64_t before = begin;
        int found = scan_pages(descriptor, &begin, end, SCAN_HUGE, regions, REGIONS);
        if (found < 0)
            return false;
        for (int i = 0; i < found && huge->count < PLATFORM_HUGE_RANGES; i++)
            huge->at[huge->count++] = (struct platform_huge_range){regions[i].begin, regions[i].end,
                                                                   false};
        if (begin <= before)
            return false;
    }
    return true;
}

struct mapping {
    uint64_t begin, end, resident, on_huge;
    bool advised;
};

/* A mapping on huge pages, except its ends and what has not been touched, or one that is partly on
 * huge pages. If the program has asked for them, memory that it touches next will be. */
static void add_mapping(struct platform_huge_ranges *huge, const struct mapping *m, int pagemap)
{
    uint64_t page = huge->page_bytes;
    uint64_t begin = (m->begin + page - 1) / page * page, end = m->end / page * page;
    bool some = m->on_huge + 2 * page <= m->resident; /* the ends lie on other pages */
    if ((m->on_huge == 0 && (some || !m->advised)) || end <= begin ||
        huge->count == PLATFORM_HUGE_RANGES)
        return;
    if (some && pagemap >= 0 && scan(pagemap, begin, end, huge))
        return;
    huge->at[huge->count++] = (struct platform_huge_range){begin, end, some};
}

static void read_smaps(FILE *file, int pagemap, struct platform_huge_ranges *huge)
{
    struct mapping m = {0};
    char line[4352], never[64];
    bool given = !platform_read_line(thp_enabled, never, sizeof never) ||
                 strstr(never, "[never]") == NULL;
    while (fgets(line, sizeof line, file) != NULL) {
        unsigned long long a, b;
        if (sscanf(line, "%llx-%llx ", &a, &b) == 2) {
            add_mapping(huge, &m, pagemap);
            m = (struct mapping){.begin = a, .end = b};
        } else if (sscanf(line, "Rss: %llu kB", &a) == 1)
            m.resident = a << 10;
        else if (sscanf(line, "AnonHugePages: %llu kB", &a) == 1 ||
                 sscanf(line, "ShmemPmdMapped: %llu kB", &a) == 1 ||
                 sscanf(line, "FilePmdMapped: %llu kB", &a) == 1)
            m.on_huge += a << 10;
        else if (strncmp(line, "VmFlags:", 8) == 0)
            m.advised = given && strstr(line, " hg") != NULL;
    }
    add_mapping(huge, &m, pagemap);
}

bool platform_huge_ranges(uint32_t process, struct platform_huge_ranges *huge)
{
    char path[64];
    huge->count = 0;
    huge->page_bytes = platform_huge_bytes();
    snprintf(path, sizeof path, "/proc/%u/smaps", process);
    FILE *file = huge->page_bytes > 0 ? platform_open(path) : NULL;
    if (file == NULL)
        return false;
    snprintf(path, sizeof path, "/proc/%u/pagemap", process);
    FILE *pagemap = platform_open(path);
    read_smaps(file, pagemap != NULL ? fileno(pagemap) : -1, huge);
    if (pagemap != NULL)
        fclose(pagemap);
    fclose(file);
    return true;
}
