/* probe.h: the layouts that show prefetchers. Their nodes form groups, each in its own block of
 * memory, which the chain visits in random order. In a block it touches some lines a stride apart
 * and then loads one more line, the probe: at the point's distance from the last touch, in the
 * direction of the touches, or (NaN, the control) at a random place of the block far from them.
 * Only probes are timed. All lines of the blocks are flushed before each lap, so a probe is fast
 * only if a prefetcher has fetched its line.
 *
 * In `decoys` of decoys + 1 groups, drawn at random, the probe goes to such a random place,
 * whatever the point's distance, and is not timed: a prefetcher that learns which line follows a
 * touch cannot learn the distance. Without decoys it may.
 *
 * The last touch is on the second line of a pair of lines where the touches ascend, on the first
 * where they descend, so the next line is never the other line of the pair. In `crossing` a block
 * has two pages, the touches end on the last line of the first page, and the probe is on the
 * second one, of which a random line is loaded first to bring it into the TLB. */
#ifndef TLBLAB_ACCESS_PROBE_H
#define TLBLAB_ACCESS_PROBE_H

#include "access/layout.h"
#include "access/point.h"
#include "base/random.h"
#include <stdbool.h>
#include <stdint.h>

/* Tags in the low bits of a pointer to a node: it is a probe; its time counts. */
enum { PROBE_TAG = 1, PROBE_TIMED = 2, PROBE_TAGS = 3 };
unsigned probe_tag(const struct point *point, uint64_t i);

/* Nodes of a group: the touches, the probe, and in `crossing` the first load of the second page. */
uint64_t probe_group_nodes(const struct point *point);

/* A number for the distance of the probe. */
uint64_t probe_number(const struct point *point);

/* The functions of a row of layouts[]. */
uint64_t probe_offset(const struct point *point, uint64_t line_bytes, uint64_t i);
void probe_chain(uint32_t *next, const struct point *point, struct random *random);
uint64_t probe_bytes(const struct point *point);
void probe_refuse(const struct point *point, char why[REFUSAL_ROOM]);

#endif
