/* stream_vector.c: the streaming kernels of x86-64 (SSE2, which every such processor has, AVX2,
 * AVX-512, and the string instructions), and of 64-bit Arm (Neon). */
#include "memory/streams/stream.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

#define SUFFIX       sse2
#define VECTOR_BYTES 16
#define TARGET
#define REGISTER              "x"
#define MULTIPLY_ADD(b, s, c) ((b) + (s) * (c))
#define STORE_PAST(at, v)     _mm_stream_pd(at, (__m128d)(v))
#define FENCE                 _mm_sfence()
#include "memory/streams/stream_vector.h"

#define SUFFIX                avx2
#define VECTOR_BYTES          32
#define TARGET                __attribute__((target("avx2,fma")))
#define REGISTER              "x"
#define MULTIPLY_ADD(b, s, c) _mm256_fmadd_pd((__m256d)(s), (__m256d)(c), (__m256d)(b))
#define STORE_PAST(at, v)     _mm256_stream_pd(at, (__m256d)(v))
#define FENCE                 _mm_sfence()
#include "memory/streams/stream_vector.h"

#define SUFFIX                avx512
#define VECTOR_BYTES          64
#define TARGET                __attribute__((target("avx512f")))
#define REGISTER              "v"
#define MULTIPLY_ADD(b, s, c) _mm512_fmadd_pd((__m512d)(s), (__m512d)(c), (__m512d)(b))
#define STORE_PAST(at, v)     _mm512_stream_pd(at, (__m512d)(v))
#define FENCE                 _mm_sfence()
#include "memory/streams/stream_vector.h"

/* __builtin_cpu_supports() also checks that the system saves the wide registers. */
static const char *without_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
               ? NULL
               : "the processor (or the system) has no AVX2 with FMA";
}

static const char *without_avx512(void)
{
    return __builtin_cpu_supports("avx512f") ? NULL
                                             : "the processor (or the system) has no AVX-512";
}

static void rep_bytes(const struct stream_work *work)
{
    for (size_t pass = work->passes; pass > 0; pass--) {
        void *to = work->a;
        const void *from = work->b;
        size_t count = 8 * work->count;
        if (work->loop == STREAM_COPY)
            __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
        else
            __asm__ volatile("rep stosb"
                             : "+D"(to), "+c"(count)
                             : "a"(STREAM_FILL_BYTE)
                             : "memory");
    }
}

static void rep_words(const struct stream_work *work)
{
    for (size_t pass = work->passes; pass > 0; pass--) {
        void *to = work->a;
        const void *from = work->b;
        size_t count = work->count;
        if (work->loop == STREAM_COPY)
            __asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
        else
            __asm__ volatile("rep stosq"
                             : "+D"(to), "+c"(count)
                             : "a"(STREAM_FILL_BYTE * UINT64_C(0x0101010101010101))
                             : "memory");
    }
}

const struct stream_kernel stream_vector[] = {
    VECTOR_KERNELS(avx512, "64-byte vectors", without_avx512),
    VECTOR_KERNELS(avx2, "32-byte vectors", without_avx2),
    VECTOR_KERNELS(sse2, "16-byte vectors", NULL),
    {"rep_b", "rep stosb, rep movsb", WRITES | 1 << STREAM_COPY, false, NULL, rep_bytes},
    {"rep_q", "rep stosq, rep movsq", WRITES | 1 << STREAM_COPY, false, NULL, rep_words},
    {0},
};

#elif defined(__aarch64__)
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

const struct stream_kernel stream_vector[] = {
    VECTOR_KERNELS(neon, "16-byte vectors", NULL),
    {0},
};

#else
const struct stream_kernel stream_vector[] = {{0}};
#endif
