/* records.c: writes accesses and events of a thread into its slot of the ring, and leaves out what
 * tlbsim does not need: accesses to the last page and to recent ones. */
#define _GNU_SOURCE
#include "runtime.h"
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* ---- state ---- */

struct ring_head *head;
bool tracing;

/* The slot of a thread that has none yet, or no longer: its limit sends each access into
 * make_ready(), where anything is traced. */
struct ring_slot no_slot;
__thread struct ring_slot *tlb_trace_slot = &no_slot;
__thread bool inside;

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void complain(const char *text)
{
    char line[512];
    int length = snprintf(line, sizeof line, "tlbcc runtime: %s\n", text);
    if (write(STDERR_FILENO, line, (size_t)length) < 0)
        return;
}

/* ---- rooms in the ring ---- */

void stop_tracing(const char *why)
{
    struct ring_head *was = head;
    head = NULL;
    if (was == NULL)
        return;
    for (int i = 0; i < RING_SLOTS; i++)
        __atomic_store_n(&was->slots[i].limit, 0, __ATOMIC_SEQ_CST);
    look_away(&no_slot);
    complain(why);
}

/* Waits until there is room for two chunks, one of which signal handlers may use; false where
 * tlbsim has ended. */
static bool wait_for_room(const struct ring_slot *s)
{
    uint64_t most = RING_RECORDS - 2 * RING_CHUNK;
    const struct ring_head *shared = head;
    if (shared == NULL)
        return false;
    for (unsigned turn = 0; s->at - __atomic_load_n(&s->taken, __ATOMIC_ACQUIRE) > most; turn++) {
        struct timespec nap = {0, 50000};
        if (turn < 50)
            sched_yield();
        else
            nanosleep(&nap, NULL);
        if (turn % 200 == 199 && kill((pid_t)shared->reader, 0) != 0 && errno == ESRCH)
            return false;
    }
    return true;
}

/* Lets the thread write up to the end of the chunk, whose time begins now. */
static bool renew_limit(struct ring_slot *s)
{
    uint64_t chunk = s->at / RING_CHUNK;
    if ((chunk + 1) * RING_CHUNK > s->granted) {
        if (!wait_for_room(s)) {
            stop_tracing("tlbsim has ended: nothing more is traced");
            return false;
        }
        s->time_ns[chunk % RING_CHUNKS] = now_ns();
        s->granted = (chunk + 1) * RING_CHUNK;
    }
    __atomic_store_n(&s->limit, s->granted, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&tracing, __ATOMIC_SEQ_CST))
        __atomic_store_n(&s->limit, 0, __ATOMIC_SEQ_CST);
    return true;
}

/* The next place, taken by one instruction: a signal comes before or after it. */
static inline uint64_t take_place(struct ring_slot *s)
{
#ifdef __x86_64__
    uint64_t place = 1;
    __asm__ volatile("xaddq %0, %1" : "+r"(place), "+m"(s->at) : : "memory", "cc");
    return place;
#else
    return __atomic_fetch_add(&s->at, 1, __ATOMIC_RELAXED);
#endif
}

/* Asks for a line that is written soon: tlbsim's core has it. gcc's own prefetch would ask for a
 * copy to read only, where it does not know the processor. */
static inline void prepare_write(const struct ring_record *record)
{
#ifdef __x86_64__
    __asm__ volatile("prefetchw %0" : : "m"(*record));
#else
    __builtin_prefetch(record, 1);
#endif
}

static inline void put(struct ring_slot *s, uint64_t what, uint64_t from)
{
    uint64_t place = take_place(s);
    struct ring_record *record = &s->records[place % RING_RECORDS];
    prepare_write(&s->records[(place + 32) % RING_RECORDS]);
    record->from = from;
    __atomic_store_n(&record->what, what | ring_lap(place), __ATOMIC_RELEASE);
}

static inline void put_slowly(struct ring_slot *s, uint64_t what, uint64_t from)
{
    if (LIKELY(s->at < s->limit) || renew_limit(s))
        put(s, what, from);
}

static uint64_t from_of(const struct ring_slot *s, uintptr_t site, unsigned order)
{
    return (uint64_t)site << 16 | order << RING_ORDER_SHIFT | (s->accesses & RING_NUMBER);
}

/* A gap that the low bits do not tell. */
static inline void tell_gap(struct ring_slot *s)
{
    if (__builtin_expect(s->accesses - s->told > RING_GAP, 0))
        put_slowly(s, (s->accesses - 1) << 7 | RING_SKIP, 0);
    s->told = s->accesses;
}

/* ---- recent pages ---- */

static struct recent_orders orders;

void prepare_orders(void)
{
    recent_fill(&orders);
}

void forget_recent(struct ring_slot *s)
{
    for (int i = 0; i < RECENT_PAGES; i++)
        s->recent[i] = UINT64_MAX;
    s->order = s->told_order = RECENT_FRESH;
    s->page = 0;
}

/* Writes accesses to the pages that were accessed since the last record, which no order tells. */
static __attribute__((noinline)) void tell_recent(struct ring_slot *s)
{
    const uint8_t *place = orders.place[s->order];
    for (int i = recent_touched(&orders, s->told_order, s->order) - 1; i >= 0; i--)
        put_slowly(s, s->recent[place[i]] << 7 | TRACE_READ, from_of(s, 0, 0));
}

/* Whether the page is a recent one; then it becomes the last. */
static inline __attribute__((always_inline)) bool is_recent(struct ring_slot *s, uint64_t page)
{
    for (int i = 0; i < RECENT_PAGES; i++)
        if (s->recent[i] == page) {
            s->order = orders.after[s->order][i];
            return true;
        }
    return false;
}

/* A page takes the place of the oldest one; returns the order of its record. */
static inline unsigned remember(struct ring_slot *s, uint64_t page)
{
    unsigned order = s->order, oldest = orders.place[order][RECENT_PAGES - 1];
    s->recent[oldest] = page;
    s->order = s->told_order = orders.after[order][oldest];
    return 1 + order;
}

/* ---- accesses ---- */

void watch(struct ring_slot *s)
{
    __atomic_store_n(&s->mask, ~(((uint64_t)1 << RING_PAGE_SHIFT) - 1), __ATOMIC_RELAXED);
}

/* No address has a page under this mask, so each access looks like one to the page just accessed.
 */
void look_away(struct ring_slot *s)
{
    s->page = 0;
    __atomic_store_n(&s->mask, 0, __ATOMIC_SEQ_CST);
}

/* While tracing is off accesses do not count. */
static bool is_traced(struct ring_slot *s)
{
    if (!__atomic_load_n(&tracing, __ATOMIC_SEQ_CST)) {
        if (!s->off) {
            s->off = 1;
            s->kept = s->accesses > 0 ? s->accesses - 1 : 0;
        }
        look_away(s);
        if (__atomic_load_n(&tracing, __ATOMIC_SEQ_CST))
            watch(s); /* it has just been switched on */
        return false;
    }
    if (s->off) {
        s->off = 0;
        s->accesses = s->kept + 1;
    }
    return true;
}

/* The first access of a thread, the first of a chunk, or one while tracing is off: the slot that it
 * goes to, or NULL. */
static __attribute__((noinline)) struct ring_slot *make_ready(struct ring_slot *s)
{
    if (head == NULL)
        look_away(s);
    if (head == NULL || inside)
        return NULL;
    inside = true;
    if (s == &no_slot && join_thread()) {
        s = tlb_trace_slot;
        s->accesses++;
    }
    bool ready = s != &no_slot && is_traced(s) && renew_limit(s);
    inside = false;
    return ready ? s : NULL;
}

/* A signal handler that comes while pages change writes its access, as if it missed level 1, and
 * leaves the rest alone; what was recent is forgotten then. */
static inline bool enter(struct ring_slot *s)
{
    bool was = s->busy;
    if (was)
        s->disturbed = 1;
    s->busy = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return !was;
}

static inline void leave(struct ring_slot *s)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (s->disturbed) {
        s->disturbed = 0;
        tell_recent(s);
        forget_recent(s);
    }
    s->busy = 0;
}

/* Whether an access misses level 1, which then holds its page. */
static inline bool misses_first(struct lru *first, const struct ring_head *shared,
                                uintptr_t address)
{
    uint64_t page = address >> shared->first_shift;
    uint32_t set = (uint32_t)(page & (shared->first_sets - 1)), entry = lru_find(first, page);
    if (entry == LRU_NONE)
        lru_fill(first, page, set);
    else
        lru_use(first, entry, set);
    return entry == LRU_NONE;
}

/* Whether tlbsim must hear of an access to another page than the one before; the order of its
 * record, where it has one. */
static inline __attribute__((always_inline)) bool is_news(struct ring_slot *s, uintptr_t address,
                                                          unsigned *order)
{
    const struct ring_head *shared = head;
    s->page = address & s->mask;
    if (shared == NULL)
        return false;
    if (shared->first_entries > 0)
        return misses_first(&s->first, shared, address);
    if (shared->recent == 1)
        return true;
    if (is_recent(s, s->page))
        return false;
    *order = remember(s, s->page);
    return true;
}

__attribute__((noinline)) void record_page(struct ring_slot *s, uintptr_t address, unsigned op,
                                           uintptr_t site)
{
    unsigned order = 0;
    __builtin_prefetch((const void *)address, 1);
    if (s->at >= s->limit && (s = make_ready(s)) == NULL)
        return;
    bool ours = enter(s);
    if (!ours || is_news(s, address, &order)) {
        tell_gap(s);
        put_slowly(s, (uint64_t)address << 7 | op, from_of(s, site, order));
    }
    if (ours)
        leave(s);
}

/* The largest power of two up to 64 that is no larger. */
static unsigned size_code(uint64_t bytes)
{
    unsigned code = 0;
    while (code + 1 < RING_SIZES && (uint64_t)2 << code <= bytes)
        code++;
    return code;
}

void record_range(uintptr_t address, uint64_t bytes, unsigned op, uintptr_t site)
{
    uint64_t page = (uint64_t)1 << RING_PAGE_SHIFT;
    while (bytes > 0) {
        uint64_t here = page - (address & (page - 1));
        here = here < bytes ? here : bytes;
        record_access(address, size_code(here) << 4 | op, site);
        address += here;
        bytes -= here;
    }
}

void record_copy(uintptr_t to, uintptr_t from, uint64_t bytes, uintptr_t site)
{
    uint64_t page = (uint64_t)1 << RING_PAGE_SHIFT;
    while (bytes > 0) {
        uint64_t here = page - (from & (page - 1)), there = page - (to & (page - 1));
        here = here < there ? here : there;
        here = here < bytes ? here : bytes;
        record_range(from, here, TRACE_READ, site);
        record_range(to, here, TRACE_WRITE, site);
        from += here;
        to += here;
        bytes -= here;
    }
}

void put_event(unsigned op, uint64_t address, uint64_t bytes, uintptr_t site)
{
    struct ring_slot *s = tlb_trace_slot;
    if (s == &no_slot || head == NULL)
        return;
    tell_gap(s);
    put_slowly(s, bytes << 7 | RING_BYTES, 0);
    put_slowly(s, address << 7 | (uint64_t)RING_SIZES << 4 | op, from_of(s, site, 0));
}

void tell(unsigned op, uint64_t address, uint64_t bytes, uintptr_t site)
{
    if (head == NULL || inside)
        return;
    inside = true;
    if (tlb_trace_slot != &no_slot || join_thread())
        put_event(op, address, bytes, site);
    inside = false;
}
