/* runtime.h: what the files of the runtime share. tlbcc links them into programs as one object, in
 * which these names are local; they use nothing else of tlblab, and only the C library.
 *
 * The program calls entry.c, libc.c and control.c; records.c decides which of their accesses tlbsim
 * needs, and ring_write.c finds room for them in the ring (trace/format/ring.h). threads.c gives
 * each thread a slot of the ring. callers.c finds the calls that led to an allocation, and stacks.c
 * records them. start.c starts tlbsim, which reads the ring.
 *
 * levels.c has level 1 of a thread's TLBs.
 *
 * tlbrun's plugin has plugin.c in place of entry.c, libc.c and callers.c, calls control.c itself,
 * exec.c, which keeps the trace going when the program executes another, and static_guest.c, which
 * finds the blocks of a static program. Three libraries are preloaded and do without this file:
 * guest.c, for the plugin, and huge.c and objects.c, for tlbcost.
 *
 * An access leaves no record where its site finds the page that it found last: in the assembly that
 * inline_check.h writes, or in record_access(). Elsewhere it begins a visit, of which level 1
 * learns later (end_visits()); or, in a thread without level 1, it looks among the recent pages
 * (find_page()).
 */
#ifndef TLBLAB_RUNTIME_RUNTIME_H
#define TLBLAB_RUNTIME_RUNTIME_H

#include "trace/format/record.h"
#include "trace/format/ring.h"
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define SITE      ((uintptr_t)__builtin_return_address(0))
#define FRAME     __builtin_frame_address(0)

/* A function that the program calls. */
#define ENTRY(type, name, ...)                                                                     \
    __attribute__((visibility("default"))) type name(__VA_ARGS__);                                 \
    __attribute__((visibility("default"))) type name(__VA_ARGS__)

/* The calling thread's; code that tlbcc compiles uses it. */
extern __attribute__((visibility("default"))) __thread struct ring_slot *tlb_trace_slot;

#pragma GCC visibility push(hidden)

/* ---- ring_write.c ---- */

void complain(const char *text);

/* Complains; the trace of this process lacks something, which its status will show. */
void lose_trace(const char *why);
bool has_lost_trace(void);

/* The same, and nothing more is traced; NULL: because the trace is as long as it should be. */
void stop_tracing(const char *why);

/* ---- records.c ---- */

extern struct ring_head *head; /* NULL: nothing is traced */

/* `head` may become NULL at any time, by another thread; what it pointed to stays. */
static inline struct ring_head *head_now(void)
{
    return __atomic_load_n(&head, __ATOMIC_ACQUIRE);
}

extern bool tracing;    /* between tlb_trace_on() and tlb_trace_off() */
extern bool has_traced; /* it has been on */
extern struct ring_slot no_slot;
extern __thread bool inside; /* the runtime itself; its own calls are not traced */

/* Call once, before the first access. */
void prepare_orders(void);

/* The thread has no recent pages any more. */
void forget_recent(struct ring_slot *s);

/* The visits of a thread so far become records; false where a signal handler asks for it that has
 * interrupted the runtime. */
bool end_visits(struct ring_slot *s);

/* Switch tracing on for a thread, and off. */
void watch(struct ring_slot *s);
void look_away(struct ring_slot *s);

/* The next access that is not noted at once goes to make_ready(). */
static inline void shut(struct ring_slot *s)
{
    __atomic_store_n(&s->limit, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&s->now.ready, 0, __ATOMIC_SEQ_CST);
}

/* The note of an access's page: its distance from the slot (ring.h). */
struct noted {
    uint64_t distance;
    struct ring_slot *slot;
};

/* An access that has been counted, to another page than the one that the site found last. `what` is
 * as ring.h has it. */
struct noted record_page(struct ring_slot *s, uintptr_t address, unsigned what, uintptr_t site);

/* An access of any size: one record for each page that it touches. */
void record_range(uintptr_t address, uint64_t bytes, unsigned op, uintptr_t site);

/* Two ranges that are read and written in step, page by page. */
void record_copy(uintptr_t to, uintptr_t from, uint64_t bytes, uintptr_t site);

/* A fetch of instructions, of a thread that has a slot: from another page than the one before. */
void record_code_page(uintptr_t address, uintptr_t site);

/* An event of the calling thread, which has a slot; for record_event() it may be the thread's
 * first. */
void put_event(unsigned op, uint64_t address, uint64_t bytes, uintptr_t site);
void record_event(unsigned op, uint64_t address, uint64_t bytes, uintptr_t site);

/* The mappings of the process have changed. May wait until they are read: before they change
 * again, or the process ends. */
void record_maps(bool wait, uintptr_t site);

/* ---- levels.c ---- */

/* Level 1 of the TLBs of a thread, empty; none where tlbsim does not ask for it. False: there is no
 * memory. */
bool open_levels(struct ring_slot *s);
void close_levels(const struct ring_slot *s);

/* An access that has been counted, or a fetch, of which level 1 learns at once. Returns the
 * distance of its entry from the slot; 0: there is no such level. */
uint64_t look_up(struct ring_slot *s, uintptr_t address, bool executes, bool *missed);

/* ---- callers.c, or plugin.c, which has no record_taken() ---- */

/* Whether fetches of instructions are recorded. */
extern const bool has_fetches;

/* The calling thread's stack; false where it is not known. */
bool find_stack(uintptr_t *begin, size_t *bytes);

/* A block that the calling thread has taken. `frame` is that of the function that the program has
 * called, FRAME there. */
void record_taken(const void *block, uint64_t bytes, uintptr_t site, const void *frame);

/* ---- stacks.c ---- */

/* The same, where the return addresses are known already, the innermost first; the caller has set
 * `inside`. */
void record_block(const void *block, uint64_t bytes, const uintptr_t sites[], size_t count);

/* After a fork a thread begins anew. */
void forget_stack(void);

/* ---- control.c ---- */

/* Functions that the program may call, or that it calls by guest.c. */
__attribute__((visibility("default"))) void tlb_trace_on(void);
__attribute__((visibility("default"))) void tlb_trace_off(void);
__attribute__((visibility("default"))) void tlb_trace_phase(unsigned phase);
__attribute__((visibility("default"))) void tlb_trace_object(const void *block, size_t bytes,
                                                             const char *name);

/* ---- threads.c ---- */

/* False where threads cannot be followed. */
bool prepare_threads(void);

/* Gives the calling thread a slot; false where none is left, and tracing has stopped. */
bool join_thread(void);

/* The calling thread records no more until its next access; its trace so far is read, and the
 * mappings of the process. */
void leave_trace(void);

/* This process was traced when it executed the program. */
void begin_executed(struct ring_head *shared);

/* ---- start.c ---- */

/* The place where a program finds the trace of the one that has executed it: tlbsim has the ring
 * and the pipe at these descriptors; the variable is its process. */
enum { TLBSIM_RING = 3, TLBSIM_PIPE = 4 };
#define TLBSIM_VARIABLE "TLBLAB_TLBSIM_PROCESS"

/* Reads its end when tlbsim and a command behind it have ended, and something before that where the
 * command has failed. */
extern int finished_pipe;

/* The status of a program whose trace is not whole. */
enum { STATUS_LOST = 2 };

/* In the process that began: waits until the trace is written, and a command has read it. False
 * where the trace is not whole; a complaint said so. */
bool finish_trace(void);

/* The same for any process that ends in order. One whose trace is not whole ends here, with
 * STATUS_LOST. */
void end_tracing(void);

#pragma GCC visibility pop

/* By one instruction: a signal comes before or after it. */
static inline __attribute__((always_inline)) void count_accesses(struct ring_slot *s, uint64_t more)
{
#ifdef __x86_64__
    __asm__ volatile("addq %1, %0" : "+m"(s->accesses) : "er"(more) : "cc");
#else
    s->accesses += more;
#endif
}

/* Counts an access; true where it is to the page that the site found last, and noted there. */
static inline __attribute__((always_inline)) bool record_repeated(uintptr_t address, uintptr_t site)
{
    struct ring_slot *s = tlb_trace_slot;
    uint64_t distance = s->site[(unsigned)(site >> 2) % RING_SITES];
    struct page_use *use = (struct page_use *)(void *)((char *)s + distance);
    count_accesses(s, 1);
    if (!LIKELY((address & s->mask) == use->page))
        return false;
    use->last = s->accesses;
    return true;
}

/* Another one, which has been counted. `op` is size << 4 | operation. */
static inline void record_other(uintptr_t address, unsigned op, uintptr_t site)
{
    struct noted noted = record_page(tlb_trace_slot, address, ring_low(op), site);
    noted.slot->site[(unsigned)(site >> 2) % RING_SITES] = noted.distance;
    ((struct page_use *)(void *)((char *)noted.slot + noted.distance))->last = noted.slot->accesses;
}

static inline __attribute__((always_inline)) void record_access(uintptr_t address, unsigned op,
                                                                uintptr_t site)
{
    if (!LIKELY(record_repeated(address, site)))
        record_other(address, op, site);
}

static inline void record_fetch(uintptr_t address, uintptr_t site)
{
    if (!LIKELY(address >> RING_PAGE_SHIFT == tlb_trace_slot->code_page))
        record_code_page(address, site);
}

#endif
