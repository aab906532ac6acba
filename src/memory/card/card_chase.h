/* card_chase.h: a card as a machine that measures points (measure/machine.h).
 *
 * One work item chases. The time of a load is the difference between two runs of a kernel, one
 * twice as long as the other, so the cost of a launch cancels; the same difference for a kernel
 * with the address arithmetic but no load (arithmetic_ns) is subtracted. A seed gives the same
 * chains as in `chase`. */
#ifndef TLBLAB_CARD_CARD_CHASE_H
#define TLBLAB_CARD_CARD_CHASE_H

#include "measure/machine.h"
#include "memory/card/card.h"

/* The page that backs a card's memory, and its cache line, where neither is known: most drivers map
 * memory in 2 MiB pages. NVIDIA's and AMD's lines are 128 bytes; where they are 64, a plan's nodes
 * use every other line, so sizes in bytes stay correct. [prior] */
enum { CARD_PAGE_BYTES = 2 << 20, CARD_LINE_BYTES = 128 };

/* The reach of 32-bit positions: of words, and of units of 64 bytes. [physics] */
#define CARD_NEAR_REACH ((uint64_t)16 << 30)
#define CARD_REACH      ((uint64_t)256 << 30)

/* Maximum per kernel: more would take minutes. [bound] */
#define CARD_LOADS_MAX UINT32_MAX

struct card_options {
    struct card_claims claims;
    size_t index; /* of the device */
    uint64_t seed;
    uint64_t loads; /* per timed kernel, up to CARD_LOADS_MAX; 0: a millisecond of them */
};

/* Opens the device as a machine. A point that does not fit in its memory gives a row without ns;
 * closing the machine warns about those. */
struct machine card_machine(const struct card_options *options);

/* Runs a kernel until the device's clock stops rising, for at most a second of device time. */
void card_warm_up(struct card *card);

/* Writes the device's metadata: cpu (its name), device, device_type, platform, driver, line_bytes,
 * timer_ns, host. */
void card_put_meta(const struct card_claims *claims, size_t index);

#endif
