/* draw.h: random machines in the range of real processors, whose truth is known. */
#ifndef TLBLAB_DRAW_H
#define TLBLAB_DRAW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { DRAW_LEVELS = 3 };

struct drawn_tlb {
    uint64_t entries, ways; /* ways equal entries when fully associative */
    char index[24];         /* full, linear, xorN, hashed, or bits of the page number */
    const char *replacement, *relation;
    double ns; /* added to a load that is translated here */
};

struct drawn_cache {
    uint64_t bytes, ways;
    double ns;
};

struct drawn {
    uint64_t number, page_bytes, line_bytes, memory_bytes;
    struct drawn_tlb tlb[DRAW_LEVELS];
    struct drawn_cache cache[DRAW_LEVELS];
    unsigned coalesce; /* pages that an entry would hold if they lay side by side */
    int tlbs;
    double walk_ns, memory_ns;
    uint64_t neighbour, stretch_ms; /* per cent of the entries that it takes, and for how long */
};

/* The same seed and number give the same machine. Nine in ten have levels that a maker has
 * published or somebody has measured; the others have arbitrary ones in the same range. */
struct drawn draw_machine(uint64_t seed, uint64_t number);

/* As a machine description that simulate(1) reads. */
void draw_write(const struct drawn *machine, FILE *file);

/* The pages that the TLB holds down to this level, as a sweep over pages sees it. An exclusive
 * level holds pages evicted from the one before, so the entries of both add up. */
double draw_reach(const struct drawn *machine, int level);

/* The extra time of a load beyond this level, as a share of the time of a load there. */
double draw_step(const struct drawn *machine, int level);

/* "full-lru", "hashed/12-random-exclusive", …; none of these words contains a blank. */
void draw_shape(const struct drawn *machine, int level, char *text, size_t room);

/* Peculiarities of the machine, comma-separated: "two levels,hashed,exclusive"; "plain" if
 * nothing is. */
void draw_kinds(const struct drawn *machine, char *text, size_t room);

#endif
