/* student_machine.c: draws a simulated machine from a name and a secret. */
#include "tlb/simulate/student_machine.h"
#include "base/error.h"
#include "base/random.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { PAGE = 4096, HUGE = 2 << 20, LINE = 64, SECRET_MAX = 4096, ID_MAX = 48 };

/* ---- drawing ---- */

static uint64_t between(struct random *r, uint64_t low, uint64_t high, uint64_t step)
{
    return low + step * random_below(r, (high - low) / step + 1);
}

/* Tenths of a nanosecond, so the table holds the exact time. */
static double tenths(struct random *r, uint64_t low, uint64_t high)
{
    return (double)between(r, low, high, 1) / 10;
}

/* Fully associative with any number of entries, or 4-way set-associative. */
static struct assoc_shape draw_first(struct random *r)
{
    uint64_t sets = (uint64_t)8 << random_below(r, 3);
    if (random_below(r, 3) == 0)
        return (struct assoc_shape){.entries = 4 * sets, .ways = 4};
    uint64_t entries = between(r, 32, 128, 4);
    return (struct assoc_shape){.entries = entries, .ways = entries};
}

/* 512 to 4096 entries, at least eight times those of both first levels, which keeps the two knees
 * apart. Bits are folded only after a small first level, where geometry(1) can find the ways. */
static struct assoc_shape draw_second(struct random *r, uint64_t data, uint64_t code)
{
    static const uint64_t ways[] = {6, 8, 12, 16, 24};
    struct assoc_shape shape = {0};
    do {
        uint64_t bits = between(r, 6, 8, 1);
        shape.ways = ways[random_below(r, sizeof ways / sizeof *ways)];
        shape.entries = shape.ways << bits;
        shape.fold = random_below(r, 2) == 0 ? 0 : (unsigned)bits;
    } while (shape.entries < 512 || shape.entries > 4096 || shape.entries < 8 * data ||
             shape.entries < 8 * code || (shape.fold > 0 && data > 64));
    shape.index = shape.fold > 0 ? INDEX_XOR : INDEX_LINEAR;
    return shape;
}

static struct assoc_shape draw_cache(struct random *r, uint64_t low_log, uint64_t high_log,
                                     uint64_t ways)
{
    return (struct assoc_shape){.entries = ways << between(r, low_log, high_log, 1), .ways = ways};
}

/* ---- the machine ---- */

static void add(struct model_rows *rows, struct model_level level)
{
    rows->at[rows->count++] = level;
}

/* Two levels for one page size; data and instructions share the second. */
static void add_tlb(struct model_rows *rows, uint64_t page, struct assoc_shape first,
                    struct assoc_shape second, uint64_t coalesce, double second_ns)
{
    add(rows, (struct model_level){
                  .shape = first, .number = 1, .page_bytes = page, .coalesce = coalesce});
    add(rows, (struct model_level){.shape = second,
                                   .number = 2,
                                   .page_bytes = page,
                                   .coalesce = coalesce,
                                   .ns = second_ns});
}

static void draw_tlbs(struct random *r, struct model *model)
{
    struct assoc_shape data = draw_first(r), code = draw_first(r);
    struct assoc_shape second = draw_second(r, data.entries, code.entries);
    struct assoc_shape huge = {.entries = between(r, 16, 64, 8)};
    uint64_t coalesce = (uint64_t)1 << random_below(r, 4);
    double second_ns = tenths(r, 12, 28);
    huge.ways = huge.entries;
    add_tlb(&model->dtlb, PAGE, data, second, coalesce, second_ns);
    add_tlb(&model->itlb, PAGE, code, second, coalesce, second_ns);
    add_tlb(&model->dtlb, HUGE, huge, second, 1, second_ns);
    model->walk_ns = tenths(r, 60, 160);
}

static void draw_caches(struct random *r, struct model *model)
{
    struct assoc_shape first = draw_cache(r, 6, 6, between(r, 8, 12, 4));
    struct assoc_shape second = draw_cache(r, 10, 11, between(r, 8, 16, 8));
    struct assoc_shape third = draw_cache(r, 13, 15, 16);
    add(&model->cache,
        (struct model_level){.shape = first, .number = 1, .coalesce = 1, .ns = tenths(r, 8, 14)});
    add(&model->cache,
        (struct model_level){.shape = second, .number = 2, .coalesce = 1, .ns = tenths(r, 26, 46)});
    add(&model->cache,
        (struct model_level){.shape = third, .number = 3, .coalesce = 1, .ns = tenths(r, 90, 200)});
    model->memory_ns = tenths(r, 700, 1100);
}

/* Eight bytes of a hash as a number, big-endian on every machine. */
static uint64_t word(const unsigned char *bytes)
{
    uint64_t x = 0;
    for (int i = 0; i < 8; i++)
        x = x << 8 | bytes[i];
    return x;
}

void student_machine_draw(struct model *model, uint64_t *seed, const void *secret, size_t length,
                          const char *id)
{
    unsigned char hash[HASH_BYTES];
    struct random random;
    hash_text(hash, secret, length, id);
    random_seed(&random, word(hash), word(hash + 8));
    *model = (struct model){
        .page_bytes = PAGE, .line_bytes = LINE, .memory_bytes = (uint64_t)16 << 30};
    snprintf(model->name, sizeof model->name, "machine of %s", id);
    draw_tlbs(&random, model);
    draw_caches(&random, model);
    /* Another part of the hash: noise that reveals the seed does not reveal the machine. */
    *seed = word(hash + 16);
}

/* ---- from a file ---- */

static void check_id(const char *id)
{
    if (*id == '\0' || strlen(id) > ID_MAX)
        die_usage("--id: 1 to %d bytes, not '%s'", ID_MAX, id);
    for (const char *c = id; *c != '\0'; c++)
        if (iscntrl((unsigned char)*c))
            die_usage("--id: a control character in '%s'", id);
}

void student_machine_read(struct model *model, uint64_t *seed, const char *path, const char *id)
{
    char secret[SECRET_MAX + 1];
    check_id(id);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        die("%s: %s", path, strerror(errno));
    size_t length = fread(secret, 1, sizeof secret, file);
    if (ferror(file))
        die("%s: %s", path, strerror(errno));
    fclose(file);
    if (length > SECRET_MAX)
        die("%s: a secret of more than %d bytes", path, SECRET_MAX);
    while (length > 0 && isspace((unsigned char)secret[length - 1]))
        length--;
    if (length < SECRET_MIN)
        die("%s: a secret of %zu bytes can be guessed; `head -c 24 /dev/urandom | base64` makes a "
            "better one",
            path, length);
    student_machine_draw(model, seed, secret, length, id);
}
