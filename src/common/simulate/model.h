/* model.h: a machine whose TLBs and caches are known, and what a chain costs on it: the ground
 * truth for tests, labs and accuracy figures. */
#ifndef TLBLAB_SIMULATE_MODEL_H
#define TLBLAB_SIMULATE_MODEL_H

#include "access/point.h"
#include "simulate/assoc.h"
#include "simulate/hierarchy.h"
#include <stdbool.h>
#include <stdint.h>

enum { MODEL_LEVELS = 4, MODEL_WALK_LEVELS = 3, MODEL_ROWS = 24 };

/* One level of a TLB, of the caches of a walk, or of the caches. */
struct model_level {
    struct assoc_shape shape; /* entries are translations or lines */
    enum relation relation;   /* to the level before */
    int number;               /* from 1 */
    uint64_t page_bytes;      /* TLB: of the pages that it translates; 0: of any */
    uint64_t coalesce;        /* TLB: neighbouring pages that one entry holds; 0 is 1 */
    uint64_t fetch_bytes; /* cache: what a miss here brings in, at a multiple of it; 0: a line */
    double ns; /* TLB: added to a load that is translated here; walk: added to a walk that misses
                  here; cache: a load that hits here */
};

struct model_rows {
    struct model_level at[MODEL_ROWS];
    int count;
};

struct model {
    char name[64];
    uint64_t page_bytes, line_bytes; /* powers of two */
    uint64_t memory_bytes;           /* where the page frames are drawn from */
    uint64_t memory_limit_bytes;     /* of it for one process, which the fault swap minds; 0: all */
    bool splintered;                 /* huge pages are base pages below */
    struct model_rows dtlb, itlb, walk, cache;
    double walk_ns;   /* added to a load that no TLB translates */
    double memory_ns; /* a load that no cache holds */
};

/* The file that an operand means: itself where it is `-`, has a slash or is there; else the model of
 * that name ("zen4") in the folder TLBLAB_MODELS of the environment, or among those of the source
 * tree or the installation that the program belongs to. Dies where there is none. It holds until
 * the next call. */
const char *model_find(const char *operand);

/* Reads a machine description (simulate(1), MACHINE DESCRIPTIONS); dies on a bad one, naming file,
 * line and column. */
void model_read(struct model *model, const char *path);

/* Writes one to stdout, behind table_begin(). Read back it is the same machine. */
void model_write(const struct model *model);

/* The words of a description for enum assoc_replacement and enum relation; NULL ends them. */
extern const char *const model_replacements[], *const model_relations[];

/* The levels among the rows that hold for pages of this size, the first at index 0; how many there
 * are. */
int model_levels(const struct model_rows *rows, uint64_t page_bytes,
                 const struct model_level *levels[MODEL_LEVELS]);

/* Why the machine cannot walk this point, or NULL when it can. The text holds until the next call.
 */
const char *model_refuses(const struct model *model, const struct point *point);

/* What `chase` would have measured at the point, without noise: the mean time per access in the
 * steady state. The same (model, point, seed) gives the same sample whatever was measured before.
 */
void model_measure(const struct model *model, const struct point *point, uint64_t seed,
                   struct sample *sample);

/* The stream of random numbers of a point, from all that makes it and the number of the sample. */
uint64_t model_stream(const struct point *point);

#endif
