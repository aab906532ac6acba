/* records.c: writes accesses and events of a thread into its slot of the ring, and leaves out what
 * tlbsim does not need: hits in level 1 where the thread has one, else accesses to recent pages.
 *
 * Level 1 learns of accesses when VISITS have begun (trace/format/level1.h): what the program does
 * between two of its own accesses to memory is short then, so that the processor still runs ahead
 * of many of these at once. */
#include "ring_write.h"
#include "runtime.h"
#include <signal.h>
#include <time.h>

/* ---- state ---- */

struct ring_head *head;
bool tracing, has_traced;

/* The slot of a thread that has none yet, or no longer. As it is not ready, each access that gets
 * into record_page() goes on to make_ready(); while nothing is traced look_away() keeps it out. */
struct ring_slot no_slot;
__thread struct ring_slot *tlb_trace_slot = &no_slot;
__thread bool inside;

/* ---- recent pages ---- */

static struct recent_orders orders;

void prepare_orders(void)
{
    recent_fill(&orders);
}

void forget_recent(struct ring_slot *s)
{
    for (int i = 0; i < RECENT_PAGES; i++)
        s->recent[i] = (struct page_use){.page = PAGE_NONE};
    s->now.fresh = 1;
}

static inline uint8_t order_of(const struct page_use recent[RECENT_PAGES])
{
    return recent_order(&orders, recent[0].last, recent[1].last, recent[2].last, recent[3].last);
}

/* Writes accesses to the pages accessed since the last record, whose order no record has. */
static __attribute__((noinline)) void record_recent(struct ring_slot *s)
{
    const uint8_t *place = orders.place[order_of(s->recent)];
    for (int i = RECENT_PAGES - 1; i >= 0; i--)
        if (s->recent[place[i]].last > s->recorded)
            put_numbered(s, s->recent[place[i]].page << 7 | TRACE_READ, s->accesses, 0, 0);
}

/* The slot of a recent page, or NULL. */
static inline __attribute__((always_inline)) struct page_use *
find_recent(struct page_use recent[RECENT_PAGES], uint64_t page)
{
    return recent[0].page == page   ? &recent[0]
           : recent[1].page == page ? &recent[1]
           : recent[2].page == page ? &recent[2]
           : recent[3].page == page ? &recent[3]
                                    : NULL;
}

/* A page takes the place of the oldest one; the order of its record goes to `order`. */
static inline __attribute__((always_inline)) struct page_use *
remember(struct ring_slot *s, uint64_t page, bool fresh, unsigned *order)
{
    unsigned now = 0, oldest = 0;
    if (s->recent_count > 1) {
        if (fresh)
            forget_recent(s); /* a site may still have noted an access there */
        now = order_of(s->recent);
        oldest = orders.place[now][RECENT_PAGES - 1];
        *order = 1 + (fresh ? RECENT_FRESH : now);
    }
    if (fresh)
        s->now.fresh = 0;
    s->recent[oldest].page = page;
    return &s->recent[oldest];
}

/* ---- accesses ---- */

void watch(struct ring_slot *s)
{
    const struct ring_head *shared = head;
    bool first = shared != NULL && shared->level1[0].entries > 0;
    unsigned shift = first ? shared->level1[0].shift : RING_PAGE_SHIFT;
    s->nowhere.use.page = PAGE_NONE;
    s->traced_mask = ~(((uint64_t)1 << shift) - 1);
    __atomic_store_n(&s->mask, s->traced_mask, __ATOMIC_SEQ_CST);
}

/* No address has a page under this mask, and each site looks nowhere, where it finds just that. */
void look_away(struct ring_slot *s)
{
    s->nowhere.use.page = 0;
    __atomic_store_n(&s->mask, 0, __ATOMIC_SEQ_CST);
}

/* While tracing is off accesses do not count; this one has been counted. */
static bool is_traced(struct ring_slot *s)
{
    if (!__atomic_load_n(&tracing, __ATOMIC_SEQ_CST)) {
        if (!s->off) {
            end_visits(s);
            s->off = 1;
            s->kept = s->accesses - 1;
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

static bool open_slot(struct ring_slot *s)
{
    if (!make_room(s))
        return false;
    bool plain = s->recent_count == 0 && s->level1[0].begun == NULL;
    __atomic_store_n(&s->now.ready, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&s->limit, plain ? VISITS_END : 0, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&tracing, __ATOMIC_SEQ_CST))
        shut(s);
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
        s->accesses = 1;
    }
    bool ready = s != &no_slot && is_traced(s) && open_slot(s);
    inside = false;
    return ready ? s : NULL;
}

static inline void put_access(struct ring_slot *s, uintptr_t address, unsigned what,
                              uint64_t number, uintptr_t site, unsigned order)
{
    put_numbered(s, ring_access(address, what), number, site, order);
    s->recorded = number;
}

/* ---- visits ---- */

/* Whether all visits up to here are written: a signal handler that has interrupted the beginning of
 * one finds it empty, or a place taken behind the last one. */
static bool are_whole(const struct ring_slot *s, uint64_t taken)
{
    const struct visit *v = s->visits;
    for (uint64_t at = VISITS_BEGIN; at < taken; at += sizeof *v)
        if (at >= VISITS_END || v++->begun == 0)
            return false;
    return true;
}

bool end_visits(struct ring_slot *s)
{
    if (s->now.busy)
        return false;
    s->now.busy = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint64_t taken = __atomic_exchange_n(&s->visited, VISITS_END, __ATOMIC_RELAXED);
    const struct visit *end = (struct visit *)(void *)((char *)s + taken);
    bool whole = are_whole(s, taken);
    for (struct visit *v = s->visits; whole && v < end; v++) {
        uint64_t first = ring_number(v), last = v->use.last > first ? v->use.last : first;
        struct level1_entry *entry;
        if (level1_visit(&s->level1[0], v->use.address & s->traced_mask, first, last, &entry))
            put_access(s, v->use.address, (unsigned)(v->begun >> RING_WHAT_SHIFT), first, v->site,
                       0);
        v->use.page = PAGE_NONE;
        v->begun = 0;
    }
    if (whole)
        level1_end_all(&s->level1[0]);
    for (uint64_t ahead = 0; ahead <= VISITS && s->recent_count == 0; ahead += RING_LINE)
        prepare_write(&s->records[(s->at + ahead) % RING_RECORDS]);
    s->visited = whole ? VISITS_BEGIN : taken;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    s->now.busy = 0;
    return whole;
}

/* Begins a visit; returns its distance from the slot. A signal handler that has interrupted the
 * runtime writes its accesses instead, as if they missed level 1; returns 0 then. */
static uint64_t begin_visit(struct ring_slot *s, uintptr_t address, unsigned what, uint64_t number,
                            uintptr_t site)
{
    uint64_t page = address & s->traced_mask, at;
    while ((at = take_places(&s->visited, sizeof *s->visits)) >= VISITS_END) {
        take_places(&s->visited, 0 - sizeof *s->visits);
        if (!end_visits(s)) {
            put_access(s, address, what, number, site, 0);
            return 0;
        }
    }
    struct visit *v = (struct visit *)(void *)((char *)s + at);
    if (s->level1[0].begun != NULL)
        level1_begin(&s->level1[0], s->visits, (unsigned)(v - s->visits), page);
    v->site = site;
    v->use.address = address;
    v->use.page = page;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    v->begun = (uint64_t)what << RING_WHAT_SHIFT | s->accesses;
    return at;
}

/* The same in QEMU, where no signal handler interrupts it: it is over, and level 1 has learnt of
 * it.
 */
static uint64_t visit_at_once(struct ring_slot *s, uintptr_t address, unsigned what,
                              uint64_t number, uintptr_t site)
{
    bool missed;
    uint64_t distance = look_up(s, address, false, &missed);
    if (missed)
        put_access(s, address, what, number, site, 0);
    return distance;
}

/* ---- accesses to other pages than the recent ones ---- */

/* A signal handler that comes while pages change writes its access, and leaves the rest alone; what
 * was recent is forgotten then. */
static inline bool enter(struct ring_slot *s)
{
    bool was = s->now.busy;
    if (was)
        s->now.disturbed = 1;
    s->now.busy = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return !was;
}

/* After a signal handler's access. */
static __attribute__((noinline)) struct noted settle(struct ring_slot *s)
{
    s->now.busy = 1;
    s->now.disturbed = 0;
    record_recent(s);
    forget_recent(s);
    s->now.busy = 0;
    return (struct noted){0, s};
}

/* Finds the page among the recent ones, or puts it there and writes a record, which is plain where
 * nothing is rare. Returns where it is noted; nowhere after a signal handler's access. */
static inline __attribute__((always_inline)) struct noted find_page(struct ring_slot *s,
                                                                    uintptr_t address,
                                                                    unsigned what, uint64_t number,
                                                                    uintptr_t site, bool plain)
{
    uint64_t page = address & s->traced_mask;
    unsigned order = 0;
    struct page_use *use = find_recent(s->recent, page);
    if (use == NULL) {
        use = remember(s, page, !plain && s->now.fresh, &order);
        if (plain) {
            put_unchecked(s, ring_access(address, what), from_of(number, site, order));
            s->recorded = number;
        } else
            put_access(s, address, what, number, site, order);
    }
    use->last = number;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    s->now.busy = 0;
    if (__builtin_expect(s->now.disturbed, 0))
        return settle(s);
    return (struct noted){(uint64_t)((const char *)use - (const char *)s), s};
}

__attribute__((noinline)) struct noted record_page(struct ring_slot *s, uintptr_t address,
                                                   unsigned what, uintptr_t site)
{
    if (!s->now.ready || (s->recent_count > 0 && s->at >= s->granted)) {
        s = make_ready(s);
        if (s == NULL)
            return (struct noted){0, tlb_trace_slot};
    }
    uint64_t number = s->accesses;
    if (s->recent_count == 0 && has_fetches)
        return (struct noted){visit_at_once(s, address, what, number, site), s};
    if (s->recent_count == 0)
        return (struct noted){begin_visit(s, address, what, number, site), s};
    if (enter(s))
        return find_page(s, address, what, number, site, false);
    put_access(s, address, what, number, site, 0);
    return (struct noted){0, s};
}

/* Whether a thread with recent pages, which are known, is ready and not busy. One without is always
 * fresh. Each is read as a byte: a read of the whole word would wait until the last byte written
 * has left the store buffer, behind the program's own stores. */
static inline bool is_plain(const struct ring_slot *s)
{
    return s->now.ready && !__atomic_load_n(&s->now.busy, __ATOMIC_RELAXED) &&
           !__atomic_load_n(&s->now.fresh, __ATOMIC_RELAXED);
}

/* An access in code that tlbcc compiles, which begins no visit there (inline_check.h); the low bits
 * of `begun` say how many are not yet counted, up to this one. Where nothing is rare, without
 * calls: the fewer instructions, the more misses of the program overlap. */
ENTRY(struct noted, tlb_trace_visit, uintptr_t address, uint64_t begun, uintptr_t site,
      struct ring_slot *s)
{
    unsigned what = (unsigned)(begun >> RING_WHAT_SHIFT), ahead = (unsigned)begun;
    uint64_t number = s->accesses + ahead;
    __builtin_prefetch((const void *)address, 1);
    if (!is_plain(s) || s->at >= s->granted || number - s->recorded > RING_GAP) {
        count_accesses(s, ahead);
        struct noted noted = record_page(s, address, what, site);
        count_accesses(noted.slot, 0 - (uint64_t)ahead);
        return noted;
    }
    s->now.busy = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return find_page(s, address, what, number, site, true);
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

/* Not counted: its number is that of the access before. */
static void put_fetch(struct ring_slot *s, uintptr_t address, uintptr_t site)
{
    put_numbered(s, address << 7 | ring_low(TRACE_EXECUTE), s->accesses, site, 0);
}

/* Whether a fetch misses level 1 of code. */
static bool misses_code(struct ring_slot *s, uintptr_t address)
{
    uint64_t *place = &s->code_site[(address >> RING_PAGE_SHIFT) % RING_CODE];
    struct page_use *use = (struct page_use *)(void *)((char *)s + *place);
    bool missed;
    s->fetched++;
    if (LIKELY(use->page == (address & s->traced_mask))) {
        use->last = s->fetched;
        return false;
    }
    *place = look_up(s, address, true, &missed);
    return missed;
}

void record_code_page(uintptr_t address, uintptr_t site)
{
    if (head_now() == NULL || inside || !__atomic_load_n(&tracing, __ATOMIC_SEQ_CST))
        return;
    struct ring_slot *s = tlb_trace_slot;
    s->code_page = address >> RING_PAGE_SHIFT;
    inside = true;
    if (s->recent_count > 0 || misses_code(s, address))
        put_fetch(s, address, site);
    inside = false;
}

void put_event(unsigned op, uint64_t address, uint64_t bytes, uintptr_t site)
{
    struct ring_slot *s = tlb_trace_slot;
    if (s == &no_slot || head == NULL)
        return;
    end_visits(s);
    put(s, bytes << 7 | ring_low(RING_LENGTH), 0);
    put_numbered(s, address << 7 | ring_low(RING_SIZES << 4 | op), ring_accesses(s), site, 0);
}

static void wait_until_mapped(const struct ring_slot *s)
{
    const struct ring_head *shared = head_now();
    struct timespec nap = {0, 50000};
    while (shared != NULL && !__atomic_load_n(&s->mapped, __ATOMIC_ACQUIRE) &&
           kill((pid_t)shared->reader, 0) == 0)
        nanosleep(&nap, NULL);
}

void record_maps(bool wait, uintptr_t site)
{
    if (head_now() == NULL || inside)
        return;
    inside = true;
    if (tlb_trace_slot != &no_slot || join_thread()) {
        struct ring_slot *s = tlb_trace_slot;
        __atomic_store_n(&s->mapped, 0, __ATOMIC_RELEASE);
        put_event(RING_MAPS, wait, 0, site);
        if (wait)
            wait_until_mapped(s);
    }
    inside = false;
}

void record_event(unsigned op, uint64_t address, uint64_t bytes, uintptr_t site)
{
    if (head == NULL || inside)
        return;
    inside = true;
    if (tlb_trace_slot != &no_slot || join_thread())
        put_event(op, address, bytes, site);
    inside = false;
}
