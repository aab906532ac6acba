/* slicehash: finds the function that assigns addresses to L3 slices, and uses it.
 *
 * usage: slicehash COMMAND [OPTION...] [FILE...]
 * Reads maps (columns paddr, slice; or binary ones with --raw), hashes and addresses; --help has
 * what each command reads and writes.
 *
 * example: slicehash solve --raw maps | slicehash predict --hash - addresses.tsv
 */
#include "base/args.h"
#include "base/error.h"
#include "base/random.h"
#include "base/range.h"
#include "slices/answers/tables.h"
#include "slices/hash/hash_file.h"
#include "slices/hash/paddr.h"
#include "slices/hash/random_hash.h"
#include "slices/maps/map_make.h"
#include "slices/maps/map_table.h"
#include "table/table.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *hash_name, *raw_folder, *page_list;
static uint64_t block_lines, paddr_bits, highest, seed, slice_count, base_lines = 4096;
static uint64_t random_pages;
static bool suggest;
static uint64_t sets = 2048, ways = 12, memory_bytes, draws;
static struct range offsets;
static const char *grid_name;

static const char *const formats[] = {"table", "published", NULL};
static struct choice format = CHOICE_OF(formats);

static const struct flag flags[] = {
    {"hash", FLAG_TEXT, &hash_name, "FILE", "the hash: a table from solve, or in published form"},
    {"raw", FLAG_TEXT, &raw_folder, "DIR", "binary maps, PADDR_0x….map, instead of a table"},
    {"format", FLAG_WORD, &format, "FORM", "solve, random: table or published"},
    {"block", FLAG_POWER, &block_lines, "LINES", "lines of a block, a power of two", .min = 16,
     .max = 1 << PAGE_LINES_BITS},
    {"paddr-bits", FLAG_COUNT, &paddr_bits, "N",
     "only the N low bits of the addresses are physical"},
    {"highest-bit", FLAG_COUNT, &highest, "N", "the highest address bit of the masks",
     .max = ADDRESS_BITS_MAX - 1},
    {"at", FLAG_TEXT, &page_list, "ADDRESS,...", "predict: all lines of these pages",
     .excludes = "random-pages draws offsets FILE"},
    {"random-pages", FLAG_COUNT, &random_pages, "N", "predict: all lines of N random pages",
     .excludes = "draws offsets FILE"},
    {"slices", FLAG_COUNT, &slice_count, "N", "random: number of slices", .min = 2,
     .max = SLICES_MAX},
    {"lines", FLAG_POWER, &base_lines, "LINES", "random: length of the base, 16 to 16k", .min = 16,
     .max = 1 << 14},
    {"sets", FLAG_POWER, &sets, "N", "conflicts: sets of a slice (default 2048)", .max = 1 << 20},
    {"ways", FLAG_COUNT, &ways, "N", "conflicts: ways of a set (default 12)"},
    {"bytes", FLAG_SIZE, &memory_bytes, "SIZE", "conflicts: memory (default 1000000 per slice)"},
    {"draws", FLAG_COUNT, &draws, "N", "conflicts: on N draws of random pages",
     .excludes = "offsets FILE"},
    {"offsets", FLAG_RANGE, &offsets, "RANGE", "conflicts: start at each of these addresses",
     .excludes = "FILE"},
    {"suggest", FLAG_YES, &suggest, NULL, "conflicts: only the choice with minimum overflow"},
    {"grid", FLAG_TEXT, &grid_name, "FILE", "traffic: where slices and cores are; writes links"},
    {"seed", FLAG_COUNT, &seed, "N", "random seed"},
    {0},
};

/* ---- options that several commands share ---- */

static unsigned block_bits(unsigned otherwise)
{
    return block_lines > 0 ? highest_bit(block_lines) : otherwise;
}

static unsigned highest_bit_or(unsigned otherwise)
{
    return highest > 0 ? (unsigned)highest : otherwise;
}

static struct slice_hash read_hash(void)
{
    if (hash_name == NULL)
        die_usage("which hash? --hash FILE");
    return hash_read(hash_name);
}

static void use_seed(void)
{
    if (seed == 0)
        seed = random_fresh_seed();
}

static struct map_source map_source(char **files, int count)
{
    return (struct map_source){files, count, raw_folder, block_bits(0), paddr_bits};
}

/* ---- solve ---- */

static int solve(char **files, int count)
{
    struct map_source source = map_source(files, count);
    struct table *table;
    bool partial = false;
    struct slice_maps maps = map_source_read(&source, &table, &partial);
    struct slice_solution solution = slice_solve(&maps, highest_bit_or(0));
    bool published = format.chosen == &formats[1];
    solution_remark(&solution);
    if (solution.outcome == SOLVED && published)
        solution_put_published(&solution);
    else if (solution.outcome == SOLVED)
        solution_put_table(&solution, table);
    int status = partial ? STATUS_PARTIAL : solution_status(&solution);
    slice_solution_free(&solution);
    slice_maps_free(&maps);
    if (table != NULL)
        table_close(table);
    return status;
}

/* ---- predict ---- */

/* The addresses of --at or --random-pages; the caller frees them. */
static uint64_t *listed_pages(const struct slice_hash *hash, unsigned bits, size_t *count)
{
    if (page_list == NULL) {
        *count = random_pages;
        return map_random_pages(highest_bit_or(hash->top_bit), bits, random_pages, seed);
    }
    uint64_t *pages = allocate(strlen(page_list) + 1, sizeof *pages);
    *count = 0;
    for (const char *at = page_list; *at != '\0';) {
        size_t length = strcspn(at, ",");
        if (!paddr_parse(at, length, &pages[*count]) ||
            pages[*count] % ((uint64_t)1 << (LINE_BITS + bits)) != 0)
            die_usage("--at '%.*s': expected the address of a block of %zu lines", (int)length, at,
                      (size_t)1 << bits);
        (*count)++;
        at += length + (at[length] == ',');
    }
    return pages;
}

static int predict_pages(const struct slice_hash *hash)
{
    unsigned bits = block_bits(PAGE_LINES_BITS);
    size_t count;
    uint64_t *pages = listed_pages(hash, bits, &count);
    int status = predictions_put_maps(hash, pages, count, bits, seed, raw_folder);
    free(pages);
    return status;
}

static int predict(char **files, int count)
{
    bool pages = page_list != NULL || random_pages > 0;
    struct slice_hash hash = read_hash();
    int status;
    use_seed();
    if (pages)
        status = predict_pages(&hash);
    else {
        struct table *table = table_open(files, count);
        status = predictions_put_rows(&hash, table);
        table_close(table);
    }
    slice_hash_free(&hash);
    return status;
}

/* ---- check ---- */

static int check(char **files, int count)
{
    struct map_source source = map_source(files, count);
    struct slice_hash hash = read_hash();
    struct table *table;
    bool partial = false;
    struct slice_maps maps = map_source_read(&source, &table, &partial);
    int status = predictions_put_wrong(&hash, &maps, table);
    slice_hash_free(&hash);
    slice_maps_free(&maps);
    if (table != NULL)
        table_close(table);
    return partial ? STATUS_PARTIAL : status;
}

/* ---- conflicts, traffic ---- */

static int conflicts_on_pages(const struct conflict_memory *memory)
{
    unsigned bits = highest_bit(memory->page_bytes) - LINE_BITS;
    size_t count, needed = (size_t)((memory->bytes + memory->page_bytes - 1) / memory->page_bytes);
    uint64_t *pages = listed_pages(memory->hash, bits, &count);
    if (!suggest && count < needed)
        die_usage("--bytes: %zu pages are needed, there are %zu", needed, count);
    int status = suggest ? conflicts_put_choice(memory, pages, count)
                         : conflicts_put_pages(memory, pages);
    free(pages);
    return status;
}

static int conflicts(char **files, int count)
{
    struct slice_hash hash = read_hash();
    bool on_pages = page_list != NULL || random_pages > 0;
    struct conflict_memory memory = {
        .of = {sets, ways},
        .bytes = memory_bytes > 0 ? memory_bytes : hash.slices * (uint64_t)1000000,
        .page_bytes = (uint64_t)1 << (block_bits(PAGE_LINES_BITS) + LINE_BITS),
        .hash = &hash,
    };
    int status;
    use_seed();
    if (on_pages)
        status = conflicts_on_pages(&memory);
    else if (draws > 0)
        status = conflicts_put_draws(&memory, draws, seed, highest_bit_or(hash.top_bit), suggest);
    else if (offsets.count > 0)
        status = conflicts_put_offsets(&memory, &offsets, suggest);
    else {
        struct table *table = table_open(files, count);
        status = conflicts_put_rows(&memory, table);
        table_close(table);
    }
    slice_hash_free(&hash);
    return status;
}

static int traffic(char **files, int count)
{
    struct slice_hash hash = read_hash();
    struct table *table = table_open(files, count);
    int status = traffic_put(&hash, table, grid_name);
    table_close(table);
    slice_hash_free(&hash);
    return status;
}

/* ---- random ---- */

static int make_random(char **files, int count)
{
    (void)files, (void)count;
    if (slice_count == 0)
        die_usage("how many slices? --slices N");
    use_seed();
    struct random_hash wanted = {
        .slices = (unsigned)slice_count,
        .index_bits = highest_bit(base_lines),
        .top_bit = highest_bit_or(37),
        .seed = seed,
    };
    struct slice_hash hash = random_hash_make(&wanted);
    if (format.chosen == &formats[1])
        hash_put_published(&hash);
    else {
        table_begin(NULL);
        table_put_meta("seed", "%llu", (unsigned long long)seed);
        hash_put_meta(&hash);
        hash_put_rows(&hash);
    }
    slice_hash_free(&hash);
    return STATUS_DONE;
}

/* ---- commands ---- */

static const struct command commands[] = {
    {"solve", "maps in, hash out: base sequence and masks",
     "raw format block paddr-bits highest-bit ", true, solve},
    {"predict", "addresses in, slices out; or maps of whole pages",
     "hash raw block highest-bit at random-pages seed ", true, predict},
    {"check", "maps in, lines that disagree with the hash out", "hash raw block paddr-bits ", true,
     check},
    {"random", "a random hash out", "format highest-bit slices lines seed ", false, make_random},
    {"conflicts", "how lines spread over the sets of each slice",
     "hash block highest-bit at random-pages seed sets ways bytes draws offsets suggest ", true,
     conflicts},
    {"traffic", "addresses in, lines and bytes of each slice or link out", "hash grid ", true,
     traffic},
    {0},
};

static const struct program program = {
    .name = "slicehash",
    .purpose = "find the hash that assigns addresses to L3 slices, and use it",
    .operands = "COMMAND [FILE...]",
    .example = "slicehash solve --raw maps >hash.tsv",
    .flags = flags,
    .writes_table = true,
    .commands = commands,
};

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    return finish(command_run(commands, argc, argv, first));
}
