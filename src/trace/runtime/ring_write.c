/* ring_write.c: room for a thread's records in its slot of the ring, and the end of tracing where
 * nobody reads them. */
#define _GNU_SOURCE
#include "ring_write.h"
#include "runtime.h"
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void complain(const char *text)
{
    char line[512];
    int length = snprintf(line, sizeof line, "tlblab trace: %s\n", text);
    if (write(STDERR_FILENO, line, (size_t)length) < 0)
        return;
}

static pid_t lost_by; /* the process of which a part is not traced; 0: none */

void lose_trace(const char *why)
{
    lost_by = getpid();
    complain(why);
}

bool has_lost_trace(void)
{
    return lost_by == getpid();
}

void stop_tracing(const char *why)
{
    struct ring_head *was = head;
    head = NULL;
    if (was == NULL)
        return;
    for (int i = 0; i < RING_SLOTS; i++)
        shut(&was->slots[i]);
    look_away(&no_slot);
    if (why != NULL) {
        was->lost = 1;
        lose_trace(why);
    }
}

static bool has_enough(void)
{
    const struct ring_head *shared = head_now();
    return shared != NULL && __atomic_load_n(&shared->enough, __ATOMIC_ACQUIRE);
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
        if (has_enough())
            return false;
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

bool make_room(struct ring_slot *s)
{
    uint64_t chunk = s->at / RING_CHUNK;
    if ((chunk + 1) * RING_CHUNK <= s->granted)
        return true;
    if (has_enough() || !wait_for_room(s)) {
        stop_tracing(has_enough() ? NULL : "tlbsim has ended: nothing more is traced");
        return false;
    }
    s->time_ns[chunk % RING_CHUNKS] = now_ns();
    s->granted = (chunk + 1) * RING_CHUNK;
    return true;
}
