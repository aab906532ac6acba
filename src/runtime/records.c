/* records.c: writes accesses and events of a thread into its slot of the ring, and leaves out what
 * tlbsim does not need: hits in level 1 where the thread has one, else accesses to recent pages. */
#include "ring_write.h"
#include "runtime.h"

/* ---- state ---- */

struct ring_head *head;
bool tracing;

/* The slot of a thread that has none yet, or no longer. Its limit of 0 sends each access that gets
 * into record_page() on to make_ready(); while nothing is traced, look_away() keeps them out. */
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
        s->recent[i] = (struct page_use){PAGE_NONE, 0};
    s->fresh = 1;
}

static inline uint8_t order_of(const struct page_use recent[RECENT_PAGES])
{
    return recent_order(&orders, recent[0].last, recent[1].last, recent[2].last, recent[3].last);
}

/* Writes accesses to the pages that were accessed since the last record, which no order tells. */
static __attribute__((noinline)) void tell_recent(struct ring_slot *s)
{
    const uint8_t *place = orders.place[order_of(s->recent)];
    for (int i = RECENT_PAGES - 1; i >= 0; i--)
        if (s->recent[place[i]].last > s->told)
            put_numbered(s, s->recent[place[i]].page << 7 | TRACE_READ, s->accesses, 0, 0);
}

/* Where a page is that is a recent one, or NULL. */
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
remember(struct ring_slot *s, uint64_t page, uint64_t number, unsigned *order)
{
    unsigned now = 0, oldest = 0;
    if (s->recents > 1) {
        if (__builtin_expect(s->fresh, 0))
            forget_recent(s); /* a site may still have noted an access there */
        now = order_of(s->recent);
        oldest = orders.place[now][RECENT_PAGES - 1];
        *order = 1 + (s->fresh ? RECENT_FRESH : now);
        s->fresh = 0;
    }
    s->recent[oldest] = (struct page_use){page, number};
    return &s->recent[oldest];
}

/* ---- accesses ---- */

void watch(struct ring_slot *s)
{
    const struct ring_head *shared = head;
    bool first = shared != NULL && shared->first_entries > 0;
    unsigned shift = first ? shared->first_shift : RING_PAGE_SHIFT;
    s->nowhere.page = PAGE_NONE;
    s->traced_mask = ~(((uint64_t)1 << shift) - 1);
    __atomic_store_n(&s->mask, s->traced_mask, __ATOMIC_SEQ_CST);
}

/* No address has a page under this mask, and each site looks nowhere, where it finds just that. */
void look_away(struct ring_slot *s)
{
    s->nowhere.page = 0;
    __atomic_store_n(&s->mask, 0, __ATOMIC_SEQ_CST);
}

/* While tracing is off accesses do not count. `counted`: this one, and those that are to come. */
static bool is_traced(struct ring_slot *s, unsigned counted)
{
    if (!__atomic_load_n(&tracing, __ATOMIC_SEQ_CST)) {
        if (!s->off) {
            s->off = 1;
            s->kept = s->accesses - counted;
        }
        look_away(s);
        if (__atomic_load_n(&tracing, __ATOMIC_SEQ_CST))
            watch(s); /* it has just been switched on */
        return false;
    }
    if (s->off) {
        s->off = 0;
        s->accesses = s->kept + counted;
    }
    return true;
}

/* The first access of a thread, the first of a chunk, or one while tracing is off: the slot that it
 * goes to, or NULL. */
static __attribute__((noinline)) struct ring_slot *make_ready(struct ring_slot *s, unsigned counted)
{
    if (head == NULL)
        look_away(s);
    if (head == NULL || inside)
        return NULL;
    inside = true;
    if (s == &no_slot && join_thread()) {
        s = tlb_trace_slot;
        s->accesses = counted;
    }
    bool ready = s != &no_slot && is_traced(s, counted) && renew_limit(s);
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

/* After a signal handler's access. */
static __attribute__((noinline)) void settle(struct ring_slot *s)
{
    s->busy = 1;
    s->disturbed = 0;
    if (s->recents > 0)
        tell_recent(s);
    forget_recent(s);
    s->busy = 0;
}

/* Whether a signal handler's access came between. */
static inline __attribute__((always_inline)) bool leave(struct ring_slot *s)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    s->busy = 0;
    if (LIKELY(!s->disturbed))
        return false;
    settle(s);
    return true;
}

static inline uint64_t distance_of(const struct ring_slot *s, const struct page_use *use)
{
    return (uint64_t)((const char *)use - (const char *)s);
}

/* Finds the page among those of which no record is needed, or puts it there and writes a record. */
static inline __attribute__((always_inline)) struct page_use *
find_page(struct ring_slot *s, uintptr_t address, unsigned op, uint64_t number, uintptr_t site)
{
    uint64_t page = address & s->traced_mask;
    unsigned order = 0;
    struct page_use *use;
    if (s->recents == 0) {
        struct first_entry *entry = first_find(&s->first, page);
        use = entry != NULL ? &entry->use : NULL;
    } else
        use = find_recent(s->recent, page);
    if (use != NULL) {
        use->last = number;
        return use;
    }
    if (s->recents == 0)
        use = &first_fill(&s->first, page, number)->use;
    else
        use = remember(s, page, number, &order);
    put_numbered(s, (uint64_t)address << 7 | op, number, site, order);
    s->told = number;
    return use;
}

__attribute__((noinline)) struct noted record_page(struct ring_slot *s, uintptr_t address,
                                                   unsigned what, uintptr_t site)
{
    unsigned to_come = what >> RING_TO_COME_SHIFT & RING_TO_COME_MOST, op = what & 255;
    unsigned place = what >> RING_SITE_SHIFT;
    struct noted noted = {s, 0};
    if (s->at >= s->limit && (noted.slot = s = make_ready(s, 1 + to_come)) == NULL) {
        tlb_trace_slot->site[place] = 0;
        return (struct noted){tlb_trace_slot, 0};
    }
    uint64_t number = s->accesses - to_come;
    if (enter(s)) {
        noted.distance = distance_of(s, find_page(s, address, op, number, site));
        s->site[place] = noted.distance;
        leave(s);
    } else
        put_numbered(s, (uint64_t)address << 7 | op, number, site, 0);
    return noted;
}

/* The end of an access that has its page in `use`. */
static inline __attribute__((always_inline)) struct noted note(struct ring_slot *s, unsigned what,
                                                               const struct page_use *use)
{
    struct noted noted = {s, distance_of(s, use)};
    s->site[what >> RING_SITE_SHIFT] = noted.distance;
    if (leave(s))
        noted.distance = 0;
    return noted;
}

static inline __attribute__((always_inline)) void put_miss(struct ring_slot *s, uintptr_t address,
                                                           unsigned what, uint64_t number,
                                                           uintptr_t site, unsigned order)
{
    put_unchecked(s, (uint64_t)address << 7 | (what & 255),
                  (uint64_t)site << 16 | order << RING_ORDER_SHIFT | (number & RING_NUMBER));
    s->told = number;
}

static __attribute__((noinline)) struct noted first_plainly(struct ring_slot *s, uintptr_t address,
                                                            unsigned what, uint64_t number,
                                                            uintptr_t site)
{
    uint64_t page = address & s->traced_mask;
    s->busy = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint16_t *bucket = first_bucket(&s->first, page), at = *bucket;
    struct first_entry *entry = NULL;
    if (at == FIRST_NONE && (entry = first_fill_plainly(&s->first, bucket, page, number)) != NULL)
        put_miss(s, address, what, number, site, 0);
    if (at != FIRST_NONE && s->first.entries[at].use.page == page) {
        entry = &s->first.entries[at];
        entry->use.last = number;
    }
    if (entry != NULL)
        return note(s, what, &entry->use);
    s->busy = 0;
    return record_page(s, address, what, site);
}

static __attribute__((noinline)) struct noted recent_plainly(struct ring_slot *s, uintptr_t address,
                                                             unsigned what, uint64_t number,
                                                             uintptr_t site)
{
    uint64_t page = address & s->traced_mask;
    unsigned order = 0;
    s->busy = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    struct page_use *use = find_recent(s->recent, page);
    if (use != NULL)
        use->last = number;
    else {
        use = remember(s, page, number, &order);
        put_miss(s, address, what, number, site, order);
    }
    return note(s, what, use);
}

/* As record_page(), but where nothing is rare, and without calls: fewer instructions. The
 * reorder buffer limits how many misses of the program overlap, so each instruction here costs.
 */
ENTRY(struct noted, tlb_trace_page, uintptr_t address, unsigned what)
{
    struct ring_slot *s = tlb_trace_slot;
    uintptr_t site = SITE;
    uint64_t number = s->accesses - (what >> RING_TO_COME_SHIFT & RING_TO_COME_MOST);
    __builtin_prefetch((const void *)address, 1);
    if (s->at >= s->limit || s->busy || number - s->told > RING_GAP)
        return record_page(s, address, what, site);
    if (s->recents == 0)
        return first_plainly(s, address, what, number, site);
    return recent_plainly(s, address, what, number, site);
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
    put(s, bytes << 7 | RING_BYTES, 0);
    put_numbered(s, address << 7 | (uint64_t)RING_SIZES << 4 | op, s->off ? s->kept : s->accesses,
                 site, 0);
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
