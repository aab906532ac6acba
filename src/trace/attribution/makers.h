/* makers.h: the calls that have taken blocks of memory, and what the blocks are called after
 * them. */
#ifndef TLBLAB_ATTRIBUTION_MAKERS_H
#define TLBLAB_ATTRIBUTION_MAKERS_H

#include "trace/attribution/symbols.h"
#include "trace/tlbs/number_map.h"

/* How a block is named. */
struct name_form {
    const char *skip; /* a list with commas of functions to skip, with * and ?; NULL: none */
    unsigned depth;   /* by how many functions; 0: two */
    bool whole;       /* by all of its stack instead */
    bool plain;       /* without lines, which change with the program */
};

/* The calls of a stack from the innermost on, up to main(). */
struct maker {
    uint32_t label; /* "heap;main (FILE:LINE);…": all of them, the outermost first */
    size_t count;
    struct call *calls;
};

/* Initialised by {labels}. */
struct makers {
    struct labels *labels;
    struct maker *at;
    size_t count;
    struct number_map by_label; /* 1 + the place */
};

/* The label of the whole stack with these return addresses, the innermost first. */
uint32_t makers_label(struct makers *makers, struct symbols *symbols, const uint64_t *sites,
                      size_t count);
void makers_free(struct makers *makers);

/* The final name of each label, a label too: of a maker by the functions nearest to the
 * call that takes memory for themselves. These are not: those of the C++ library, the ones to
 * skip, and those that many callers reach, which take it for them. Other labels stay. The caller
 * frees the array. */
uint32_t *makers_names(const struct makers *makers, const struct name_form *form);

#endif
