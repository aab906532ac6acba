/* test_slice_solve.c: hashes of all kinds, made at random, are found again from maps of random
 * blocks: clean, with wrong and missing entries, and with a mislabelled block.
 *
 *     bin/.obj/plain/tests/slices/test_slice_solve
 */
#include "base/xor_space.h"
#include "slices/drawn_hash.h"
#include "slices/solve/slice_solve.h"
#include "tap.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOP_BIT = 37, SEEDS = 100 };

/* A hash, and the blocks that are measured of it. */
struct kind {
    unsigned slices, index_bits, symmetries, near;
    bool linear;
    unsigned block_bits;
    size_t blocks;
    double wrong, missing;
};

static struct slice_hash make_hash(const struct kind *k, uint64_t seed)
{
    const struct drawn_hash wanted = {.slices = k->slices,
                                      .index_bits = k->index_bits,
                                      .symmetries = k->symmetries,
                                      .near = k->near,
                                      .linear = k->linear,
                                      .top_bit = TOP_BIT,
                                      .seed = seed};
    return drawn_hash_make(&wanted);
}

static void put_block(struct slice_lines *lines, uint64_t paddr, const signed char *slices,
                      unsigned bits)
{
    for (size_t i = 0; i < (size_t)1 << bits; i++)
        slice_lines_put(lines, paddr + ((uint64_t)i << LINE_BITS), slices[i]);
}

/* Maps of random blocks. */
static struct slice_maps make_maps(const struct kind *k, const struct slice_hash *hash,
                                   uint64_t mislabelled, uint64_t seed)
{
    struct map_flaws flaws = {k->wrong, k->missing, mislabelled, seed};
    uint64_t *pages = random_pages(TOP_BIT, k->block_bits, k->blocks, seed);
    signed char *slices = malloc((size_t)1 << k->block_bits);
    struct slice_lines *lines = slice_lines_begin(0);
    for (size_t i = 0; i < k->blocks; i++) {
        flawed_map(hash, pages[i], k->block_bits, i, &flaws, slices);
        put_block(lines, pages[i], slices, k->block_bits);
    }
    free(slices);
    free(pages);
    return slice_lines_end(lines, 0);
}

static bool same_hash(const struct slice_hash *a, const struct slice_hash *b)
{
    return a->index_bits == b->index_bits && a->slices == b->slices &&
           memcmp(a->base, b->base, (size_t)1 << a->index_bits) == 0 &&
           memcmp(a->mask, b->mask, sizeof a->mask) == 0;
}

/* Checks that a kind of hash is found again; says which is not. */
static void check_kind(const struct kind *k, uint64_t seed)
{
    struct slice_hash hash = make_hash(k, seed);
    struct slice_maps maps = make_maps(k, &hash, 0, seed);
    struct slice_solution found = slice_solve(&maps, TOP_BIT);
    bool same = found.outcome == SOLVED && same_hash(&found.hash, &hash);
    if (!same || found.pages_needed > 0 || found.unlike + found.mislabelled + found.suspect > 0)
        printf(
            "# %u slices, base 2^%u, symmetries 2^%u, near 2^%u, %zu blocks of 2^%u lines, %g %% "
            "wrong, seed %llu: outcome %d\n",
            k->slices, k->index_bits, k->symmetries, k->near, k->blocks, k->block_bits, k->wrong,
            (unsigned long long)seed, (int)found.outcome);
    CU_ASSERT_TRUE(same);
    CU_ASSERT_EQUAL(found.unlike + found.mislabelled + found.suspect, 0);
    CU_ASSERT_EQUAL(found.pages_needed, 0);
    slice_solution_free(&found);
    slice_maps_free(&maps);
    slice_hash_free(&hash);
}

static void check_kinds(const struct kind *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (uint64_t seed = 1; seed <= (getenv("LONG") != NULL ? 5 : 1); seed++)
            check_kind(&kinds[i], seed);
}
#define CHECK_KINDS(kinds) check_kinds(kinds, sizeof kinds / sizeof *(kinds))

/* ---- kinds ---- */

TEST(clean_maps_of_all_kinds)
{
    static const struct kind kinds[] = {
        {16, 4, 0, 0, true, 6, 200, 0, 0},   {2, 4, 0, 0, true, 9, 60, 0, 0},
        {64, 6, 0, 0, true, 8, 60, 0, 0},    {8, 10, 0, 0, true, 11, 48, 0, 0},
        {3, 4, 0, 0, false, 7, 100, 0, 0},   {14, 12, 3, 0, false, 12, 48, 0, 0},
        {18, 11, 1, 1, false, 12, 48, 0, 0}, {28, 11, 0, 2, false, 12, 48, 0, 0},
        {60, 12, 0, 0, false, 12, 48, 0, 0}, {2, 10, 2, 3, false, 11, 48, 0, 0},
        {101, 9, 0, 0, false, 9, 60, 0, 0},
    };
    CHECK_KINDS(kinds);
}

TEST(wrong_entries_are_outvoted)
{
    static const struct kind kinds[] = {
        {16, 4, 0, 0, true, 11, 48, 1, 0},    {18, 10, 1, 1, false, 11, 48, 1, 0},
        {40, 9, 0, 2, false, 11, 64, 10, 0},  {16, 4, 0, 0, true, 11, 64, 30, 0},
        {18, 11, 1, 1, false, 12, 96, 30, 0}, {5, 5, 0, 0, false, 12, 64, 30, 0},
    };
    CHECK_KINDS(kinds);
}

TEST(missing_entries)
{
    static const struct kind kinds[] = {
        {20, 8, 0, 0, false, 10, 64, 0, 40},
        {24, 9, 0, 1, false, 11, 64, 10, 40},
        {12, 11, 2, 0, false, 11, 64, 1, 60},
    };
    CHECK_KINDS(kinds);
}

TEST(pages_of_2_MiB)
{
    static const struct kind kinds[] = {
        {56, 14, 0, 1, false, PAGE_LINES_BITS, 24, 1, 0},
        {14, 14, 3, 1, false, PAGE_LINES_BITS, 48, 30, 0},
        {16, 4, 0, 0, true, PAGE_LINES_BITS, 48, 30, 10},
    };
    if (!tap_brief())
        check_kinds(kinds, getenv("LONG") != NULL ? sizeof kinds / sizeof *kinds : 1);
}

/* Of any number of slices, with entries wrong and missing. */
TEST(kinds_at_random)
{
    static const double wrong[] = {0, 1, 10, 30};
    for (uint64_t seed = 1; seed <= (getenv("LONG") != NULL ? 100 : 2); seed++) {
        struct random random;
        random_seed(&random, seed, 0);
        size_t flaws = random_below(&random, 4);
        struct kind kind = {.index_bits = (unsigned)(4 + random_below(&random, 9)),
                            .missing = flaws < 3 ? 15 * (double)random_below(&random, 3) : 0,
                            .wrong = wrong[flaws],
                            .blocks = flaws == 3 ? 96 : 48};
        unsigned most = (1U << kind.index_bits) / 16 + 1;
        kind.slices = (unsigned)(2 + random_below(&random, most < SLICES_MAX / 2 ? most : 63));
        kind.block_bits = kind.index_bits < 11 ? 12 : kind.index_bits + 1;
        check_kind(&kind, seed);
    }
}

/* One block has no votes against others: its near symmetries are none. */
TEST(one_block_alone)
{
    const struct kind kind = {18, 9, 1, 2, false, 12, 1, 0, 0};
    struct slice_hash hash = make_hash(&kind, 4);
    struct slice_maps maps = make_maps(&kind, &hash, 0, 4);
    struct slice_solution found = slice_solve(&maps, TOP_BIT);
    CU_ASSERT_EQUAL_FATAL(found.outcome, SOLVED);
    CU_ASSERT_EQUAL(found.hash.index_bits, hash.index_bits);
    CU_ASSERT_EQUAL(found.symmetries, 1);
    CU_ASSERT_EQUAL(found.pages_needed, 20);
    slice_solution_free(&found);
    slice_maps_free(&maps);
    slice_hash_free(&hash);
}

/* ---- blocks that are not believed ---- */

static const struct kind usual = {20, 8, 0, 0, false, 9, 60, 1, 0};

TEST(a_mislabelled_block_is_named_and_not_believed)
{
    struct slice_hash hash = make_hash(&usual, 5);
    struct slice_maps maps = make_maps(&usual, &hash, 1, 5);
    struct slice_solution found = slice_solve(&maps, TOP_BIT);
    uint64_t *pages = random_pages(TOP_BIT, usual.block_bits, 1, 5);
    CU_ASSERT_EQUAL_FATAL(found.outcome, SOLVED);
    CU_ASSERT_TRUE(same_hash(&found.hash, &hash));
    CU_ASSERT_EQUAL_FATAL(found.mislabelled, 1);
    CU_ASSERT_EQUAL(found.mislabelled_address[0], pages[0]);
    CU_ASSERT_EQUAL(found.blocks, usual.blocks - 1);
    free(pages);
    slice_solution_free(&found);
    slice_maps_free(&maps);
    slice_hash_free(&hash);
}

/* The map of a block, or half of one, that another hash made. */
static void check_odd_block(size_t block, size_t lines)
{
    struct slice_hash hash = make_hash(&usual, 6), other = make_hash(&usual, 7);
    struct slice_maps maps = make_maps(&usual, &hash, 0, 6);
    slices_of(&other, maps.address[block], lines, maps.slices + (block << usual.block_bits));
    struct slice_solution found = slice_solve(&maps, TOP_BIT);
    CU_ASSERT_EQUAL_FATAL(found.outcome, SOLVED);
    CU_ASSERT_TRUE(same_hash(&found.hash, &hash));
    CU_ASSERT_EQUAL_FATAL(found.unlike, 1);
    CU_ASSERT_EQUAL(found.unlike_address[0], maps.address[block]);
    slice_solution_free(&found);
    slice_maps_free(&maps);
    slice_hash_free(&hash);
    slice_hash_free(&other);
}

TEST(a_block_of_another_hash_is_named_and_not_believed)
{
    check_odd_block(0, (size_t)1 << usual.block_bits); /* the first candidate for a consensus */
    check_odd_block(17, (size_t)1 << (usual.block_bits - 1));
}

/* ---- too little ---- */

/* The bits that the differences of the blocks' addresses do not determine: those that a vector has
 * which is orthogonal to all of them. By trying all vectors of few bits. */
static uint64_t undetermined_by_trial(const struct slice_maps *maps, unsigned lowest, unsigned top)
{
    uint64_t bits = 0;
    for (uint64_t v = 1; v >> (top + 1 - lowest) == 0; v++) {
        size_t i = 1;
        while (i < maps->count && parity((maps->address[i] ^ maps->address[0]) & v << lowest) == 0)
            i++;
        bits |= i == maps->count ? v << lowest : 0;
    }
    return bits;
}

TEST(too_few_blocks_exactly_the_undetermined_bits_are_reported)
{
    const struct kind kind = {24, 11, 0, 0, false, 12, 14, 0, 0};
    const struct kind more = {24, 11, 0, 0, false, 12, 28, 0, 0};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const struct kind *k = seed % 2 == 0 ? &kind : &more;
        struct slice_hash hash = make_hash(k, seed);
        struct slice_maps maps = make_maps(k, &hash, 0, seed);
        maps.count -= k->blocks > 20 ? 10 + seed : seed / 2;
        struct slice_solution found = slice_solve(&maps, TOP_BIT);
        CU_ASSERT_EQUAL_FATAL(found.outcome, SOLVED);
        CU_ASSERT_EQUAL(found.undetermined, undetermined_by_trial(&maps, 18, TOP_BIT));
        CU_ASSERT_TRUE(found.pages_needed > 0);
        for (size_t i = 0; i < maps.count; i++) {
            CU_ASSERT_TRUE(slice_is_known(&found.hash, maps.address[i]));
            CU_ASSERT_EQUAL(slice_of(&found.hash, maps.address[i]),
                            slice_of(&hash, maps.address[i]));
        }
        for (unsigned i = 0; i < found.pages_needed; i++)
            CU_ASSERT_FALSE(slice_is_known(&found.hash, found.page[i]));
        slice_solution_free(&found);
        slice_maps_free(&maps);
        slice_hash_free(&hash);
    }
}

/* Whatever the blocks' length, a base that is longer is not guessed. */
TEST(a_base_longer_than_the_blocks_is_not_guessed)
{
    static const struct kind kinds[] = {
        {24, 9, 0, 0, false, 6, 200, 0, 0},  {24, 9, 0, 0, false, 8, 100, 0, 0},
        {18, 10, 0, 2, false, 9, 100, 0, 0}, {18, 10, 0, 2, false, 9, 100, 1, 0},
        {3, 9, 0, 0, false, 8, 100, 10, 0},  {24, 9, 0, 0, false, 8, 12, 0, 0},
    };
    for (size_t i = 0; i < 8 * sizeof kinds / sizeof *kinds; i++) {
        const struct kind *kind = &kinds[i / 8];
        struct slice_hash hash = make_hash(kind, i % 8);
        struct slice_maps maps = make_maps(kind, &hash, 0, i % 8);
        struct slice_solution found = slice_solve(&maps, TOP_BIT);
        if (found.outcome != SOLVE_TOO_SHORT && found.outcome != SOLVE_UNLIKE)
            printf("# kind %zu, seed %zu: outcome %d\n", i / 8, i % 8, (int)found.outcome);
        CU_ASSERT_TRUE(found.outcome == SOLVE_TOO_SHORT || found.outcome == SOLVE_UNLIKE);
        slice_solution_free(&found);
        slice_maps_free(&maps);
        slice_hash_free(&hash);
    }
}

/* ---- addresses of which only the low bits are known ---- */

TEST(addresses_of_which_only_low_bits_are_known)
{
    const struct kind kind = {12, 8, 1, 0, false, 9, 1, 0, 0};
    const unsigned known = 24;
    struct slice_hash hash = make_hash(&kind, 9);
    struct slice_lines *lines = slice_lines_begin(known);
    signed char slices[512];
    for (uint64_t region = 0; region < 3; region++)
        for (uint64_t i = 0; i < 24; i++) {
            uint64_t low = (i * 77 % 512) << 15;
            slices_of(&hash, (region * 1234567 + 5) << known | low, sizeof slices, slices);
            put_block(lines, region << known | low, slices, kind.block_bits);
        }
    struct slice_maps maps = slice_lines_end(lines, 0);
    struct slice_solution found = slice_solve(&maps, 0);
    CU_ASSERT_EQUAL_FATAL(found.outcome, SOLVED);
    CU_ASSERT_EQUAL(found.hash.paddr_bits, known);
    CU_ASSERT_EQUAL(found.pages_needed, 0);
    CU_ASSERT_EQUAL_FATAL(found.hash.index_bits, hash.index_bits);
    for (unsigned t = 0; t < hash.index_bits; t++)
        CU_ASSERT_EQUAL(found.hash.mask[t], hash.mask[t] & (((uint64_t)1 << known) - 1));
    size_t shift = 0, x = 0;
    for (; shift < 256 && x < 256; shift++)
        for (x = 0; x < 256 && found.hash.base[x] == hash.base[x ^ shift];)
            x++;
    CU_ASSERT_EQUAL(x, 256);
    slice_solution_free(&found);
    slice_maps_free(&maps);
    slice_hash_free(&hash);
}

/* ---- lines to blocks ---- */

TEST(lines_in_any_order_become_blocks)
{
    struct slice_lines *lines = slice_lines_begin(0);
    for (uint64_t i = 0; i < 1024;
         i++) { /* two blocks of 512 lines, far apart, some lines missing, also 64 in a row */
        uint64_t line = i * 389 % 1024;
        uint64_t paddr = (line & 511) << LINE_BITS | (line >> 9 != 0 ? (uint64_t)7 << 30 : 1 << 15);
        if (line % 5 != 0 && line / 64 != 2)
            slice_lines_put(lines, paddr, (int)(line % 100));
    }
    slice_lines_put(lines, 1 << 15 | 1 << LINE_BITS, 0);
    struct slice_maps maps = slice_lines_end(lines, 0);
    CU_ASSERT_EQUAL_FATAL(maps.count, 2);
    CU_ASSERT_EQUAL_FATAL(maps.block_bits, 9);
    CU_ASSERT_EQUAL(maps.address[0], 1 << 15);
    CU_ASSERT_EQUAL(maps.address[1], (uint64_t)7 << 30);
    CU_ASSERT_EQUAL(maps.contradicted, 1);
    CU_ASSERT_EQUAL(maps.lines, 818 - 51);
    CU_ASSERT_TRUE(slice_maps_block(&maps, 0)[1] < 0);
    for (size_t line = 2; line < 1024; line++) {
        signed char slice = slice_maps_block(&maps, line >> 9)[line & 511];
        CU_ASSERT_TRUE(line % 5 != 0 && line / 64 != 2 ? slice == (int)(line % 100) : slice < 0);
    }
    slice_maps_free(&maps);
}

TEST(blocks_smaller_than_a_page_of_4_KiB_need_not_fill_it)
{
    struct slice_lines *lines = slice_lines_begin(0);
    for (uint64_t i = 16; i < 32; i++)
        slice_lines_put(lines, i << LINE_BITS, (int)i);
    struct slice_maps maps = slice_lines_end(lines, 4);
    CU_ASSERT_EQUAL_FATAL(maps.count, 1);
    CU_ASSERT_EQUAL(maps.address[0], 16 << LINE_BITS);
    CU_ASSERT_EQUAL(slice_maps_block(&maps, 0)[3], 19);
    slice_maps_free(&maps);
}
