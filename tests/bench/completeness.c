/* completeness.c: functions whose accesses are known from their source, for
 * tests/bench/completeness. Each is called once, with COUNT elements. With -DCOUNT_CALLS the entry
 * points of the instrumentation instead, which count the calls from each place and print
 * "read|write ADDRESS NUMBER" at the end. */
#include <stddef.h>
#include <stdint.h>

#ifndef COUNT_CALLS
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1000 };
#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noinline, noclone))
#endif
#define FUNCTION APART void

struct pair {
    long first, second;
};
struct large {
    long words[32];
};
struct bits {
    unsigned low : 5, high : 11;
};

/* Not static: as far as the compiler knows, another file might change them. */
long from[COUNT], to[COUNT], sum;
struct pair pairs[COUNT];
struct large larges[2];
struct bits bits[COUNT];
char text[8 * COUNT + 8];
static const double table[4] = {1, 2, 3, 5};
double results[COUNT];
_Atomic long counter;
volatile long device;

FUNCTION read_each(void)
{
    for (int i = 0; i < COUNT; i++)
        sum += from[i];
}

FUNCTION write_each(void)
{
    for (int i = 0; i < COUNT; i++)
        to[i] = i;
}

FUNCTION change_each(void)
{
    for (int i = 0; i < COUNT; i++)
        to[i] ^= from[COUNT - 1 - i];
}

FUNCTION copy_pairs(void)
{
    for (int i = 1; i < COUNT; i++)
        pairs[i] = pairs[i - 1];
}

FUNCTION copy_large(void)
{
    larges[1] = larges[0];
}

FUNCTION copy_block(void)
{
    memcpy(to, from, sizeof to);
    sum ^= to[1];
}

FUNCTION change_bits(void)
{
    for (int i = 0; i < COUNT; i++)
        bits[i].high = bits[i].low;
}

FUNCTION read_unaligned(void)
{
    struct __attribute__((packed)) odd {
        char c;
        long l;
    };
    for (int i = 0; i < COUNT - 1; i++)
        sum ^= ((const struct odd *)(text + 8 * i))->l;
}

FUNCTION add_atomically(void)
{
    for (int i = 0; i < COUNT; i++)
        atomic_fetch_add(&counter, 1);
}

FUNCTION read_device(void)
{
    for (int i = 0; i < COUNT; i++)
        device;
}

FUNCTION look_up(void)
{
    for (int i = 0; i < COUNT; i++)
        results[i] = table[from[i] & 3];
}

FUNCTION keep_locals(void)
{
    long local[16] = {0};
    for (int i = 0; i < COUNT; i++)
        local[from[i] & 15] += i;
    for (int i = 0; i < 16; i++)
        sum += local[i];
}

static APART long many(long a, long b, long c, long d, long e, long f, long g)
{
    return a ^ b ^ c ^ d ^ e ^ f ^ g;
}

FUNCTION call_often(void)
{
    long x = 0;
    for (int i = 0; i < COUNT; i++)
        x += many(i, x, i, x, i, x, x + i);
    sum = x;
}

int main(void)
{
    read_each();
    write_each();
    change_each();
    copy_pairs();
    copy_large();
    copy_block();
    change_bits();
    read_unaligned();
    add_atomically();
    read_device();
    look_up();
    keep_locals();
    call_often();
    return sum == 42;
}

#else
#include <inttypes.h>
#include <stdio.h>

enum { PLACES = 4096, PAGE = 4096 };
static struct {
    uintptr_t site;
    unsigned long reads, writes;
} places[PLACES];

static void count(uintptr_t site, unsigned long reads, unsigned long writes)
{
    size_t at = site % PLACES;
    while (places[at].site != 0 && places[at].site != site)
        at = (at + 1) % PLACES;
    places[at].site = site;
    places[at].reads += reads;
    places[at].writes += writes;
}

__attribute__((destructor)) static void print(void)
{
    for (size_t i = 0; i < PLACES; i++)
        if (places[i].site != 0)
            printf("%" PRIxPTR " %lu %lu\n", places[i].site - 1, places[i].reads, places[i].writes);
}

#define SITE ((uintptr_t)__builtin_return_address(0))
#define ACCESS(name, reads, writes)                                                                \
    void __tsan_##name(void *address);                                                             \
    void __tsan_##name(void *address)                                                              \
    {                                                                                              \
        (void)address;                                                                             \
        count(SITE, reads, writes);                                                                \
    }
#define SIZES(prefix, reads, writes)                                                               \
    ACCESS(prefix##1, reads, writes)                                                               \
    ACCESS(prefix##2, reads, writes)                                                               \
    ACCESS(prefix##4, reads, writes)                                                               \
    ACCESS(prefix##8, reads, writes)                                                               \
    ACCESS(prefix##16, reads, writes)
SIZES(read, 1, 0)
SIZES(write, 0, 1)
SIZES(read_write, 1, 1)
SIZES(unaligned_read, 1, 0)
SIZES(unaligned_write, 0, 1)
SIZES(unaligned_read_write, 1, 1)
SIZES(volatile_read, 1, 0)
SIZES(volatile_write, 0, 1)

/* A range counts once. */
void __tsan_read_range(void *address, unsigned long bytes);
void __tsan_read_range(void *address, unsigned long bytes)
{
    (void)address;
    (void)bytes;
    count(SITE, 1, 0);
}

void __tsan_write_range(void *address, unsigned long bytes);
void __tsan_write_range(void *address, unsigned long bytes)
{
    (void)address;
    (void)bytes;
    count(SITE, 0, 1);
}

static void *copy(void *to, const void *from, size_t bytes, uintptr_t site)
{
    for (size_t i = 0; i < bytes; i++)
        ((volatile char *)to)[i] = ((const volatile char *)from)[i];
    count(site, 1, 1);
    return to;
}

/* Functions that tlbcc intercepts by --wrap, and those that clang calls instead. */
void *__wrap_memcpy(void *to, const void *from, size_t bytes);
void *__wrap_memcpy(void *to, const void *from, size_t bytes)
{
    return copy(to, from, bytes, SITE);
}

void *__tsan_memcpy(void *to, const void *from, size_t bytes);
void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    return copy(to, from, bytes, SITE);
}

static void *set(void *to, int value, size_t bytes, uintptr_t site)
{
    for (size_t i = 0; i < bytes; i++)
        ((volatile char *)to)[i] = (char)value;
    count(site, 0, 1);
    return to;
}

void *__wrap_memset(void *to, int value, size_t bytes);
void *__wrap_memset(void *to, int value, size_t bytes)
{
    return set(to, value, bytes, SITE);
}

void *__tsan_memset(void *to, int value, size_t bytes);
void *__tsan_memset(void *to, int value, size_t bytes)
{
    return set(to, value, bytes, SITE);
}

long __tsan_atomic64_fetch_add(volatile long *address, long value, int order);
long __tsan_atomic64_fetch_add(volatile long *address, long value, int order)
{
    (void)order;
    count(SITE, 1, 1);
    return __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
}

void __tsan_func_entry(void *from);
void __tsan_func_entry(void *from)
{
    (void)from;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

void __tsan_init(void);
void __tsan_init(void)
{
}
#endif
