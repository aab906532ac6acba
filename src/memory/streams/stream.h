/* stream.h: loops that stream through arrays of doubles, for bandwidth. One table holds the ops and
 * the bytes they move, another the kernels; help and dispatch derive from both. */
#ifndef TLBLAB_STREAMS_STREAM_H
#define TLBLAB_STREAMS_STREAM_H

#include <stdbool.h>
#include <stddef.h>

/* The first six as in STREAM (McCalpin 1995); SPACED reads single elements `spacing` apart. */
enum stream_loop {
    STREAM_READ,
    STREAM_WRITE,
    STREAM_COPY,
    STREAM_SCALE,
    STREAM_ADD,
    STREAM_TRIAD,
    STREAM_SPACED,
    STREAM_LOOPS
};

/* Arrays consist of whole blocks of this many doubles (64 bytes) and are aligned to them. */
enum { STREAM_BLOCK = 8 };

/* The value that a write stores, a double of equal bytes, and the factor of scale and triad. */
enum { STREAM_FILL_BYTE = 0x40 };
static const double stream_fill = 0x1.0404040404040p+5;
static const double stream_scalar = 3;

/* Passes over arrays of `count` elements; `a` is written, or read where the op only reads. */
struct stream_work {
    enum stream_loop loop;
    double *a;
    const double *b, *c;
    size_t count, passes;
    size_t spacing; /* SPACED: elements from one read to the next */
};

/* The subject of a row: a loop, by any kernel or only by those that bypass the caches. */
struct stream_op {
    const char *name;
    const char *help;
    enum stream_loop loop;
    unsigned arrays, reads, writes; /* numbers of arrays, those read and those written */
    bool past_only;                 /* only kernels whose stores bypass the caches */
};

struct stream_kernel {
    const char *name;
    const char *help;
    unsigned loops;                   /* its loops, 1 << loop each */
    bool past;                        /* its stores bypass the caches: no write-allocate */
    const char *(*unavailable)(void); /* why it does not run here, or NULL; NULL: runs everywhere */
    void (*run)(const struct stream_work *work);
};

extern const struct stream_op stream_ops[]; /* ends with a NULL name */

/* The k-th kernel, or NULL after the last. */
const struct stream_kernel *stream_kernel(size_t k);
const struct stream_kernel *stream_kernel_find(const char *name);

/* Why the kernel cannot do this op on this processor; NULL if it can. */
const char *stream_unfit(const struct stream_kernel *kernel, const struct stream_op *op,
                         bool spaced);

/* Whether any kernel can. */
bool stream_is_possible(const struct stream_op *op, bool spaced);

/* Bytes that one element moves as STREAM counts them: 8 for each array read or written. */
unsigned stream_bytes(const struct stream_op *op);

/* Print the tables, for --help. */
void stream_print_ops(void);
void stream_print_kernels(void);

/* The kernels of this processor's vectors; ends with a NULL name. */
extern const struct stream_kernel stream_vector[];

#endif
