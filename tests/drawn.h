/* drawn.h: points drawn at random, of which many are impossible. */
#ifndef TLBLAB_TESTS_DRAWN_H
#define TLBLAB_TESTS_DRAWN_H

#include "access/kernel.h"
#include "access/layout.h"
#include "base/random.h"
#include <math.h>

/* The possible ones have about as many nodes at most; others have more. */
enum { DRAWN_NODES = 4096 };

/* Up to `most` times a power of two of units. */
static inline uint64_t drawn_bytes(struct random *random, uint64_t unit, uint64_t most)
{
    return (random_below(random, most) + 1) * unit << random_below(random, 6);
}

/* A spacing that suits the layout, with luck: bytes, or pages. */
static inline uint64_t drawn_spacing(struct random *random, const struct layout *layout,
                                     uint64_t page_bytes)
{
    bool whole = layout->targets ||
                 (!layout->pairs && !layout->probes && random_below(random, 3) == 0);
    return drawn_bytes(random, whole ? page_bytes : layout->probes ? 64 : 8, layout->pairs ? 2 : 9);
}

static inline struct point drawn_point(struct random *random)
{
    static const int chosen[] = {KERNEL_READ, KERNEL_READ, KERNEL_READ, KERNEL_WRITE, KERNEL_CODE};
    const struct layout *layout = &layouts[random_below(random, LAYOUT_CROSSING + 1)];
    struct point p = {
        .layout = layout,
        .kernel = &kernels[layout->probes ? KERNEL_PROBE : chosen[random_below(random, 5)]],
        .backing = &backings[random_below(random, BACKING_DEVICE)],
        .page_bytes = random_below(random, 4) == 0 ? 16384 : 4096,
        .sample = random_below(random, 5000),
        .chain = (enum chain_mode)random_below(random, 3)};
    p.pages = random_below(random, 300) + 1;
    p.spacing = drawn_spacing(random, layout, p.page_bytes);
    p.buffer = layout->whole_buffer ? drawn_bytes(random, 1000, 900) : 0;
    p.moment = random_below(random, 2);
    if (layout->targets) {
        p.targets = random_below(random, 40) + 1;
        p.others = random_below(random, 3) * random_below(random, 60);
        p.others_spacing = random_below(random, 2) * drawn_bytes(random, p.page_bytes, 9);
        p.pages = (p.targets + p.others) *
                  (random_below(random, 1 << random_below(random, 12)) + 1);
    }
    if (layout->probes) {
        p.touches = random_below(random, 9) + 1;
        p.decoys = random_below(random, 4);
        p.probe = random_below(random, 4) == 0 ? NAN : (double)random_below(random, 40) * 64 - 640;
        p.pages = (p.touches + 1 + (layout->touches == TOUCHES_CROSS)) * (p.pages / 8 + 1);
    }
    return p;
}

#endif
