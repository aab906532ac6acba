/* real_pages.h: which pages of a running program are huge ones, asked again and again. */
#ifndef TLBLAB_FORMAT_REAL_PAGES_H
#define TLBLAB_FORMAT_REAL_PAGES_H

#include "platform.h"
#include "trace/format/record.h"

/* Initialised by {0}. */
struct real_pages {
    struct platform_huge_ranges now, next;
    size_t recorded; /* records of `now`, the first of which says that all before are void */
    bool changed;
    uint64_t due_ns;
};

/* Asks the system about a process, where it is time to: `due_ns`. Whether that has changed `now`.
 */
bool real_pages_ask(struct real_pages *pages, uint32_t process);

/* Writes at most `room` records PAGES that were not written yet; their number. */
size_t real_pages_write(struct real_pages *pages, uint32_t process, struct record *records,
                        size_t room);

#endif
