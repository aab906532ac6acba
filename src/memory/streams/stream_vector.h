/* stream_vector.h: the kernels of one vector width, as a template: stream_vector.c includes
 * it once for each width, after defining
 *
 *     SUFFIX          the end of its functions' names
 *     VECTOR_BYTES    64 at most
 *     TARGET          the attribute that lets the compiler use such vectors, or nothing
 *     REGISTER        the assembler's constraint for a register that holds one
 *     MULTIPLY_ADD    MULTIPLY_ADD(b, s, c): b + s * c, in one instruction where there is one
 *     STORE_PAST      STORE_PAST(place, vector): a store that bypasses the caches (non-temporal)
 *     FENCE           waits for such stores
 *
 * `read` only loads, because two loads and two additions do not fit into every cycle: an empty
 * volatile statement takes each vector in a register, which makes the compiler keep the loads.
 * Triad uses a fused multiply-add, which gcc does not form under strict C11: two instructions
 * instead of one cost almost a fifth of the rate in the first-level cache. */
#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
#define NAME(x)     JOIN(x, SUFFIX)
#define VECTOR      NAME(vector)
#define ELEMENTS    (VECTOR_BYTES / 8)
#define PART        static inline __attribute__((always_inline)) TARGET

typedef double VECTOR __attribute__((vector_size(VECTOR_BYTES), may_alias));

PART void NAME(store)(double *a, VECTOR value, bool past)
{
    if (past)
        STORE_PAST(a, value);
    else
        *(VECTOR *)a = value;
}

/* One vector of each array. */
PART void NAME(step)(enum stream_loop loop, bool past, double *a, const double *b, const double *c,
                     VECTOR s)
{
    if (loop == STREAM_READ)
        __asm__ volatile("" : : REGISTER(*(const VECTOR *)a));
    else if (loop == STREAM_WRITE)
        NAME(store)(a, s, past);
    else if (loop == STREAM_COPY)
        NAME(store)(a, *(const VECTOR *)b, past);
    else if (loop == STREAM_SCALE)
        NAME(store)(a, s * *(const VECTOR *)b, past);
    else if (loop == STREAM_ADD)
        NAME(store)(a, *(const VECTOR *)b + *(const VECTOR *)c, past);
    else
        NAME(store)(a, (VECTOR)MULTIPLY_ADD(*(const VECTOR *)b, s, *(const VECTOR *)c), past);
}

#define STEP_AT(k) NAME(step)(loop, past, a + (k), b + (k), c + (k), s)

/* Streams one block of each array and prefetches the blocks `ahead` bytes further on. */
PART void NAME(block)(enum stream_loop loop, bool past, size_t ahead, double *a, const double *b,
                      const double *c, VECTOR s)
{
    if (ahead > 0 && loop == STREAM_READ)
        __builtin_prefetch((const char *)a + ahead, 0, 3);
    if (ahead > 0 && loop >= STREAM_WRITE && !past)
        __builtin_prefetch((const char *)a + ahead, 1, 3);
    if (ahead > 0 && loop > STREAM_WRITE)
        __builtin_prefetch((const char *)b + ahead, 0, 3);
    if (ahead > 0 && loop > STREAM_SCALE)
        __builtin_prefetch((const char *)c + ahead, 0, 3);
    STEP_AT(0);
    if (ELEMENTS <= 4)
        STEP_AT(ELEMENTS);
    if (ELEMENTS <= 2)
        STEP_AT(2 * ELEMENTS), STEP_AT(3 * ELEMENTS);
}

#define BLOCK_AT(at) NAME(block)(loop, past, ahead, a + (at), b + (at), c + (at), s)

/* From front to end, or (four) through the four quarters side by side. */
PART void NAME(walk)(const struct stream_work *work, enum stream_loop loop, bool past, size_t ahead,
                     bool four)
{
    enum { B = STREAM_BLOCK };
    size_t count = work->count, quarter = count / (4 * B) * B;
    VECTOR s = (VECTOR){0} + (loop == STREAM_WRITE ? stream_fill : stream_scalar);
    for (size_t pass = work->passes; pass > 0; pass--) {
        double *a = work->a;
        const double *b = work->b, *c = work->c;
        size_t i = 0;
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c) : : "memory"); /* each pass is a new one */
        for (; four && i < quarter; i += B) {
            BLOCK_AT(i), BLOCK_AT(i + quarter);
            BLOCK_AT(i + 2 * quarter), BLOCK_AT(i + 3 * quarter);
        }
        i *= four ? 4 : 1;
        for (; !four && i + 8 * B <= count; i += 8 * B) {
            BLOCK_AT(i), BLOCK_AT(i + B), BLOCK_AT(i + 2 * B), BLOCK_AT(i + 3 * B);
            BLOCK_AT(i + 4 * B), BLOCK_AT(i + 5 * B), BLOCK_AT(i + 6 * B), BLOCK_AT(i + 7 * B);
        }
        for (; i < count; i += B)
            BLOCK_AT(i);
    }
    if (past)
        FENCE;
}

PART void NAME(any)(const struct stream_work *work, bool past, size_t ahead, bool four)
{
    if (work->loop == STREAM_READ)
        NAME(walk)(work, STREAM_READ, past, ahead, four);
    else if (work->loop == STREAM_WRITE)
        NAME(walk)(work, STREAM_WRITE, past, ahead, four);
    else if (work->loop == STREAM_COPY)
        NAME(walk)(work, STREAM_COPY, past, ahead, four);
    else if (work->loop == STREAM_SCALE)
        NAME(walk)(work, STREAM_SCALE, past, ahead, four);
    else if (work->loop == STREAM_ADD)
        NAME(walk)(work, STREAM_ADD, past, ahead, four);
    else if (work->loop == STREAM_TRIAD)
        NAME(walk)(work, STREAM_TRIAD, past, ahead, four);
}

/* Prefetch distances from 512 bytes to 4 KiB were tried: nothing beats 2 KiB with one stream, or
 * 512 bytes with four. In the second-level cache the gain comes from prefetching the written
 * lines. */
static TARGET void NAME(plain)(const struct stream_work *work)
{
    NAME(any)(work, false, 0, false);
}

static TARGET void NAME(ahead)(const struct stream_work *work)
{
    NAME(any)(work, false, 2048, false);
}

static TARGET void NAME(four)(const struct stream_work *work)
{
    NAME(any)(work, false, 512, true);
}

static TARGET void NAME(nt)(const struct stream_work *work)
{
    NAME(any)(work, true, 0, false);
}

static TARGET void NAME(nt_ahead)(const struct stream_work *work)
{
    NAME(any)(work, true, 2048, false);
}

static TARGET void NAME(nt_four)(const struct stream_work *work)
{
    NAME(any)(work, true, 512, true);
}

/* The rows of the kernel table for these functions. */
#ifndef VECTOR_KERNELS
enum {
    READS = 1 << STREAM_READ,
    WRITES = 1 << STREAM_WRITE,
    BOTH = 1 << STREAM_COPY | 1 << STREAM_SCALE | 1 << STREAM_ADD | 1 << STREAM_TRIAD,
};
#define VECTOR_ROW(function, suffix, ending, help, loops, past, why)                               \
    {                                                                                              \
#suffix ending, help, loops, past, why, function##_##suffix                                \
    }
#define VECTOR_KERNELS(suffix, width, why)                                                         \
    VECTOR_ROW(plain, suffix, "", width, READS | WRITES | BOTH, false, why),                       \
        VECTOR_ROW(ahead, suffix, "_ahead", width ", prefetched", READS | WRITES | BOTH, false,    \
                   why),                                                                           \
        VECTOR_ROW(four, suffix, "_four", width ", prefetched, four quarters side by side",        \
                   READS | WRITES | BOTH, false, why),                                             \
        VECTOR_ROW(nt, suffix, "_nt", width ", written past the caches", WRITES | BOTH, true,      \
                   why),                                                                           \
        VECTOR_ROW(nt_ahead, suffix, "_nt_ahead", width ", as _ahead and _nt", BOTH, true, why),   \
        VECTOR_ROW(nt_four, suffix, "_nt_four", width ", as _four and _nt", WRITES | BOTH, true,   \
                   why)
#endif

#undef JOIN_
#undef JOIN
#undef NAME
#undef VECTOR
#undef ELEMENTS
#undef PART
#undef STEP_AT
#undef BLOCK_AT
#undef SUFFIX
#undef VECTOR_BYTES
#undef TARGET
#undef REGISTER
#undef MULTIPLY_ADD
#undef STORE_PAST
#undef FENCE
