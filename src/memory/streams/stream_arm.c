/* stream_arm.c: the streaming kernels of 64-bit Arm processors. */
#include "memory/streams/stream.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#define SUFFIX       neon
#define VECTOR_BYTES 16
#define TARGET
#define REGISTER              "w"
#define MULTIPLY_ADD(b, s, c) vfmaq_f64((float64x2_t)(b), (float64x2_t)(s), (float64x2_t)(c))
/* STNP is a hint that the processor may ignore. */
#define STORE_PAST(at, v)                                                                          \
    __asm__ volatile("stnp %d1, %d2, [%0]" : : "r"(at), "w"((v)[0]), "w"((v)[1]) : "memory")
#define FENCE __asm__ volatile("dmb ishst" : : : "memory")
#include "memory/streams/stream_vector.h"

const struct stream_kernel stream_arm[] = {
    VECTOR_KERNELS(neon, "16-byte vectors", NULL),
    {0},
};
#else
const struct stream_kernel stream_arm[] = {{0}};
#endif
