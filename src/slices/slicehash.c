/* slicehash: finds the function that assigns addresses to L3 slices, and uses it.
 *
 * usage: slicehash COMMAND [OPTION...] [FILE...]
 * Reads maps (columns paddr, slice; or folders of binary ones), hashes and addresses; --help has
 * what each command reads and writes.
 *
 * example: slicehash solve maps | slicehash predict --hash - addresses.tsv
 */
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include "base/random.h"
#include "slices/answers/tables.h"
#include "slices/hash/hash_file.h"
#include "slices/hash/random_hash.h"
#include "slices/maps/map_file.h"
#include "table/table.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *hash_name, *page_list, *grid_name;
static uint64_t block_lines, highest, seed, slice_count;
static uint64_t sets = 2048, ways = 12, memory_bytes, draws;
static struct range offsets;

static const char *const formats[] = {"table", "published", NULL};
static struct choice format = CHOICE_OF(formats);

static const struct flag flags[] = {
    {"hash", FLAG_TEXT, &hash_name, "FILE", "the hash: a table from solve, or in published form"},
    {"format", FLAG_WORD, &format, "FORM", "solve, random: table or published"},
    {"block", FLAG_POWER, &block_lines, "LINES",
     "lines of a block, a power of two; random: of the base", .min = 16,
     .max = 1 << PAGE_LINES_BITS},
    {"highest-bit", FLAG_COUNT, &highest, "N", "the highest address bit of the masks",
     .max = ADDRESS_BITS_MAX - 1},
    {"at", FLAG_TEXT, &page_list, "ADDRESS,...",
     "predict: all lines of these pages, or of random:N", .excludes = "FILE"},
    {"slices", FLAG_COUNT, &slice_count, "N", "random: number of slices", .min = 2,
     .max = SLICES_MAX},
    {"sets", FLAG_POWER, &sets, "N", "conflicts, choose: sets of a slice (default 2048)",
     .max = 1 << 20},
    {"ways", FLAG_COUNT, &ways, "N", "conflicts, choose: ways of a set (default 12)"},
    {"bytes", FLAG_SIZE, &memory_bytes, "SIZE",
     "conflicts, choose: memory (default 1000000 per slice)"},
    {"draws", FLAG_COUNT, &draws, "N", "conflicts: on N draws of random pages",
     .excludes = "offsets FILE"},
    {"offsets", FLAG_RANGE, &offsets, "RANGE", "conflicts: start at each of these addresses",
     .excludes = "FILE"},
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

/* ---- solve ---- */

static int solve(char **files, int count)
{
    struct table *table;
    bool partial;
    struct slice_maps maps = maps_read(files, count, block_bits(0), &table, &partial);
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

/* The pages of --at, which the caller frees. */
static uint64_t *listed_pages(const struct slice_hash *hash, unsigned bits, size_t *count)
{
    static const char random[] = "random:";
    uint64_t *pages = allocate(strlen(page_list) + 1, sizeof *pages), number;
    if (strncmp(page_list, random, sizeof random - 1) == 0) {
        if (!parse_size(page_list + sizeof random - 1, &number) || number == 0)
            die_usage("--at '%s': expected random:N, a number of pages", page_list);
        *count = number;
        free(pages);
        return random_pages(highest_bit_or(hash->top_bit), bits, number, seed);
    }
    *count = 0;
    for (const char *at = page_list; at != NULL;) {
        size_t length = strcspn(at, ",");
        if (!paddr_parse(at, length, &pages[*count]) ||
            pages[*count] % ((uint64_t)1 << (LINE_BITS + bits)) != 0)
            die_usage("--at '%.*s': expected the address of a block of %zu lines", (int)length, at,
                      (size_t)1 << bits);
        (*count)++;
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return pages;
}

static int predict(char **files, int count)
{
    struct slice_hash hash = read_hash();
    int status;
    use_seed();
    if (page_list != NULL) {
        unsigned bits = block_bits(PAGE_LINES_BITS);
        size_t listed;
        uint64_t *pages = listed_pages(&hash, bits, &listed);
        status = predictions_put_maps(&hash, pages, listed, bits, seed);
        free(pages);
    } else {
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
    struct slice_hash hash = read_hash();
    struct table *table;
    bool partial;
    struct slice_maps maps = maps_read(files, count, block_bits(0), &table, &partial);
    int status = predictions_put_wrong(&hash, &maps, table);
    slice_hash_free(&hash);
    slice_maps_free(&maps);
    if (table != NULL)
        table_close(table);
    return partial ? STATUS_PARTIAL : status;
}

/* ---- conflicts, choose, traffic ---- */

static struct conflict_memory memory_of(const struct slice_hash *hash)
{
    return (struct conflict_memory){
        .hash = hash,
        .sets = sets,
        .ways = ways,
        .bytes = memory_bytes > 0 ? memory_bytes : hash->slices * (uint64_t)1000000,
        .page_bytes = (uint64_t)1 << (block_bits(PAGE_LINES_BITS) + LINE_BITS),
    };
}

/* What a command writes of the addresses in a table. */
typedef int put_addresses(const struct conflict_memory *memory, struct table *table);
static int put_table(put_addresses *put, const struct conflict_memory *memory, char **files,
                     int count)
{
    struct table *table = table_open(files, count);
    int status = put(memory, table);
    table_close(table);
    return status;
}

static int conflicts(char **files, int count)
{
    struct slice_hash hash = read_hash();
    struct conflict_memory memory = memory_of(&hash);
    use_seed();
    int status = draws > 0 ? conflicts_put_draws(&memory, draws, seed, highest_bit_or(hash.top_bit))
                 : offsets.count > 0 ? conflicts_put_offsets(&memory, &offsets)
                                     : put_table(conflicts_put_rows, &memory, files, count);
    slice_hash_free(&hash);
    return status;
}

static int choose_pages(char **files, int count)
{
    struct slice_hash hash = read_hash();
    struct conflict_memory memory = memory_of(&hash);
    int status = put_table(conflicts_put_choice, &memory, files, count);
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
        .index_bits = block_bits(12),
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
    {"solve", "maps in, hash out: base sequence and masks", "format block highest-bit ", true,
     solve},
    {"predict", "addresses in, slices out; or maps of whole pages",
     "hash block highest-bit at seed ", true, predict},
    {"check", "maps in, lines that disagree with the hash out", "hash block ", true, check},
    {"random", "a random hash out", "format block highest-bit slices seed ", false, make_random},
    {"conflicts", "how lines spread over the sets of each slice",
     "hash block highest-bit seed sets ways bytes draws offsets ", true, conflicts},
    {"choose", "addresses in, the pages of these that memory fits best out",
     "hash block sets ways bytes ", true, choose_pages},
    {"traffic", "addresses in, lines and bytes of each slice or link out", "hash grid ", true,
     traffic},
    {0},
};

static const struct program program = {
    .name = "slicehash",
    .purpose = "find the hash that assigns addresses to L3 slices, and use it",
    .operands = "COMMAND [FILE...]",
    .example = "slicehash solve maps >hash.tsv",
    .flags = flags,
    .writes_table = true,
    .commands = commands,
};

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    return finish(command_run(commands, argc, argv, first));
}
