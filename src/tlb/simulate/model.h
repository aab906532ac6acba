/* model.h: a machine whose TLBs and caches are known, and the time of a chain on it: the ground
 * truth for tests, labs and accuracy figures. */
#ifndef TLBLAB_SIMULATE_MODEL_H
#define TLBLAB_SIMULATE_MODEL_H

#include "access/point.h"
#include "table/table.h"
#include "tlb/simulate/assoc.h"
#include "tlb/simulate/hierarchy.h"
#include "tlb/simulate/prefetcher.h"
#include <stdbool.h>
#include <stdint.h>

enum { MODEL_LEVELS = 4, MODEL_WALK_LEVELS = 3, MODEL_ROWS = 24 };

/* Of a level: a cache of 512 MiB, so that chains stay below a few GiB. */
enum { MODEL_ENTRIES_MAX = 1 << 23 };

/* One level of a TLB, of the page-walk caches, or of the caches. */
struct model_level {
    struct assoc_shape shape; /* entries are translations or lines */
    enum relation relation;   /* to the level before */
    int number;               /* from 1 */
    uint64_t page_bytes;      /* TLB: the page size that it translates; 0: any */
    uint64_t coalesce;        /* TLB: neighbouring pages that one entry holds; 0 is 1 */
    uint64_t fetch_bytes;     /* cache: aligned bytes fetched by a miss; 0: a line */
    const char *shared;       /* TLB: rows with this word are one structure; NULL: this row alone */
    double ns; /* TLB: added to a load translated here; walk: added to a walk that misses here;
                  cache: a load that hits here */
};

struct model_rows {
    struct model_level at[MODEL_ROWS];
    int count;
};

/* On x86 the system has the other half of 48 bits. */
enum { MODEL_USER_ADDRESS_BITS = 47 };

/* Of a machine whose description has no times, and does not say. [prior] */
enum { MODEL_LINE_BYTES = 64 };
#define MODEL_MEMORY_BYTES ((uint64_t)16 << 30)

struct model {
    char name[64];
    uint64_t page_bytes, line_bytes; /* powers of two */
    uint64_t memory_bytes;           /* size of the memory from which page frames are drawn */
    unsigned user_address_bits;      /* of a program's addresses with four tables of 4 KiB pages */
    uint64_t memory_limit_bytes;     /* for one process, for mistake `swap`; 0: unlimited */
    bool splintered;                 /* the hypervisor backs huge pages with base pages */
    struct model_rows dtlb, itlb, walk, cache;
    struct prefetchers prefetchers;
    bool
        untimed; /* the description has no times: the following, and those of levels, are typical */
    double walk_ns;   /* added to a load that misses every TLB */
    double memory_ns; /* a load that misses every cache */
};

/* The file of a machine operand. An operand that is `-`, contains a slash or names an existing file
 * is used as is. Any other is the name of a model ("zen4") in the folder given by the environment
 * variable TLBLAB_MODELS, or in the source tree or installation of this program, or `here`: the
 * file in which the TLBs of this machine are kept, which are measured where it is missing. Dies if
 * there is none. The text is valid until the next call. */
const char *model_find(const char *operand);

/* Prints all models, for --help. */
void model_print_names(void);

/* Reads a machine description (simulate(1), MACHINE DESCRIPTIONS), which tables of geometry and
 * machine are too; dies on a bad one, naming file, line and column. */
void model_read(struct model *model, const char *path);

/* The same for an open table of machine: the claims in use become levels, without times. */
void model_claims(struct model *model, struct table *table);

/* Dies unless the sizes of page, line and memory go together. */
void model_check_sizes(const struct model *model, const char *path);

/* Writes the description to stdout, after table_begin(). Reading it back gives the same machine. */
void model_write(const struct model *model);

/* The same machine while a neighbour takes this share of the entries of each set of every TLB:
 * whole ways, leaving at least one. */
struct model model_beside_neighbour(const struct model *model, double share);

/* Collects the levels for pages of this size, the first at index 0; returns their number. */
int model_levels(const struct model_rows *rows, uint64_t page_bytes,
                 const struct model_level *levels[MODEL_LEVELS]);

/* Why the machine cannot measure this point, or NULL. The text is valid until the next call. */
const char *model_refuses(const struct model *model, const struct point *point);

/* The sample that `chase` would take at the point, without noise: the mean time per access in the
 * steady state. It depends on (model, point, seed) alone. */
void model_measure(const struct model *model, const struct point *point, uint64_t seed,
                   struct sample *sample);

/* The random stream of a point: a hash of all its fields and its sample number. */
uint64_t model_stream(const struct point *point);

#endif
