/* test_trace_ring.c: records that tlbsim reads from the memory of a traced program.
 *
 *     bin/.obj/plain/unit/test_trace_ring
 */
#include "platform.h"
#include "tap.h"
#include "trace/format/record.h"
#include "trace/format/ring.h"
#include "trace/format/ring_read.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct ring_head *head;
static struct ring_slot *slot;

static void put(uint64_t address, unsigned size, unsigned op)
{
    struct ring_record *records = (struct ring_record *)(void *)((char *)head + RING_HEAD_BYTES);
    records[slot->at].what = ring_lap(slot->at) | address << 7 | ring_low(size << 4 | op);
    slot->at++;
}

/* The access of a signal handler comes between the two records of an event. */
static void test_signal_in_event(void)
{
    struct record r[8];
    char why[PLATFORM_WHY_ROOM];
    FILE *file = tmpfile();
    size_t bytes, count = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL_FATAL(ftruncate(fileno(file), (off_t)RING_BYTES_ALL), 0);
    head = platform_map_shared(dup(fileno(file)), &bytes, why);
    if (head == NULL)
        return; /* a platform without shared memory has no rings */
    head->version = RING_VERSION;
    slot = &head->slots[0];
    slot->state = RING_CLOSED;
    put(12345, 0, RING_BYTES);
    put(0x7000, 3, TRACE_WRITE);
    put(0x9000, RING_SIZES, TRACE_ALLOC);
    struct ring *ring = ring_open(dup(fileno(file)));
    while (count < 2)
        count += ring_read(ring, r + count, 8 - count);
    CU_ASSERT_EQUAL_FATAL(count, 2);
    CU_ASSERT_EQUAL(r[0].address, 0x7000);
    CU_ASSERT_EQUAL(r[0].bytes, 8);
    CU_ASSERT_EQUAL(r[1].address, 0x9000);
    CU_ASSERT_EQUAL(r[1].bytes, 12345);
    ring_close(ring);
    fclose(file);
}

int main(void)
{
    TAP_SUITE("ring", {"a signal between the records of an event leaves its size alone",
                       test_signal_in_event});
    return tap_run();
}
