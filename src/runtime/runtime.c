/* runtime.c: what tlbcc links into a program: the entry points that gcc -fsanitize=thread calls at
 * each load and store, the functions of the C library that it intercepts, and the start of tlbsim,
 * which reads the records from shared memory (trace/ring.h). It uses nothing else of tlblab, and
 * only the C library.
 *
 * TLBLAB_TRACE: file, or |command; without it nothing is traced. TLBLAB_MACHINE, TLBLAB_RECORD
 * (accesses or misses), TLBLAB_PAGES: options of tlbsim. TLBLAB_FILTER=1: only the last page is
 * left out, not the last four. TLBLAB_START=off: tracing begins at tlb_trace_on(). See tlbcc(1). */
#define _GNU_SOURCE
#include "trace/record.h"
#include "trace/ring.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef TLBSIM_PATH
#define TLBSIM_PATH "tlbsim"
#endif

#define EXPORTED  __attribute__((visibility("default")))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define SITE      ((uintptr_t)__builtin_return_address(0))

/* ---- state ---- */

static struct ring_head *head; /* NULL: nothing is traced */
static int finished_pipe = -1; /* reads its end when tlbsim and a command behind it have ended */
static bool tracing;           /* between tlb_trace_on() and tlb_trace_off() */
static pthread_key_t thread_end;

/* The slot of a thread that has none yet, or no longer: its limit sends each access to another page
 * into slow_record(). */
static struct ring_slot no_slot = {
    .page = UINT64_MAX,
    .recent = {
        {.page = UINT64_MAX}, {.page = UINT64_MAX}, {.page = UINT64_MAX}, {.page = UINT64_MAX}}};
static __thread struct ring_slot *me = &no_slot;
static __thread bool inside; /* the runtime itself; its own calls are not traced */

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void complain(const char *text)
{
    char line[512];
    int length = snprintf(line, sizeof line, "tlbcc runtime: %s\n", text);
    if (write(STDERR_FILENO, line, (size_t)length) < 0)
        return;
}

/* ---- rooms in the ring ---- */

static void stop_tracing(const char *why)
{
    struct ring_head *was = head;
    head = NULL;
    if (was == NULL)
        return;
    for (int i = 0; i < RING_SLOTS; i++)
        __atomic_store_n(&was->slots[i].limit, 0, __ATOMIC_SEQ_CST);
    complain(why);
}

/* Waits until there is room for two chunks, one of which signal handlers may use; false where
 * tlbsim has ended. */
static bool wait_for_room(const struct ring_slot *s)
{
    uint64_t most = RING_RECORDS - 2 * RING_CHUNK;
    for (unsigned turn = 0; s->at - __atomic_load_n(&s->taken, __ATOMIC_ACQUIRE) > most; turn++) {
        struct timespec nap = {0, 50000};
        if (turn < 50)
            sched_yield();
        else
            nanosleep(&nap, NULL);
        if (turn % 200 == 199 && kill((pid_t)head->reader, 0) != 0 && errno == ESRCH)
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

static inline void put(struct ring_slot *s, uint64_t what, uint64_t from)
{
    struct ring_record *record = &s->records[take_place(s) % RING_RECORDS];
    record->from = from;
    __atomic_store_n(&record->what, what, __ATOMIC_RELEASE);
}

static void put_slowly(struct ring_slot *s, uint64_t what, uint64_t from)
{
    if (s->at < s->limit || renew_limit(s))
        put(s, what, from);
}

static uint64_t from_of(const struct ring_slot *s, uintptr_t site)
{
    return (uint64_t)site << 16 | (s->accesses & 0xffff);
}

/* A gap that the low bits do not tell. */
static void tell_gap(struct ring_slot *s)
{
    if (s->accesses - s->told > RING_GAP)
        put_slowly(s, (s->accesses - 1) << 7 | RING_SKIP, 0);
    s->told = s->accesses;
}

static void put_event(unsigned op, uint64_t address, uint64_t bytes, uintptr_t site);

/* ---- recent pages ---- */

static void forget_recent(struct ring_slot *s)
{
    for (int i = 0; i < RING_RECENT; i++)
        s->recent[i] = (struct ring_recent){.page = UINT64_MAX};
    s->page = UINT64_MAX;
}

/* Writes the accesses that were left out but have changed the order; they are the first ones. */
static __attribute__((noinline)) void tell_recent(struct ring_slot *s)
{
    for (int i = RING_RECENT - 1; i >= 0; i--) {
        struct ring_recent *r = &s->recent[i];
        if (r->number != 0 && __atomic_load_n(&tracing, __ATOMIC_RELAXED) && head != NULL) {
            if (r->number - s->told > RING_GAP)
                put_slowly(s, (r->number - 1) << 7 | RING_SKIP, 0);
            put_slowly(s, r->what, r->site << 16 | (r->number & 0xffff));
            s->told = r->number;
        }
        r->number = 0;
    }
}

/* Whether the page is a recent one but not the last; then it becomes the last. */
static inline __attribute__((always_inline)) bool is_recent(struct ring_slot *s, uint64_t page,
                                                            uint64_t what, uintptr_t site)
{
    for (int i = 1; i < RING_RECENT; i++)
        if (s->recent[i].page == page) {
            for (int k = i; k > 0; k--)
                s->recent[k] = s->recent[k - 1];
            s->recent[0] = (struct ring_recent){page, what, site, s->accesses};
            s->page = page;
            return true;
        }
    return false;
}

/* A page becomes the last one, and the oldest is forgotten. */
static inline void remember(struct ring_slot *s, uint64_t page)
{
    s->page = page;
    if (head != NULL && head->recent == 1)
        return;
    for (int k = RING_RECENT - 1; k > 0; k--)
        s->recent[k] = s->recent[k - 1];
    s->recent[0] = (struct ring_recent){.page = page};
}

/* A signal handler that comes while the order changes writes its access and leaves the order alone;
 * what was recent is forgotten then. */
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
    if (s->disturbed && s != &no_slot) {
        s->disturbed = 0;
        tell_recent(s);
        forget_recent(s);
    }
    s->busy = 0;
}

/* ---- threads ---- */

/* The calling thread's stack, for the attribution of its addresses. */
static void tell_stack(void)
{
    pthread_attr_t attributes;
    void *begin;
    size_t bytes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return;
    if (pthread_attr_getstack(&attributes, &begin, &bytes) == 0)
        put_event(TRACE_STACK, (uintptr_t)begin, bytes, 0);
    pthread_attr_destroy(&attributes);
}

static struct ring_slot *take_slot(void)
{
    for (int i = 0; i < RING_SLOTS; i++) {
        uint32_t free = RING_FREE;
        struct ring_slot *s = &head->slots[i];
        if (!__atomic_compare_exchange_n(&s->state, &free, RING_FREE + 16, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED))
            continue;
        forget_recent(s);
        s->busy = s->disturbed = 0;
        s->accesses = s->told = s->at = s->limit = s->granted = s->kept = s->off = s->taken = 0;
        s->records = (struct ring_record *)(void *)((char *)head + RING_HEAD_BYTES) +
                     (size_t)i * RING_RECORDS;
        s->process = (uint32_t)getpid();
        s->thread = (uint32_t)syscall(SYS_gettid);
        __atomic_store_n(&s->state, RING_TAKEN, __ATOMIC_RELEASE);
        return s;
    }
    return NULL;
}

static bool join_thread(void)
{
    struct ring_slot *s = take_slot();
    if (s == NULL) {
        stop_tracing("more than 256 threads at once: nothing more is traced");
        return false;
    }
    me = s;
    pthread_setspecific(thread_end, s);
    tell_stack();
    return true;
}

static void leave_thread(void *slot)
{
    struct ring_slot *s = slot;
    inside = true;
    tell_recent(s);
    inside = false;
    me = &no_slot;
    if (head != NULL)
        __atomic_store_n(&s->state, RING_CLOSED, __ATOMIC_RELEASE);
}

/* ---- accesses ---- */

/* While tracing is off accesses do not count. */
static bool slow_tracing(struct ring_slot *s)
{
    if (!__atomic_load_n(&tracing, __ATOMIC_SEQ_CST)) {
        if (!s->off) {
            s->off = 1;
            s->kept = s->accesses > 0 ? s->accesses - 1 : 0;
            forget_recent(s);
        }
        return false;
    }
    if (s->off) {
        s->off = 0;
        s->accesses = s->kept + 1;
        forget_recent(s);
    }
    return true;
}

/* The first access of a thread, the first of a chunk, or one while tracing is off. */
static __attribute__((noinline)) void slow_record(uintptr_t address, unsigned op, uintptr_t site)
{
    struct ring_slot *s = me;
    if (head == NULL || inside)
        return;
    inside = true;
    if (s == &no_slot && join_thread()) {
        s = me;
        s->accesses++;
    }
    if (s != &no_slot && slow_tracing(s) && renew_limit(s)) {
        tell_gap(s);
        remember(s, address >> RING_PAGE_SHIFT);
        put_slowly(s, (uint64_t)address << 7 | op, from_of(s, site));
    }
    inside = false;
}

/* An access to another page than the one before. */
static __attribute__((noinline)) void record_page(struct ring_slot *s, uintptr_t address,
                                                  unsigned op, uintptr_t site)
{
    uint64_t page = address >> RING_PAGE_SHIFT, what = (uint64_t)address << 7 | op;
    bool ours = enter(s);
    if (ours && is_recent(s, page, what, site)) {
        leave(s);
        return;
    }
    if (ours && s->recent[0].number != 0)
        tell_recent(s);
    if (s->at >= s->limit || s->accesses - s->told > RING_GAP)
        slow_record(address, op, site);
    else {
        s->told = s->accesses;
        if (ours)
            remember(s, page);
        put(s, what, from_of(s, site));
    }
    if (ours)
        leave(s);
}

/* `op` is size << 4 | operation. */
static inline __attribute__((always_inline)) void record_access(uintptr_t address, unsigned op,
                                                                uintptr_t site)
{
    struct ring_slot *s = me;
    s->accesses++;
    if (LIKELY(address >> RING_PAGE_SHIFT == s->page))
        return;
    record_page(s, address, op, site);
}

/* The largest power of two up to 64 that is no larger. */
static unsigned size_code(uint64_t bytes)
{
    unsigned code = 0;
    while (code + 1 < RING_SIZES && (uint64_t)2 << code <= bytes)
        code++;
    return code;
}

/* An access of any size: one record for each page that it touches. */
static void record_range(uintptr_t address, uint64_t bytes, unsigned op, uintptr_t site)
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

/* Two ranges that are read and written in step, page by page. */
static void record_copy(uintptr_t to, uintptr_t from, uint64_t bytes, uintptr_t site)
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

static void put_event(unsigned op, uint64_t address, uint64_t bytes, uintptr_t site)
{
    struct ring_slot *s = me;
    if (s == &no_slot || head == NULL)
        return;
    tell_gap(s);
    put_slowly(s, bytes << 7 | RING_BYTES, 0);
    put_slowly(s, address << 7 | (uint64_t)RING_SIZES << 4 | op, from_of(s, site));
}

/* An event of the calling thread, which may be its first. */
static void tell(unsigned op, uint64_t address, uint64_t bytes, uintptr_t site)
{
    if (head == NULL || inside)
        return;
    inside = true;
    if (me != &no_slot || join_thread())
        put_event(op, address, bytes, site);
    inside = false;
}

/* ---- the entry points of gcc -fsanitize=thread ---- */

#define ACCESS(name, bytes_code, op)                                                               \
    EXPORTED void name(void *address);                                                             \
    EXPORTED void name(void *address)                                                              \
    {                                                                                              \
        record_access((uintptr_t)address, (bytes_code) << 4 | (op), SITE);                         \
    }
/* An access that may touch two pages. */
#define UNALIGNED(name, bytes, op)                                                                 \
    EXPORTED void name(void *address);                                                             \
    EXPORTED void name(void *address)                                                              \
    {                                                                                              \
        record_range((uintptr_t)address, bytes, op, SITE);                                         \
    }
#define SIZES(prefix, op)                                                                          \
    ACCESS(__tsan_##prefix##1, 0, op)                                                              \
    ACCESS(__tsan_##prefix##2, 1, op)                                                              \
    ACCESS(__tsan_##prefix##4, 2, op)                                                              \
    ACCESS(__tsan_##prefix##8, 3, op)                                                              \
    ACCESS(__tsan_##prefix##16, 4, op)
SIZES(read, TRACE_READ)
SIZES(write, TRACE_WRITE)
SIZES(volatile_read, TRACE_READ)
SIZES(volatile_write, TRACE_WRITE)

#define UNALIGNED_SIZES(prefix, op)                                                                \
    UNALIGNED(__tsan_unaligned_##prefix##2, 2, op)                                                 \
    UNALIGNED(__tsan_unaligned_##prefix##4, 4, op)                                                 \
    UNALIGNED(__tsan_unaligned_##prefix##8, 8, op)                                                 \
    UNALIGNED(__tsan_unaligned_##prefix##16, 16, op)
UNALIGNED_SIZES(read, TRACE_READ)
UNALIGNED_SIZES(write, TRACE_WRITE)
UNALIGNED_SIZES(volatile_read, TRACE_READ)
UNALIGNED_SIZES(volatile_write, TRACE_WRITE)

#define ENTRY(type, name, ...)                                                                     \
    EXPORTED type name(__VA_ARGS__);                                                               \
    EXPORTED type name(__VA_ARGS__)

ENTRY(void, __tsan_read_range, void *address, unsigned long bytes)
{
    record_range((uintptr_t)address, bytes, TRACE_READ, SITE);
}

ENTRY(void, __tsan_write_range, void *address, unsigned long bytes)
{
    record_range((uintptr_t)address, bytes, TRACE_WRITE, SITE);
}

ENTRY(void, __tsan_vptr_update, void **address, void *value)
{
    (void)value;
    record_access((uintptr_t)address, 3 << 4 | TRACE_WRITE, SITE);
}

ENTRY(void, __tsan_vptr_read, void **address)
{
    record_access((uintptr_t)address, 3 << 4 | TRACE_READ, SITE);
}

ENTRY(void, __tsan_func_entry, void *from)
{
    (void)from;
}

ENTRY(void, __tsan_func_exit, void)
{
}

/* Each file that gcc instruments calls it first of all. */
ENTRY(void, __tsan_init, void)
{
}

/* Clang's pair of a read and a write of one place. */
#define READ_WRITE(bytes, code)                                                                    \
    ENTRY(void, __tsan_read_write##bytes, void *address)                                           \
    {                                                                                              \
        record_access((uintptr_t)address, (code) << 4 | TRACE_READ, SITE);                         \
        record_access((uintptr_t)address, (code) << 4 | TRACE_WRITE, SITE);                        \
    }
READ_WRITE(1, 0)
READ_WRITE(2, 1)
READ_WRITE(4, 2)
READ_WRITE(8, 3)
READ_WRITE(16, 4)

/* ---- atomics, which gcc leaves to the runtime ---- */

#define ATOMIC_CHANGE(bits, type, code, what, builtin)                                             \
    ENTRY(type, __tsan_atomic##bits##_##what, volatile type *address, type value, int order)       \
    {                                                                                              \
        (void)order;                                                                               \
        record_access((uintptr_t)address, (code) << 4 | TRACE_READ, SITE);                         \
        record_access((uintptr_t)address, (code) << 4 | TRACE_WRITE, SITE);                        \
        return builtin(address, value, __ATOMIC_SEQ_CST);                                          \
    }
#define ATOMIC_COMPARE(bits, type, code, what, weak)                                               \
    ENTRY(int, __tsan_atomic##bits##_compare_exchange_##what, volatile type *address,              \
          type *expected, type value, int order, int failure_order)                                \
    {                                                                                              \
        (void)order;                                                                               \
        (void)failure_order;                                                                       \
        record_access((uintptr_t)address, (code) << 4 | TRACE_READ, SITE);                         \
        record_access((uintptr_t)address, (code) << 4 | TRACE_WRITE, SITE);                        \
        return __atomic_compare_exchange_n(address, expected, value, weak, __ATOMIC_SEQ_CST,       \
                                           __ATOMIC_SEQ_CST);                                      \
    }
#define ATOMIC(bits, type, code)                                                                   \
    ENTRY(type, __tsan_atomic##bits##_load, const volatile type *address, int order)               \
    {                                                                                              \
        (void)order;                                                                               \
        record_access((uintptr_t)address, (code) << 4 | TRACE_READ, SITE);                         \
        return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                         \
    }                                                                                              \
    ENTRY(void, __tsan_atomic##bits##_store, volatile type *address, type value, int order)        \
    {                                                                                              \
        (void)order;                                                                               \
        record_access((uintptr_t)address, (code) << 4 | TRACE_WRITE, SITE);                        \
        __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                        \
    }                                                                                              \
    ATOMIC_CHANGE(bits, type, code, exchange, __atomic_exchange_n)                                 \
    ATOMIC_CHANGE(bits, type, code, fetch_add, __atomic_fetch_add)                                 \
    ATOMIC_CHANGE(bits, type, code, fetch_sub, __atomic_fetch_sub)                                 \
    ATOMIC_CHANGE(bits, type, code, fetch_and, __atomic_fetch_and)                                 \
    ATOMIC_CHANGE(bits, type, code, fetch_or, __atomic_fetch_or)                                   \
    ATOMIC_CHANGE(bits, type, code, fetch_xor, __atomic_fetch_xor)                                 \
    ATOMIC_CHANGE(bits, type, code, fetch_nand, __atomic_fetch_nand)                               \
    ATOMIC_COMPARE(bits, type, code, strong, false)                                                \
    ATOMIC_COMPARE(bits, type, code, weak, true)                                                   \
    ENTRY(type, __tsan_atomic##bits##_compare_exchange_val, volatile type *address, type expected, \
          type value, int order, int failure_order)                                                \
    {                                                                                              \
        __tsan_atomic##bits##_compare_exchange_strong(address, &expected, value, order,            \
                                                      failure_order);                              \
        return expected;                                                                           \
    }
ATOMIC(8, uint8_t, 0)
ATOMIC(16, uint16_t, 1)
ATOMIC(32, uint32_t, 2)
ATOMIC(64, uint64_t, 3)

ENTRY(void, __tsan_atomic_thread_fence, int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

ENTRY(void, __tsan_atomic_signal_fence, int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* ---- for the program ---- */

ENTRY(void, tlb_trace_on, void)
{
    __atomic_store_n(&tracing, true, __ATOMIC_SEQ_CST);
    if (me != &no_slot && me->off) {
        forget_recent(me);
        me->off = 0;
        me->accesses = me->kept;
    }
}

/* Sends every thread into slow_record() at its next page. */
ENTRY(void, tlb_trace_off, void)
{
    if (me != &no_slot && !me->off && !inside) {
        inside = true;
        tell_recent(me);
        inside = false;
    }
    __atomic_store_n(&tracing, false, __ATOMIC_SEQ_CST);
    for (int i = 0; head != NULL && i < RING_SLOTS; i++)
        if (head->slots[i].process == (uint32_t)getpid())
            __atomic_store_n(&head->slots[i].limit, 0, __ATOMIC_SEQ_CST);
    if (me != &no_slot && !me->off) {
        me->off = 1;
        me->kept = me->accesses;
        forget_recent(me);
    }
}

ENTRY(void, tlb_trace_phase, unsigned phase)
{
    tell(TRACE_PHASE, phase, 0, SITE);
}

/* ---- functions of the C library (ld --wrap) ---- */

#define WRAP(type, name, ...)                                                                      \
    type __real_##name(__VA_ARGS__);                                                               \
    ENTRY(type, __wrap_##name, __VA_ARGS__)

WRAP(void *, memcpy, void *to, const void *from, size_t bytes)
{
    record_copy((uintptr_t)to, (uintptr_t)from, bytes, SITE);
    return __real_memcpy(to, from, bytes);
}

WRAP(void *, memmove, void *to, const void *from, size_t bytes)
{
    record_copy((uintptr_t)to, (uintptr_t)from, bytes, SITE);
    return __real_memmove(to, from, bytes);
}

WRAP(void *, memset, void *to, int value, size_t bytes)
{
    record_range((uintptr_t)to, bytes, TRACE_WRITE, SITE);
    return __real_memset(to, value, bytes);
}

/* The same with _FORTIFY_SOURCE; `room` is checked by the C library. */
WRAP(void *, __memcpy_chk, void *to, const void *from, size_t bytes, size_t room)
{
    record_copy((uintptr_t)to, (uintptr_t)from, bytes, SITE);
    return __real___memcpy_chk(to, from, bytes, room);
}

WRAP(void *, __memmove_chk, void *to, const void *from, size_t bytes, size_t room)
{
    record_copy((uintptr_t)to, (uintptr_t)from, bytes, SITE);
    return __real___memmove_chk(to, from, bytes, room);
}

WRAP(void *, __memset_chk, void *to, int value, size_t bytes, size_t room)
{
    record_range((uintptr_t)to, bytes, TRACE_WRITE, SITE);
    return __real___memset_chk(to, value, bytes, room);
}

/* Two texts are read in step up to where they differ; so are two blocks. */
WRAP(int, memcmp, const void *a, const void *b, size_t bytes)
{
    const char *x = a, *y = b;
    size_t read = 0;
    while (read < bytes && x[read] == y[read])
        read++;
    read += read < bytes;
    record_range((uintptr_t)a, read, TRACE_READ, SITE);
    record_range((uintptr_t)b, read, TRACE_READ, SITE);
    return __real_memcmp(a, b, bytes);
}

WRAP(void *, memchr, const void *at, int value, size_t bytes)
{
    char *found = __real_memchr(at, value, bytes);
    record_range((uintptr_t)at, found != NULL ? (size_t)(found - (const char *)at) + 1 : bytes,
                 TRACE_READ, SITE);
    return found;
}

WRAP(size_t, strlen, const char *text)
{
    size_t length = __real_strlen(text);
    record_range((uintptr_t)text, length + 1, TRACE_READ, SITE);
    return length;
}

static void record_compare(const char *a, const char *b, size_t most, uintptr_t site)
{
    size_t read = 0;
    while (read < most && a[read] == b[read] && a[read] != '\0')
        read++;
    read += read < most;
    record_range((uintptr_t)a, read, TRACE_READ, site);
    record_range((uintptr_t)b, read, TRACE_READ, site);
}

WRAP(int, strcmp, const char *a, const char *b)
{
    record_compare(a, b, SIZE_MAX, SITE);
    return __real_strcmp(a, b);
}

WRAP(int, strncmp, const char *a, const char *b, size_t most)
{
    record_compare(a, b, most, SITE);
    return __real_strncmp(a, b, most);
}

WRAP(char *, strcpy, char *to, const char *from)
{
    record_copy((uintptr_t)to, (uintptr_t)from, strnlen(from, SIZE_MAX) + 1, SITE);
    return __real_strcpy(to, from);
}

WRAP(char *, strncpy, char *to, const char *from, size_t most)
{
    size_t length = strnlen(from, most);
    record_copy((uintptr_t)to, (uintptr_t)from, length + (length < most), SITE);
    record_range((uintptr_t)to + length, most - length, TRACE_WRITE, SITE);
    return __real_strncpy(to, from, most);
}

WRAP(char *, strcat, char *to, const char *from)
{
    size_t length = strnlen(to, SIZE_MAX);
    record_range((uintptr_t)to, length + 1, TRACE_READ, SITE);
    record_copy((uintptr_t)to + length, (uintptr_t)from, strnlen(from, SIZE_MAX) + 1, SITE);
    return __real_strcat(to, from);
}

WRAP(char *, strchr, const char *text, int value)
{
    char *found = __real_strchr(text, value);
    size_t read = found != NULL ? (size_t)(found - text) : strnlen(text, SIZE_MAX);
    record_range((uintptr_t)text, read + 1, TRACE_READ, SITE);
    return found;
}

WRAP(char *, strrchr, const char *text, int value)
{
    record_range((uintptr_t)text, strnlen(text, SIZE_MAX) + 1, TRACE_READ, SITE);
    return __real_strrchr(text, value);
}

/* ---- memory that the program takes ---- */

WRAP(void *, malloc, size_t bytes)
{
    void *block = __real_malloc(bytes);
    if (block != NULL)
        tell(TRACE_ALLOC, (uintptr_t)block, bytes, SITE);
    return block;
}

WRAP(void *, calloc, size_t count, size_t bytes)
{
    void *block = __real_calloc(count, bytes);
    if (block != NULL)
        tell(TRACE_ALLOC, (uintptr_t)block, count * bytes, SITE);
    return block;
}

WRAP(void, free, void *block)
{
    if (block != NULL)
        tell(TRACE_FREE, (uintptr_t)block, 0, SITE);
    __real_free(block);
}

WRAP(void *, realloc, void *old, size_t bytes)
{
    if (old != NULL)
        tell(TRACE_FREE, (uintptr_t)old, 0, SITE);
    void *block = __real_realloc(old, bytes);
    if (block != NULL)
        tell(TRACE_ALLOC, (uintptr_t)block, bytes, SITE);
    return block;
}

WRAP(void *, aligned_alloc, size_t align, size_t bytes)
{
    void *block = __real_aligned_alloc(align, bytes);
    if (block != NULL)
        tell(TRACE_ALLOC, (uintptr_t)block, bytes, SITE);
    return block;
}

WRAP(int, posix_memalign, void **block, size_t align, size_t bytes)
{
    int failed = __real_posix_memalign(block, align, bytes);
    if (failed == 0)
        tell(TRACE_ALLOC, (uintptr_t)*block, bytes, SITE);
    return failed;
}

WRAP(void *, mmap, void *wanted, size_t bytes, int protection, int flags, int file, off_t offset)
{
    void *block = __real_mmap(wanted, bytes, protection, flags, file, offset);
    if (block != MAP_FAILED) {
        if (flags & MAP_ANONYMOUS)
            tell(TRACE_ALLOC, (uintptr_t)block, bytes, SITE);
        else
            tell(RING_MAPS, 0, 0, SITE);
    }
    return block;
}

WRAP(int, munmap, void *block, size_t bytes)
{
    tell(TRACE_FREE, (uintptr_t)block, bytes, SITE);
    return __real_munmap(block, bytes);
}

WRAP(void *, dlopen, const char *file, int flags)
{
    void *library = __real_dlopen(file, flags);
    tell(RING_MAPS, 0, 0, SITE);
    return library;
}

/* The names of C++: new and delete of things and of arrays, of 64-bit sizes. */
#define WRAP_NEW(name)                                                                             \
    WRAP(void *, name, size_t bytes)                                                               \
    {                                                                                              \
        void *block = __real_##name(bytes);                                                        \
        tell(TRACE_ALLOC, (uintptr_t)block, bytes, SITE);                                          \
        return block;                                                                              \
    }
#define WRAP_DELETE(name)                                                                          \
    WRAP(void, name, void *block)                                                                  \
    {                                                                                              \
        if (block != NULL)                                                                         \
            tell(TRACE_FREE, (uintptr_t)block, 0, SITE);                                           \
        __real_##name(block);                                                                      \
    }
#define WRAP_DELETE_SIZED(name)                                                                    \
    WRAP(void, name, void *block, size_t bytes)                                                    \
    {                                                                                              \
        if (block != NULL)                                                                         \
            tell(TRACE_FREE, (uintptr_t)block, 0, SITE);                                           \
        __real_##name(block, bytes);                                                               \
    }
#pragma weak __real__Znwm
#pragma weak __real__Znam
#pragma weak __real__ZdlPv
#pragma weak __real__ZdaPv
#pragma weak __real__ZdlPvm
#pragma weak __real__ZdaPvm
WRAP_NEW(_Znwm)
WRAP_NEW(_Znam)
WRAP_DELETE(_ZdlPv)
WRAP_DELETE(_ZdaPv)
WRAP_DELETE_SIZED(_ZdlPvm)
WRAP_DELETE_SIZED(_ZdaPvm)

/* ---- start and end ---- */

/* Appends a word in quotes of the shell. */
static bool quote(char *line, size_t room, const char *word)
{
    size_t used = strnlen(line, room);
    const char *at = word;
    for (int part = 0; part < 2; part++) {
        if (used + 8 > room)
            return false;
        line[used++] = part == 0 ? ' ' : '\'';
        if (part == 0)
            line[used++] = '\'';
        for (; part == 0 && *at != '\0'; at++) {
            if (used + 8 > room)
                return false;
            if (*at == '\'') {
                line[used++] = '\'';
                line[used++] = '\\';
                line[used++] = '\'';
            }
            line[used++] = *at;
        }
    }
    line[used] = '\0';
    return true;
}

/* Whether only misses are recorded. */
static bool wants_misses(void)
{
    const char *record = getenv("TLBLAB_RECORD"), *machine = getenv("TLBLAB_MACHINE");
    bool misses = record != NULL && strcmp(record, "misses") == 0;
    if (record != NULL && *record != '\0' && !misses && strcmp(record, "accesses") != 0)
        complain("TLBLAB_RECORD is accesses or misses: accesses are recorded");
    if (misses && machine == NULL)
        complain("TLBLAB_RECORD=misses needs TLBLAB_MACHINE: accesses are recorded");
    return misses && machine != NULL;
}

/* The command line of tlbsim, for a shell. */
static bool tlbsim_command(char *line, size_t room, const char *trace)
{
    const char *tlbsim = getenv("TLBLAB_TLBSIM");
    const char *machine = getenv("TLBLAB_MACHINE"), *pages = getenv("TLBLAB_PAGES");
    bool misses = wants_misses(), fits;
    snprintf(line, room, "exec");
    if (*trace == '|')
        line[0] = '\0';
    fits = quote(line, room, tlbsim != NULL ? tlbsim : TLBSIM_PATH) &&
           quote(line, room, "--ring") && quote(line, room, "3");
    if (misses)
        fits = fits && quote(line, room, "--machine") && quote(line, room, machine);
    if (misses && pages != NULL)
        fits = fits && quote(line, room, "--page-size") && quote(line, room, pages);
    size_t used = strnlen(line, room);
    if (*trace == '|')
        fits = fits &&
               snprintf(line + used, room - used, " | (%s)", trace + 1) < (int)(room - used);
    return fits;
}

/* A file that another traced program writes (this one's caller) is left to it. */
static int open_trace(const char *name)
{
    char own[4096];
    int file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0) {
        close(file);
        snprintf(own, sizeof own, "%s.%ld", name, (long)getpid());
        file = open(own, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (file >= 0)
            flock(file, LOCK_EX);
    }
    if (file >= 0 && ftruncate(file, 0) != 0 && errno != EINVAL) {
        close(file);
        return -1;
    }
    return file;
}

/* In the child of a child: becomes tlbsim, which reads the ring from descriptor 3. Other
 * descriptors are closed, so that nobody waits for their end, but for stderr and the pipe that
 * tells the end. */
_Noreturn static void become_tlbsim(const char *trace, int ring, int end_pipe)
{
    char line[8192];
    sigset_t none;
    int file = *trace == '|' ? dup(STDOUT_FILENO) : open_trace(trace);
    if (file < 0 || !tlbsim_command(line, sizeof line, trace)) {
        complain("TLBLAB_TRACE: the file cannot be written");
        __atomic_store_n(&head->readiness, RING_FAILED, __ATOMIC_RELEASE);
        _exit(2);
    }
    int high_ring = fcntl(ring, F_DUPFD, 10), high_file = fcntl(file, F_DUPFD, 10);
    int high_end = fcntl(end_pipe, F_DUPFD, 10), null = open("/dev/null", O_RDWR);
    dup2(null, STDIN_FILENO);
    dup2(high_file, STDOUT_FILENO);
    dup2(high_ring, 3);
    dup2(high_end, 4);
    syscall(SYS_close_range, 5, ~0U, 0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGINT, SIG_IGN); /* the program ends; then so does its trace */
    signal(SIGTERM, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    unsetenv("TLBLAB_TRACE");
    unsetenv("LD_PRELOAD");
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(2);
}

/* Starts tlbsim as nobody's child, so that the program's own wait() never meets it. */
static bool start_tlbsim(const char *trace, int ring)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0)
            become_tlbsim(trace, ring, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    finished_pipe = ends[0];
    if (child < 0 || waitpid(child, NULL, 0) != child)
        return false;
    struct pollfd end = {.fd = finished_pipe};
    while (__atomic_load_n(&head->readiness, __ATOMIC_ACQUIRE) == RING_STARTING)
        if (poll(&end, 1, 1) > 0)
            break;
    return __atomic_load_n(&head->readiness, __ATOMIC_ACQUIRE) == RING_READY;
}

/* The forked child has a thread, and TLBs, of its own. */
static void after_fork(void)
{
    me = &no_slot;
    if (finished_pipe >= 0)
        close(finished_pipe);
    finished_pipe = -1;
}

static void note_command(void)
{
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, head->command, sizeof head->command - 1) : 0;
    for (ssize_t i = 0; i + 1 < got; i++)
        if (head->command[i] == '\0')
            head->command[i] = ' ';
    if (file >= 0)
        close(file);
}

/* Before everything else in the program, its own constructors included. */
__attribute__((constructor(101))) static void begin_tracing(void)
{
    const char *trace = getenv("TLBLAB_TRACE"), *start = getenv("TLBLAB_START");
    const char *filter = getenv("TLBLAB_FILTER");
    if (trace == NULL || *trace == '\0')
        return;
    inside = true;
    int ring = memfd_create("tlblab", MFD_CLOEXEC);
    void *memory = MAP_FAILED;
    if (ring >= 0 && ftruncate(ring, (off_t)RING_BYTES_ALL) == 0)
        memory = __real_mmap(NULL, RING_BYTES_ALL, PROT_READ | PROT_WRITE, MAP_SHARED, ring, 0);
    if (memory != MAP_FAILED) {
        head = memory;
        head->version = RING_VERSION;
        head->process = (uint32_t)getpid();
        head->recent = filter != NULL && strcmp(filter, "1") == 0 ? 1 : RING_RECENT;
        note_command();
        if (pthread_key_create(&thread_end, leave_thread) != 0 || !start_tlbsim(trace, ring)) {
            head = NULL;
            complain("tlbsim could not be started: nothing is traced");
        }
        pthread_atfork(NULL, NULL, after_fork);
    } else
        complain("there is no memory for the trace");
    if (ring >= 0)
        close(ring);
    tracing = start == NULL || strcmp(start, "off") != 0;
    inside = false;
}

/* Whether a forked process still writes. */
static bool others_trace(void)
{
    for (int i = 0; i < RING_SLOTS; i++)
        if (__atomic_load_n(&head->slots[i].state, __ATOMIC_ACQUIRE) == RING_TAKEN &&
            head->slots[i].process != head->process && kill((pid_t)head->slots[i].process, 0) == 0)
            return true;
    return false;
}

/* After everything else: waits until the trace is whole. */
__attribute__((destructor(101))) static void end_tracing(void)
{
    if (head == NULL || (uint32_t)getpid() != head->process || finished_pipe < 0)
        return;
    inside = true;
    if (me != &no_slot)
        tell_recent(me);
    __atomic_store_n(&head->exiting, 1, __ATOMIC_RELEASE);
    struct pollfd end = {.fd = finished_pipe};
    while (poll(&end, 1, 20) == 0)
        if (others_trace() || (kill((pid_t)head->reader, 0) != 0 && errno == ESRCH))
            break;
}
