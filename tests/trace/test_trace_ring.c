/* test_trace_ring.c: records that tlbsim reads from the memory of a traced program.
 *
 *     bin/.obj/plain/tests/trace/test_trace_ring
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

/* A ring whose first slot has a thread that has ended; false on a platform without shared memory.
 */
static bool begin_ring(FILE *file)
{
    char why[PLATFORM_WHY_ROOM];
    size_t bytes;
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL_FATAL(ftruncate(fileno(file), (off_t)RING_TOTAL_BYTES), 0);
    head = platform_map_shared(dup(fileno(file)), &bytes, why);
    if (head == NULL)
        return false;
    head->version = RING_VERSION;
    slot = &head->slots[0];
    slot->state = RING_CLOSED;
    return true;
}

/* Reads the first `wanted` records. */
static void read_ring(FILE *file, struct record *r, size_t wanted)
{
    struct ring *ring = ring_open(dup(fileno(file)));
    size_t count = 0;
    while (count < wanted)
        count += ring_read(ring, r + count, wanted - count);
    CU_ASSERT_EQUAL_FATAL(count, wanted);
    ring_close(ring);
    fclose(file);
}

/* The access of a signal handler comes between the two records of an event. */
TEST(a_signal_between_the_records_of_an_event_leaves_its_size_alone)
{
    struct record r[2];
    FILE *file = tmpfile();
    if (!begin_ring(file))
        return;
    put(12345, 0, RING_LENGTH);
    put(0x7000, 3, TRACE_WRITE);
    put(0x9000, RING_SIZES, TRACE_ALLOC);
    read_ring(file, r, 2);
    CU_ASSERT_EQUAL(r[0].address, 0x7000);
    CU_ASSERT_EQUAL(r[0].bytes, 8);
    CU_ASSERT_EQUAL(r[1].address, 0x9000);
    CU_ASSERT_EQUAL(r[1].bytes, 12345);
}

TEST(a_fetch_of_instructions)
{
    struct record r[2];
    FILE *file = tmpfile();
    if (!begin_ring(file))
        return;
    put(0x7000, 3, TRACE_READ);
    put(0x401010, 0, TRACE_EXECUTE);
    read_ring(file, r, 2);
    CU_ASSERT_EQUAL(r[0].op, TRACE_READ);
    CU_ASSERT_EQUAL(r[1].op, TRACE_EXECUTE);
    CU_ASSERT_EQUAL(r[1].address, 0x401010);
    CU_ASSERT(record_is_access(&r[1]));
}
