/* linux_huge.c: which memory of a process is on huge pages just now, on Linux: by a scan of
 * /proc/PID/pagemap, from Linux 6.7 on, else by /proc/PID/smaps. */
#define _GNU_SOURCE
#include "platform.h"
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As Linux has it from 6.7 on; older headers do not. */
struct scan {
    uint64_t size, flags, start, end, walk_end, regions, room, most;
    uint64_t inverted, all_of, any_of, returned;
};
struct region {
    uint64_t begin, end, categories;
};
#define SCAN _IOWR('f', 16, struct scan)
static const uint64_t IS_HUGE = 1 << 6;

/* [physics: where user addresses end, with four tables] */
static const uint64_t ADDRESSES_END = (UINT64_C(1) << 47) - 4096;

/* Regions of one call. [bound] */
enum { REGIONS = 256 };

static bool scan(int descriptor, struct platform_huge_ranges *huge)
{
    struct region regions[REGIONS];
    struct scan s = {.size = sizeof s,
                     .end = ADDRESSES_END,
                     .regions = (uintptr_t)regions,
                     .room = REGIONS,
                     .all_of = IS_HUGE,
                     .returned = IS_HUGE};
    while (s.start < ADDRESSES_END && huge->count < PLATFORM_HUGE_RANGES) {
        int found = (int)syscall(SYS_ioctl, descriptor, SCAN, &s); /* musl's takes an int */
        if (found < 0)
            return false;
        for (int i = 0; i < found && huge->count < PLATFORM_HUGE_RANGES; i++)
            huge->at[huge->count++] = (struct platform_huge_range){regions[i].begin, regions[i].end,
                                                                   false};
        if (s.walk_end <= s.start)
            return false;
        s.start = s.walk_end;
    }
    return true;
}

/* A mapping on huge pages, except its ends and what has not been touched, or one that is partly on
 * huge pages. */
static void add_mapping(struct platform_huge_ranges *huge, uint64_t begin, uint64_t end,
                        uint64_t resident, uint64_t on_huge)
{
    uint64_t page = huge->page_bytes;
    begin = (begin + page - 1) / page * page;
    end = end / page * page;
    if (on_huge == 0 || end <= begin || huge->count == PLATFORM_HUGE_RANGES)
        return;
    bool some = on_huge + 2 * page <= resident; /* the ends lie on other pages */
    huge->at[huge->count++] = (struct platform_huge_range){begin, end, some};
}

static void read_smaps(FILE *file, struct platform_huge_ranges *huge)
{
    uint64_t begin = 0, end = 0, resident = 0, on_huge = 0;
    char line[4352];
    while (fgets(line, sizeof line, file) != NULL) {
        unsigned long long a, b;
        if (sscanf(line, "%llx-%llx ", &a, &b) == 2) {
            add_mapping(huge, begin, end, resident, on_huge);
            begin = a;
            end = b;
            resident = on_huge = 0;
        } else if (sscanf(line, "Rss: %llu kB", &a) == 1)
            resident = a << 10;
        else if (sscanf(line, "AnonHugePages: %llu kB", &a) == 1 ||
                 sscanf(line, "ShmemPmdMapped: %llu kB", &a) == 1 ||
                 sscanf(line, "FilePmdMapped: %llu kB", &a) == 1)
            on_huge += a << 10;
    }
    add_mapping(huge, begin, end, resident, on_huge);
}

bool platform_huge_ranges(uint32_t process, struct platform_huge_ranges *huge)
{
    char path[64];
    huge->count = 0;
    huge->page_bytes = platform_huge_bytes();
    if (huge->page_bytes == 0)
        return false;
    snprintf(path, sizeof path, "/proc/%u/pagemap", process);
    FILE *file = platform_open(path);
    bool done = file != NULL && scan(fileno(file), huge);
    if (file != NULL)
        fclose(file);
    if (done)
        return true;
    huge->count = 0;
    snprintf(path, sizeof path, "/proc/%u/smaps", process);
    file = platform_open(path);
    if (file == NULL)
        return false;
    read_smaps(file, huge);
    fclose(file);
    return true;
}
