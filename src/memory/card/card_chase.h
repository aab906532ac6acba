/* card_chase.h: a card as a machine on which points are measured (measure/machine.h).
 *
 * One work item chases. The time of a load is the difference of two runs of a kernel, one of twice
 * the length of the other, so that the cost of a launch cancels; the same difference of a kernel
 * with the address arithmetic and no load (arithmetic_ns) is subtracted. Chains of a seed are those
 * of `chase`. */
#ifndef TLBLAB_CARD_CARD_CHASE_H
#define TLBLAB_CARD_CARD_CHASE_H

#include "measure/machine.h"
#include "memory/card/card.h"

/* The page that backs a card's memory, and the line of its caches, where nobody tells them: most
 * drivers map memory in pages of 2 MiB; NVIDIA's and AMD's lines have 128 bytes, and where they
 * have 64 the nodes of a plan use every other one, so that sizes in bytes stay true. [prior] */
enum { CARD_PAGE_BYTES = 2 << 20, CARD_LINE_BYTES = 128 };

/* The bytes that 32-bit offsets of 4-byte words reach. [physics] */
#define CARD_REACH ((uint64_t)16 << 30)

/* Of one kernel: more would take minutes. [bound] */
#define CARD_LOADS_MOST UINT32_MAX

struct card_options {
    struct card_claims claims;
    size_t index; /* of the device */
    uint64_t seed;
    uint64_t loads; /* of a timed kernel, CARD_LOADS_MOST at most; 0: those of a millisecond */
};

/* Opens the device as a machine. A point for which it has no memory is a row without ns; closing
 * the machine warns of them. */
struct machine card_machine(const struct card_options *options);

/* Runs a kernel until the device's clock has stopped rising, for a second of its time at most. */
void card_warm_up(struct card *card);

/* Writes the metadata of a device: cpu (its name), device, device_type, platform, driver,
 * line_bytes, timer_ns, host. */
void card_put_meta(const struct card_claims *claims, size_t index);

#endif
