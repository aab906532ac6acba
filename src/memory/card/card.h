/* card.h: a graphics card or other OpenCL device: what it claims to be, its memory, and the time
 * its kernels take. card_list_opencl.c and card_opencl.c implement it; a build without OpenCL has
 * card_none.c, whose cards_list() says so and ends the program. */
#ifndef TLBLAB_CARD_CARD_H
#define TLBLAB_CARD_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CARD_TEXT = 128 }; /* [bound] */

/* A device as its driver reports it. 0: not reported. */
struct card_claims {
    char name[CARD_TEXT], vendor[CARD_TEXT], platform[CARD_TEXT], driver[CARD_TEXT];
    char version[CARD_TEXT]; /* of OpenCL */
    const char *type;        /* gpu, cpu, accelerator or other */
    uint64_t memory_bytes;
    uint64_t allocation_bytes; /* the largest buffer */
    uint64_t cache_bytes, line_bytes;
    uint64_t local_bytes, constant_bytes; /* per work group; per buffer */
    uint64_t compute_units, clock_mhz, group_items;
    uint64_t timer_ns; /* resolution of the clock that times kernels */
    bool unified;      /* shares its memory with the processor */
};

/* Lists the devices of all drivers; the caller frees the list. Dies, naming cause and remedy, if
 * there is no OpenCL, no driver, or no device. */
struct card_claims *cards_list(size_t *count);

/* The memory of a device; if it shares the processor's, what this process may still use. */
uint64_t card_memory(const struct card_claims *claims);

/* The index of the device with that number, or with that text in its name (in either case); NULL is
 * device 0. Digits alone are a number. Dies if none or several match. */
size_t cards_find(const struct card_claims *cards, size_t count, const char *which);

/* ---- an open device ---- */

struct card;

/* Opens a device of cards_list(). Dies if the device cannot time its kernels. A kernel is compiled
 * when it is first run; if that fails, the program dies with the compiler's messages. */
struct card *card_open(size_t index);
void card_close(struct card *card);

/* Buffers: A is the chain, or the first array of a stream. The state holds the positions of the
 * chains, CARD_STATES numbers. [bound] */
enum card_buffer { CARD_A, CARD_B, CARD_C, CARD_STATE, CARD_BUFFERS };
enum { CARD_STATES = 4096 };

/* Makes a buffer at least this large; if it has to grow, its contents are lost. False if the device
 * has too little memory. */
bool card_reserve(struct card *card, enum card_buffer buffer, uint64_t bytes);

/* Gives a buffer different memory of the same size if the driver has any; its contents are lost. */
void card_renew(struct card *card, enum card_buffer buffer);

/* Frees A, B and C, and the host memory of transfers. */
void card_release(struct card *card);

/* Copy to and from the start of a buffer. */
void card_put(struct card *card, enum card_buffer buffer, const void *from, uint64_t bytes);
void card_get(struct card *card, enum card_buffer buffer, void *to, uint64_t bytes);

/* The kernels. Positions in A, which the chain holds, are 32-bit numbers of words
 * of 4 bytes, which reach 16 GiB; or, `far`, of units of 64 bytes, which no line is shorter than.
 * [bound]
 */
enum { CARD_FAR_UNIT = 64 };

enum card_kernel {
    CARD_LINK,       /* A[B[2i]] = B[2i + 1] for i < count */
    CARD_CHASE,      /* `hops` times p = A[p] for each of `chains` chains, from the state to it */
    CARD_VOLATILE,   /* as CARD_CHASE with volatile loads, one chain */
    CARD_CONSTANT,   /* as CARD_CHASE in constant memory, one chain */
    CARD_LOCAL,      /* `items` chains in local memory, a copy of the first `count` numbers of A */
    CARD_ARITHMETIC, /* CARD_CHASE with address arithmetic in place of each load */
    CARD_READ,       /* streams over the elements of 16 bytes from `first` to below `count` */
    CARD_WRITE,      /* into buffer `into` */
    CARD_COPY,
    CARD_TRIAD,
    CARD_SPACED, /* reads 4-byte numbers, `step` numbers apart */
    CARD_KERNELS
};

/* The hops of a chase are a multiple of this. [bound] */
enum { CARD_UNROLLED = 16 };

struct card_work {
    enum card_kernel kernel;
    enum card_buffer into;
    bool far;
    unsigned chains; /* 1 to KERNEL_CHAINS; 0: 1 */
    uint64_t hops, first, count, step;
    uint64_t items; /* work items; 0: 1 */
};

/* Their source (card_source.c): the name of a kernel; and all of them in OpenCL C 1.2, with a chase
 * and arithmetic for this many chains, and positions for near chains or far ones. The caller frees
 * it. */
const char *card_kernel_name(enum card_kernel kernel);
char *card_source(unsigned chains, bool far);

/* A kernel should take less, well below the time after which a watchdog ends it. [prior] */
#define CARD_KERNEL_MOST_NS 5e7

/* Runs a kernel and returns its nanoseconds by the device's clock. Dies if the device refuses the
 * kernel or ends it (a watchdog, a lost device); stdout is complete up to then. */
double card_run(struct card *card, const struct card_work *work);

/* Copies bytes between A and host memory, which the driver has locked (`pinned`) or not, and which
 * is kept for the next transfer. Returns the nanoseconds by the device's clock; NaN if device or
 * host has too little memory. */
double card_transfer(struct card *card, bool to_device, bool pinned, uint64_t bytes);

#endif
