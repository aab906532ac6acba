/* frames.c: the page frame under each page, by a permutation that is computed, not stored. */
#include "tlb/simulate/frames.h"

struct frames frames_draw(uint64_t count, struct random *random)
{
    struct frames f = {.count = count, .mask = 0, .half = 1};
    unsigned bits = 0;
    while (f.mask < count - 1) {
        f.mask = f.mask << 1 | 1;
        bits++;
    }
    if (bits > 3)
        f.half = bits / 2;
    for (int i = 0; i < 4; i++)
        f.key[i] = random_next(random);
    return f;
}

/* Each step is a bijection on 0 … mask; a result beyond count is mapped again (cycle walking, Black
 * & Rogaway 2002). */
uint64_t frames_at(const struct frames *f, uint64_t page)
{
    do
        for (int i = 0; i < 4; i++) {
            page = (page + f->key[i]) * 0xd6e8feb86659fd93 & f->mask;
            page ^= page >> f->half;
        }
    while (page >= f->count);
    return page;
}
