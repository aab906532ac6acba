/* stream_x86.c: the streaming kernels of x86-64: SSE2, which every such processor has, AVX2,
 * AVX-512, and the string instructions. */
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

const struct stream_kernel stream_x86[] = {
    VECTOR_KERNELS(avx512, "64-byte vectors", without_avx512),
    VECTOR_KERNELS(avx2, "32-byte vectors", without_avx2),
    VECTOR_KERNELS(sse2, "16-byte vectors", NULL),
    {"rep_b", "rep stosb, rep movsb", WRITES | 1 << STREAM_COPY, false, NULL, rep_bytes},
    {"rep_q", "rep stosq, rep movsq", WRITES | 1 << STREAM_COPY, false, NULL, rep_words},
    {0},
};
#else
const struct stream_kernel stream_x86[] = {{0}};
#endif
