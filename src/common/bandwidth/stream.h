/* stream.h: loops that stream through arrays of doubles, for bandwidth: what they do, how many
 * bytes that moves, and the kernels that do it, each in its own way. One table for either; help and
 * dispatch are derived from them. */
#ifndef TLBLAB_BANDWIDTH_STREAM_H
#define TLBLAB_BANDWIDTH_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first six after STREAM (McCalpin 1995); SPACED reads single elements, `spacing` apart. */
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

/* Arrays are whole blocks of this many doubles, 64 bytes, and start at a multiple of that. */
enum { STREAM_BLOCK = 8 };

/* What a write writes, a double made of equal bytes, and what scale and triad multiply with. */
enum { STREAM_FILL_BYTE = 0x40 };
static const double stream_fill = 0x1.0404040404040p+5;
static const double stream_scalar = 3;

/* Arrays of `count` elements, gone through `passes` times. `a` is what is written, or read where
 * nothing is written. */
struct stream_work {
    enum stream_loop loop;
    double *a;
    const double *b, *c;
    size_t count, passes;
    size_t spacing; /* SPACED: elements from one read to the next */
};

/* What is measured: a loop, with or without stores that go past the caches only. */
struct stream_op {
    const char *name;
    const char *help;
    enum stream_loop loop;
    unsigned arrays, reads, writes; /* arrays, and those of them that are read and written */
    bool past_only;                 /* kernels that write past the caches, no others */
};

struct stream_kernel {
    const char *name;
    const char *help;
    unsigned loops; /* those that it has, 1 << loop each */
    bool past;      /* its stores go past the caches, so that no line is read to be written */
    const char *(*unavailable)(void); /* why it does not run here, or NULL; may be NULL itself */
    void (*run)(const struct stream_work *work);
};

extern const struct stream_op stream_ops[]; /* ends with a NULL name */
const struct stream_op *stream_op_find(const char *text, size_t length);

/* The k-th kernel, or NULL behind the last. */
const struct stream_kernel *stream_kernel(size_t k);
const struct stream_kernel *stream_kernel_find(const char *name);

/* Why the kernel cannot do this op, here or at all; NULL where it can. */
const char *stream_unfit(const struct stream_kernel *kernel, const struct stream_op *op,
                         bool spaced);

/* Bytes that one element moves as STREAM counts them: 8 for each array read or written; with
 * `allocate` 8 more for each one written, unless the kernel writes past the caches, because its
 * lines are read before they are written. (Whether `rep` does is the processor's secret; counted as
 * if.) */
unsigned stream_bytes(const struct stream_op *op, const struct stream_kernel *kernel,
                      bool allocate);

/* Prints both tables, for --help. */
void stream_print_names(void);

/* The kernels of one kind of processor, each list ending with a NULL name; empty on all others. */
extern const struct stream_kernel stream_x86[], stream_arm[];

#endif
