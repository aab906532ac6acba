/* recent.h: the four pages that a thread accessed last, which a trace leaves out. They stay in four
 * places; a number says in which order they were accessed. Both a traced program
 * (src/trace/runtime/) and the reader of its trace are built from this file.
 *
 * An access to one of them changes the order alone. An access to another page takes the place of
 * the oldest one, and its record carries the order as it was then: from two such records the reader
 * knows which of the four were accessed between them. */
#ifndef TLBLAB_FORMAT_RECENT_H
#define TLBLAB_FORMAT_RECENT_H

#include <stdint.h>
#include <string.h>

/* Orders are 0 … 23; FRESH: nothing is known of the places, and the order is that of 0. */
enum { RECENT_PAGES = 4, RECENT_ORDERS = 24, RECENT_FRESH = RECENT_ORDERS };

struct recent_orders {
    uint8_t place[RECENT_ORDERS + 1][RECENT_PAGES]; /* the newest first */
    uint8_t after[RECENT_ORDERS + 1][RECENT_PAGES]; /* an access to a place */
    uint8_t by_uses[64];                            /* see recent_order() */
};

/* Which of two uses is the later one, for each pair: a compare and an addition with carry each. */
static inline unsigned recent_compare(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    unsigned code = a < b;
    code = code + code + (a < c);
    code = code + code + (a < d);
    code = code + code + (b < c);
    code = code + code + (b < d);
    return code + code + (c < d);
}

static inline void recent_fill(struct recent_orders *o)
{
    uint8_t order_of[256] = {0}, count = 0; /* of places with two bits each */
    for (unsigned code = 0; code < 256; code++) {
        uint8_t place[RECENT_PAGES];
        unsigned seen = 0;
        for (int i = 0; i < RECENT_PAGES; i++) {
            place[i] = (uint8_t)(code >> (6 - 2 * i) & 3);
            seen |= 1u << place[i];
        }
        if (seen == 15) {
            memcpy(o->place[count], place, sizeof place);
            order_of[code] = count++;
        }
    }
    memcpy(o->place[RECENT_FRESH], o->place[0], sizeof o->place[0]);
    for (int from = 0; from <= RECENT_FRESH; from++)
        for (unsigned k = 0; k < RECENT_PAGES; k++) {
            unsigned code = k;
            for (int i = 0; i < RECENT_PAGES; i++)
                if (o->place[from][i] != k)
                    code = code << 2 | o->place[from][i];
            o->after[from][k] = order_of[code & 255];
        }
    for (unsigned order = 0; order < RECENT_ORDERS; order++) {
        uint64_t use[RECENT_PAGES];
        for (unsigned i = 0; i < RECENT_PAGES; i++)
            use[o->place[order][i]] = RECENT_PAGES - i;
        o->by_uses[recent_compare(use[0], use[1], use[2], use[3])] = (uint8_t)order;
    }
}

/* The order of four places from the numbers of their last uses; of equal numbers that of the lower
 * place is the later one. */
static inline uint8_t recent_order(const struct recent_orders *o, uint64_t a, uint64_t b,
                                   uint64_t c, uint64_t d)
{
    return o->by_uses[recent_compare(a, b, c, d)];
}

/* How many places must have been accessed to come from one order to another: the first ones of the
 * new order. The rest keep their order. */
static inline int recent_touched(const struct recent_orders *o, uint8_t from, uint8_t to)
{
    const uint8_t *place = o->place[to];
    uint8_t age[RECENT_PAGES];
    int count = RECENT_PAGES - 1;
    for (int i = 0; i < RECENT_PAGES; i++)
        age[o->place[from][i]] = (uint8_t)i;
    while (count > 0 && age[place[count - 1]] < age[place[count]])
        count--;
    return count;
}

#endif
