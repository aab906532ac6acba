/* entry.c: what the compiler calls in an instrumented program (gcc -fsanitize=thread) at
 * each load and store, and what the program calls itself: tlb_trace_on(), _off() and _phase(). */
#define _GNU_SOURCE
#include "runtime.h"
#include <unistd.h>

/* ---- the entry points of gcc -fsanitize=thread ---- */

#define ACCESS(name, bytes_code, op)                                                               \
    ENTRY(void, name, void *address)                                                               \
    {                                                                                              \
        record_access((uintptr_t)address, (bytes_code) << 4 | (op), SITE);                         \
    }
/* An access that may touch two pages. */
#define UNALIGNED(name, bytes, op)                                                                 \
    ENTRY(void, name, void *address)                                                               \
    {                                                                                              \
        record_range((uintptr_t)address, bytes, op, SITE);                                         \
    }
#define SIZES(prefix, op)                                                                          \
    ACCESS(__tsan_##prefix##1, 0, op)                                                              \
    ACCESS(__tsan_##prefix##2, 1, op)                                                              \
    ACCESS(__tsan_##prefix##4, 2, op)                                                              \
    ACCESS(__tsan_##prefix##8, 3, op)                                                              \
    ACCESS(__tsan_##prefix##16, 4, op)
SIZES(read, TRACE_READ)
SIZES(write, TRACE_WRITE)
SIZES(volatile_read, TRACE_READ)
SIZES(volatile_write, TRACE_WRITE)

#define UNALIGNED_SIZES(prefix, op)                                                                \
    UNALIGNED(__tsan_unaligned_##prefix##2, 2, op)                                                 \
    UNALIGNED(__tsan_unaligned_##prefix##4, 4, op)                                                 \
    UNALIGNED(__tsan_unaligned_##prefix##8, 8, op)                                                 \
    UNALIGNED(__tsan_unaligned_##prefix##16, 16, op)
UNALIGNED_SIZES(read, TRACE_READ)
UNALIGNED_SIZES(write, TRACE_WRITE)
UNALIGNED_SIZES(volatile_read, TRACE_READ)
UNALIGNED_SIZES(volatile_write, TRACE_WRITE)

ENTRY(void, __tsan_read_range, void *address, unsigned long bytes)
{
    record_range((uintptr_t)address, bytes, TRACE_READ, SITE);
}

ENTRY(void, __tsan_write_range, void *address, unsigned long bytes)
{
    record_range((uintptr_t)address, bytes, TRACE_WRITE, SITE);
}

ENTRY(void, __tsan_vptr_update, void **address, void *value)
{
    (void)value;
    record_access((uintptr_t)address, 3 << 4 | TRACE_WRITE, SITE);
}

ENTRY(void, __tsan_vptr_read, void **address)
{
    record_access((uintptr_t)address, 3 << 4 | TRACE_READ, SITE);
}

ENTRY(void, __tsan_func_entry, void *from)
{
    (void)from;
}

ENTRY(void, __tsan_func_exit, void)
{
}

/* Each file that gcc instruments calls it first of all. */
ENTRY(void, __tsan_init, void)
{
}

/* ---- atomics, which gcc leaves to the runtime ---- */

/* Types cannot stand in parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */

#define ATOMIC_CHANGE(bits, type, code, what, builtin)                                             \
    ENTRY(type, __tsan_atomic##bits##_##what, volatile type *address, type value, int order)       \
    {                                                                                              \
        (void)order;                                                                               \
        record_access((uintptr_t)address, (code) << 4 | TRACE_READ, SITE);                         \
        record_access((uintptr_t)address, (code) << 4 | TRACE_WRITE, SITE);                        \
        return builtin(address, value, __ATOMIC_SEQ_CST);                                          \
    }
#define ATOMIC_COMPARE(bits, type, code, what, weak)                                               \
    ENTRY(int, __tsan_atomic##bits##_compare_exchange_##what, volatile type *address,              \
          type *expected, type value, int order, int failure_order)                                \
    {                                                                                              \
        (void)order;                                                                               \
        (void)failure_order;                                                                       \
        record_access((uintptr_t)address, (code) << 4 | TRACE_READ, SITE);                         \
        record_access((uintptr_t)address, (code) << 4 | TRACE_WRITE, SITE);                        \
        return __atomic_compare_exchange_n(address, expected, value, weak, __ATOMIC_SEQ_CST,       \
                                           __ATOMIC_SEQ_CST);                                      \
    }
#define ATOMIC(bits, type, code)                                                                   \
    ENTRY(type, __tsan_atomic##bits##_load, const volatile type *address, int order)               \
    {                                                                                              \
        (void)order;                                                                               \
        record_access((uintptr_t)address, (code) << 4 | TRACE_READ, SITE);                         \
        return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                         \
    }                                                                                              \
    ENTRY(void, __tsan_atomic##bits##_store, volatile type *address, type value, int order)        \
    {                                                                                              \
        (void)order;                                                                               \
        record_access((uintptr_t)address, (code) << 4 | TRACE_WRITE, SITE);                        \
        __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                        \
    }                                                                                              \
    ATOMIC_CHANGE(bits, type, code, exchange, __atomic_exchange_n)                                 \
    ATOMIC_CHANGE(bits, type, code, fetch_add, __atomic_fetch_add)                                 \
    ATOMIC_CHANGE(bits, type, code, fetch_sub, __atomic_fetch_sub)                                 \
    ATOMIC_CHANGE(bits, type, code, fetch_and, __atomic_fetch_and)                                 \
    ATOMIC_CHANGE(bits, type, code, fetch_or, __atomic_fetch_or)                                   \
    ATOMIC_CHANGE(bits, type, code, fetch_xor, __atomic_fetch_xor)                                 \
    ATOMIC_CHANGE(bits, type, code, fetch_nand, __atomic_fetch_nand)                               \
    ATOMIC_COMPARE(bits, type, code, strong, false)                                                \
    ATOMIC_COMPARE(bits, type, code, weak, true)                                                   \
    ENTRY(type, __tsan_atomic##bits##_compare_exchange_val, volatile type *address, type expected, \
          type value, int order, int failure_order)                                                \
    {                                                                                              \
        __tsan_atomic##bits##_compare_exchange_strong(address, &expected, value, order,            \
                                                      failure_order);                              \
        return expected;                                                                           \
    }
ATOMIC(8, uint8_t, 0)
ATOMIC(16, uint16_t, 1)
ATOMIC(32, uint32_t, 2)
ATOMIC(64, uint64_t, 3)
/* NOLINTEND(bugprone-macro-parentheses) */

ENTRY(void, __tsan_atomic_thread_fence, int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

ENTRY(void, __tsan_atomic_signal_fence, int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
