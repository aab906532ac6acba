/* threads.c: gives each thread a slot of the ring, and closes it when the thread ends; the child of
 * a fork begins with none. */
#define _GNU_SOURCE
#include "runtime.h"
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_key_t thread_end;
static bool executed; /* this process was traced before, with another program */

/* In a forked process: by which one, and where in the ring its parent was. */
static uint32_t forked_by;
static const struct ring_slot *parent;
static uint64_t parent_at;

/* The calling thread's stack, for the attribution of its addresses. */
static void record_stack(void)
{
    uintptr_t begin;
    size_t bytes;
    if (find_stack(&begin, &bytes))
        put_event(TRACE_STACK, begin, bytes, 0);
}

static struct ring_slot *take_slot(struct ring_head *shared)
{
    for (int i = 0; i < RING_SLOTS; i++) {
        uint32_t free = RING_FREE;
        struct ring_slot *s = &shared->slots[i];
        if (!__atomic_compare_exchange_n(&s->state, &free, RING_JOINING, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED))
            continue;
        forget_recent(s);
        s->recent_count = shared->level1[0].entries > 0 ? 0 : (uint8_t)shared->recent;
        memset(s->site, 0, sizeof s->site);
        memset(s->code_site, 0, sizeof s->code_site);
        watch(s);
        s->now.busy = s->now.disturbed = 0;
        s->accesses = s->recorded = s->kept = s->code_page = s->fetched = 0;
        s->visited = VISITS_BEGIN;
        s->off = 0;
        shut(s);
        for (int k = 0; k < VISITS; k++)
            s->visits[k] = (struct visit){.use.page = PAGE_NONE};
        s->granted = s->at; /* places go on: their laps say what is written */
        s->records = (struct ring_record *)(void *)((char *)shared + RING_HEAD_BYTES) +
                     (size_t)i * RING_RECORDS;
        s->process = (uint32_t)getpid();
        s->thread = (uint32_t)syscall(SYS_gettid);
        __atomic_store_n(&s->state, RING_TAKEN, __ATOMIC_RELEASE);
        return s;
    }
    return NULL;
}

/* Whether tlbsim has something to read in a closed slot of this process. */
static bool is_unread(const struct ring_head *shared)
{
    for (int i = 0; i < RING_SLOTS; i++)
        if (__atomic_load_n(&shared->slots[i].state, __ATOMIC_ACQUIRE) == RING_CLOSED &&
            shared->slots[i].process == (uint32_t)getpid())
            return true;
    return false;
}

static void wait_until_read(const struct ring_head *shared)
{
    struct timespec nap = {0, 100000};
    while (is_unread(shared) && kill((pid_t)shared->reader, 0) == 0)
        nanosleep(&nap, NULL);
}

/* The parent's records up to the fork are read first: the process begins with the blocks that it
 * had. */
static void record_fork(const struct ring_head *shared)
{
    struct timespec nap = {0, 50000};
    while (parent != &no_slot && parent->process == forked_by &&
           __atomic_load_n(&parent->state, __ATOMIC_ACQUIRE) == RING_TAKEN &&
           __atomic_load_n(&parent->taken, __ATOMIC_ACQUIRE) < parent_at &&
           kill((pid_t)shared->reader, 0) == 0)
        nanosleep(&nap, NULL);
    put_event(TRACE_FORK, forked_by, 0, 0);
    forked_by = 0;
}

bool join_thread(void)
{
    struct ring_head *shared = head_now();
    struct ring_slot *s = shared != NULL ? take_slot(shared) : NULL;
    if (shared != NULL && s == NULL) {
        wait_until_read(shared); /* what threads that have ended left */
        s = take_slot(shared);
    }
    if (s == NULL) {
        stop_tracing("more threads at once than tlbsim has room for: nothing more is traced");
        return false;
    }
    if (!open_levels(s)) {
        stop_tracing("there is no memory for a thread's TLB: nothing more is traced");
        return false;
    }
    tlb_trace_slot = s;
    pthread_setspecific(thread_end, s);
    if (forked_by != 0)
        record_fork(shared);
    if (executed)
        put_event(TRACE_EXEC, 0, 0, 0);
    executed = false;
    record_stack();
    return true;
}

static void leave_thread(void *slot)
{
    struct ring_slot *s = slot;
    tlb_trace_slot = &no_slot;
    const struct ring_head *shared = head_now();
    if (shared == NULL)
        return;
    end_visits(s);
    close_levels(s);
    __atomic_store_n(&s->state, RING_CLOSED, __ATOMIC_RELEASE);
}

void leave_trace(void)
{
    const struct ring_head *shared = head_now();
    if (shared == NULL || tlb_trace_slot == &no_slot)
        return;
    pthread_setspecific(thread_end, NULL);
    leave_thread(tlb_trace_slot);
    wait_until_read(shared);
}

void begin_executed(struct ring_head *shared)
{
    for (int i = 0; i < RING_SLOTS; i++) {
        uint32_t taken = RING_TAKEN;
        if (shared->slots[i].process == (uint32_t)getpid())
            __atomic_compare_exchange_n(&shared->slots[i].state, &taken, RING_CLOSED, false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    }
    wait_until_read(shared);
    executed = true;
}

static void before_fork(void)
{
    parent = tlb_trace_slot;
    parent_at = parent->at;
    forked_by = (uint32_t)getpid();
}

static void after_fork_in_parent(void)
{
    forked_by = 0;
}

/* The forked child has a thread, and TLBs, of its own. */
static void after_fork(void)
{
    tlb_trace_slot = &no_slot;
    forget_stack();
    if (finished_pipe >= 0)
        close(finished_pipe);
    finished_pipe = -1;
    executed = false;
}

bool prepare_threads(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork);
    return pthread_key_create(&thread_end, leave_thread) == 0;
}
