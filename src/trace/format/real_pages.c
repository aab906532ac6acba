/* real_pages.c: which pages of a running program are huge ones.
 *
 *     real_pages_ask(&pages, process);
 *     count = real_pages_write(&pages, process, records, room);
 */
#include "trace/format/real_pages.h"
#include <string.h>

/* [bound] time between two looks; a look takes at most one part in so many of the time */
enum { LOOK_NS = 10000000, PARTS = 20 };

static bool are_same(const struct platform_huge_ranges *a, const struct platform_huge_ranges *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = a->at[i].begin == b->at[i].begin && a->at[i].end == b->at[i].end &&
               a->at[i].hint == b->at[i].hint;
    return same;
}

bool real_pages_ask(struct real_pages *p, uint32_t process)
{
    uint64_t begin = platform_now_ns();
    if (begin < p->due_ns || !platform_huge_ranges(process, &p->next))
        return false;
    uint64_t end = platform_now_ns(), pause = (end - begin) * PARTS;
    p->due_ns = end + (pause > LOOK_NS ? pause : LOOK_NS);
    if (are_same(&p->now, &p->next))
        return false;
    memcpy(&p->now, &p->next, sizeof p->now);
    p->recorded = 0;
    return p->changed = true;
}

size_t real_pages_write(struct real_pages *p, uint32_t process, struct record *records, size_t room)
{
    size_t count = 0;
    for (; p->changed && count < room && p->recorded <= p->now.count; p->recorded++) {
        struct record *r = &records[count++];
        *r = (struct record){.op = TRACE_PAGES, .process = process, .time_ns = platform_now_ns()};
        if (p->recorded == 0)
            continue;
        const struct platform_huge_range *range = &p->now.at[p->recorded - 1];
        r->address = range->begin;
        r->bytes = range->end - range->begin;
        r->site = p->now.page_bytes;
        r->level = range->hint;
    }
    p->changed = p->changed && p->recorded <= p->now.count;
    return count;
}
