/* levels.c: level 1 of a thread's TLBs, where tlbsim asks for it (trace/format/level1.h). Code of
 * QEMU looks a page up at once; what tlbcc compiles notes visits, of which level 1 learns later
 * (records.c). */
#define _GNU_SOURCE
#include "runtime.h"
#include "trace/format/search.h"
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

bool open_levels(struct ring_slot *s)
{
    for (unsigned i = 0; i < RING_CHAINS; i++) {
        const struct ring_level1 *shape = &head->level1[i];
        size_t bytes = level1_bytes(shape->entries, shape->sets);
        s->level1[i] = (struct level1){0};
        if (shape->entries == 0 || shape->array != i)
            continue;
        void *memory = (void *)syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return false;
        level1_open(&s->level1[i], shape->entries, shape->sets, shape->shift, memory);
    }
    return true;
}

void close_levels(const struct ring_slot *s)
{
    for (int i = 0; i < RING_CHAINS; i++)
        if (s->level1[i].count > 0)
            syscall(SYS_munmap, s->level1[i].entries,
                    level1_bytes(s->level1[i].count, s->level1[i].sets));
}

/* Whether an address is on a huge page, as tlbsim has noted last. */
static bool is_in(const struct ring_huge *huge, uint64_t count, uintptr_t address)
{
    size_t before = search_begins(huge->at, count, sizeof *huge->at, address);
    return before > 0 && address <= huge->at[before - 1].last;
}

static bool is_huge(struct ring_slot *s, uintptr_t address)
{
    const struct ring_huge *huge = &head->huge;
    uint64_t version;
    bool found;
    do {
        while ((version = __atomic_load_n(&huge->version, __ATOMIC_ACQUIRE)) & 1)
            ;
        uint64_t count = huge->count;
        found = is_in(huge, count < RING_RANGES ? count : RING_RANGES, address);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
    } while (__atomic_load_n(&huge->version, __ATOMIC_RELAXED) != version);
    if (s->huge_version != version) { /* what the sites have found may be huge now */
        memset(s->site, 0, sizeof s->site);
        memset(s->code_site, 0, sizeof s->code_site);
    }
    s->huge_version = version;
    return found;
}

uint64_t look_up(struct ring_slot *s, uintptr_t address, bool executes, bool *missed)
{
    const struct ring_level1 *chain = &head->level1[executes ? RING_CODE_CHAIN : 0];
    struct level1_entry *entry;
    uint64_t page = address & s->traced_mask, number = executes ? s->fetched : s->accesses;
    *missed = false;
    if (head->huge.count > 0 && chain[RING_HUGE].entries > 0 && is_huge(s, address)) {
        page = address >> RING_HUGE_SHIFT << RING_HUGE_SHIFT | 1; /* that of no small page */
        chain += RING_HUGE;
    }
    if (chain->entries == 0)
        return 0;
    struct level1 *level1 = &s->level1[chain->array];
    uint32_t at = level1_find(level1, page);
    *missed = at == LEVEL1_NONE;
    if (*missed)
        level1_visit(level1, page, number, number, &entry);
    else
        (entry = level1_at(level1, at))->last = number;
    return (uint64_t)((const char *)entry - (const char *)s);
}
