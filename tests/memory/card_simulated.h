/* card_simulated.h: the card behind the driver of card.c: its memory, its kernels and their time.
 */
#ifndef TLBLAB_TESTS_CARD_SIMULATED_H
#define TLBLAB_TESTS_CARD_SIMULATED_H

#define _DEFAULT_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ARGUMENTS = 8 };

/* Of a platform, with more than 127 bytes. */
#define LONG_NAME                                                                                  \
    "A platform whose name has more than 127 bytes: one that is simulated, that counts its "       \
    "bytes, "                                                                                      \
    "and that goes on until it has enough of them"

/* ---- objects: the loader reads their first member ---- */

struct _cl_platform_id {
    const cl_icd_dispatch *dispatch;
};
struct _cl_device_id {
    const cl_icd_dispatch *dispatch;
    int number;
};
struct _cl_context {
    const cl_icd_dispatch *dispatch;
};
struct _cl_command_queue {
    const cl_icd_dispatch *dispatch;
};
struct _cl_program {
    const cl_icd_dispatch *dispatch;
    unsigned chains, unit;
};
struct _cl_mem {
    const cl_icd_dispatch *dispatch;
    uint32_t *at;
    size_t bytes;
};
struct _cl_event {
    const cl_icd_dispatch *dispatch;
    cl_ulong start, end;
    cl_int state;
};
struct _cl_kernel {
    const cl_icd_dispatch *dispatch;
    char name[32];
    unsigned chains, unit; /* unit: words of a position */
    struct {
        cl_mem buffer;
        uint64_t number;
    } argument[ARGUMENTS];
};

/* The value of a setting, and whether a failure is asked for, in TLBLAB_CARD. */
double setting(const char *name);
bool fails(const char *how);

/* Runs a kernel with this many work items, numbered from `first`; returns its nanoseconds.
 */
double card_simulated(struct _cl_kernel *kernel, size_t first, size_t items);

#endif
