/* stream.c: the tables of streaming loops and kernels, and the kernels that run everywhere. */
#include "memory/streams/stream.h"
#include "base/args.h"
#include <stdio.h>
#include <string.h>

const struct stream_op stream_ops[] = {
    {"read", "a[i]", STREAM_READ, 1, 1, 0, false},
    {"write", "a[i] = s", STREAM_WRITE, 1, 0, 1, false},
    {"copy", "a[i] = b[i]", STREAM_COPY, 2, 1, 1, false},
    {"scale", "a[i] = s * b[i]", STREAM_SCALE, 2, 1, 1, false},
    {"add", "a[i] = b[i] + c[i]", STREAM_ADD, 3, 2, 1, false},
    {"triad", "a[i] = b[i] + s * c[i]", STREAM_TRIAD, 3, 2, 1, false},
    {"write_nt", "write, past the caches", STREAM_WRITE, 1, 0, 1, true},
    {"copy_nt", "copy, written past the caches", STREAM_COPY, 2, 1, 1, true},
    {"scale_nt", "scale, likewise", STREAM_SCALE, 2, 1, 1, true},
    {"add_nt", "add, likewise", STREAM_ADD, 3, 2, 1, true},
    {"triad_nt", "triad, likewise", STREAM_TRIAD, 3, 2, 1, true},
    {0},
};

/* ---- kernels that run everywhere ---- */

/* An empty volatile statement takes each element, which makes the compiler keep the loads. */
static void c_read(const double *a, size_t count, size_t spacing)
{
    size_t i = 0;
    for (; count > 7 * spacing && i < count - 7 * spacing; i += 8 * spacing)
        for (size_t k = 0; k < 8; k++)
            __asm__ volatile("" : : "r"(a[i + k * spacing]));
    for (; i < count; i += spacing)
        __asm__ volatile("" : : "r"(a[i]));
}

static void c_pass(const struct stream_work *work, double *a, const double *b, const double *c)
{
    size_t count = work->count;
    switch (work->loop) {
    case STREAM_WRITE:
        for (size_t i = 0; i < count; i++)
            a[i] = stream_fill;
        break;
    case STREAM_COPY:
        for (size_t i = 0; i < count; i++)
            a[i] = b[i];
        break;
    case STREAM_SCALE:
        for (size_t i = 0; i < count; i++)
            a[i] = stream_scalar * b[i];
        break;
    case STREAM_ADD:
        for (size_t i = 0; i < count; i++)
            a[i] = b[i] + c[i];
        break;
    case STREAM_TRIAD:
        for (size_t i = 0; i < count; i++)
            a[i] = b[i] + stream_scalar * c[i];
        break;
    default:
        c_read(a, count, work->loop == STREAM_SPACED ? work->spacing : 1);
    }
}

static void plain_c(const struct stream_work *work)
{
    for (size_t pass = work->passes; pass > 0; pass--) {
        double *a = work->a;
        __asm__ volatile("" : "+r"(a) : : "memory"); /* each pass is a new one */
        c_pass(work, a, work->b, work->c);
    }
}

static void library(const struct stream_work *work)
{
    for (size_t pass = work->passes; pass > 0; pass--) {
        if (work->loop == STREAM_COPY)
            memcpy(work->a, work->b, work->count * sizeof *work->a);
        else
            memset(work->a, STREAM_FILL_BYTE, work->count * sizeof *work->a);
        __asm__ volatile("" : : "r"(work->a) : "memory");
    }
}

static const struct stream_kernel portable[] = {
    {"c", "plain C, as compiled", (1 << STREAM_LOOPS) - 1, false, NULL, plain_c},
    {"libc", "the C library's memset and memcpy", 1 << STREAM_WRITE | 1 << STREAM_COPY, false, NULL,
     library},
    {0},
};

/* ---- the tables ---- */

const struct stream_kernel *stream_kernel(size_t k)
{
    const struct stream_kernel *const lists[] = {stream_vector, portable, NULL};
    for (size_t i = 0; lists[i] != NULL; i++)
        for (const struct stream_kernel *kernel = lists[i]; kernel->name != NULL; kernel++)
            if (k-- == 0)
                return kernel;
    return NULL;
}

const struct stream_kernel *stream_kernel_find(const char *name)
{
    const struct stream_kernel *kernel;
    for (size_t k = 0; (kernel = stream_kernel(k)) != NULL; k++)
        if (strcmp(kernel->name, name) == 0)
            return kernel;
    return NULL;
}

const char *stream_unfit(const struct stream_kernel *kernel, const struct stream_op *op,
                         bool spaced)
{
    if ((kernel->loops & 1U << (spaced ? STREAM_SPACED : op->loop)) == 0)
        return "it has no such loop";
    if (op->past_only && !kernel->past)
        return "it does not write past the caches";
    return kernel->unavailable != NULL ? kernel->unavailable() : NULL;
}

bool stream_is_possible(const struct stream_op *op, bool spaced)
{
    const struct stream_kernel *kernel;
    for (size_t k = 0; (kernel = stream_kernel(k)) != NULL; k++)
        if (stream_unfit(kernel, op, spaced) == NULL)
            return true;
    return false;
}

unsigned stream_bytes(const struct stream_op *op)
{
    return 8 * (op->reads + op->writes);
}

void stream_print_ops(void)
{
    for (const struct stream_op *op = stream_ops; op->name != NULL; op++) {
        unsigned bytes = stream_bytes(op), filled = op->past_only ? 0 : 8 * op->writes;
        printf("  %-26s %-30s %2u (%u)\n", op->name, op->help, bytes, bytes + filled);
    }
}

void stream_print_kernels(void)
{
    const struct stream_kernel *kernel;
    for (size_t k = 0; (kernel = stream_kernel(k)) != NULL; k++) {
        const char *why = kernel->unavailable != NULL ? kernel->unavailable() : NULL;
        char text[256];
        snprintf(text, sizeof text, "%s%s%s", kernel->help, why != NULL ? "; not here: " : "",
                 why != NULL ? why : "");
        help_entry(kernel->name, text);
    }
}
