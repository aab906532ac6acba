/* ring_read.h: reads the records of a traced program from the memory that it shares (ring.h). */
#ifndef TLBLAB_FORMAT_RING_READ_H
#define TLBLAB_FORMAT_RING_READ_H

#include "trace/format/record.h"
#include "trace/format/ring.h"
#include <stddef.h>

struct ring;

/* Maps the ring of an inherited descriptor. Dies where there is none. */
struct ring *ring_open(int descriptor);

/* What the program says of itself: its command line, and what it records. */
const struct ring_head *ring_head(const struct ring *ring);

/* Asks the program to leave out what hits level 1 of these chains of its TLBs (ring.h): LRU, in
 * sets that the low bits of the page's number select. False where it cannot. Before the first read.
 */
bool ring_ask_level1(struct ring *ring, const struct ring_level1 level1[RING_CHAINS]);

/* No more is read, now or after so many seconds; the program goes on without a trace. */
void ring_stop(struct ring *ring, const char *why);
void ring_stop_after(struct ring *ring, double seconds);

/* Reads more records of one thread into `records`; waits for them. The first call lets the program
 * begin. 0: all processes have ended. A record MAPS comes alone, and so does PAUSE, when there have
 * been none for some milliseconds. */
size_t ring_read(struct ring *ring, struct record *records, size_t room);

/* After a record MAPS: the text of /proc/PID/maps; the caller frees it. */
char *ring_maps(uint32_t process);
void ring_close(struct ring *ring);

#endif
