/* linux_scan.h: where a process has pages of a kind: the scan of /proc/PID/pagemap that Linux has
 * from 6.7 on, and older headers do not (Documentation/admin-guide/mm/pagemap.rst). The file that
 * includes it defines _GNU_SOURCE, for syscall(). */
#ifndef TLBLAB_LINUX_SCAN_H
#define TLBLAB_LINUX_SCAN_H

#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SCAN_PRESENT = 1 << 3, SCAN_HUGE = 1 << 6 }; /* kinds */

struct region {
    uint64_t begin, end, categories;
};

struct scan {
    uint64_t size, flags, start, end, walk_end, regions, room, max;
    uint64_t inverted, all_of, any_of, returned;
};

/* Finds the next regions of pages of that kind, `room` at most, from address *begin to `end`, in
 * bytes. Returns their number, and moves *begin to where the scan ended; -1: the system cannot. */
static inline int scan_pages(int pagemap, uint64_t *begin, uint64_t end, uint64_t kind,
                             struct region *regions, uint64_t room)
{
    struct scan scan = {.size = sizeof scan,
                        .start = *begin,
                        .end = end,
                        .regions = (uintptr_t)regions,
                        .room = room,
                        .all_of = kind,
                        .returned = kind};
    /* musl's ioctl() takes an int */
    int found = (int)syscall(SYS_ioctl, pagemap, _IOWR('f', 16, struct scan), &scan);
    *begin = found < 0 ? *begin : scan.walk_end;
    return found;
}

#endif
