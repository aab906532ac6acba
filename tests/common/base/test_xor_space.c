/* test_xor_space.c: index bits from page numbers that fall into set 0: known indexes, and the
 * properties of an orthogonal basis against counting.
 *
 *     bin/.obj/plain/tests/common/base/test_xor_space
 */
#include "base/random.h"
#include "base/xor_space.h"
#include "tap.h"

/* The basis of what is orthogonal to these vectors. */
static size_t orthogonal(const uint64_t *vectors, size_t count, size_t bits, uint64_t *basis)
{
    struct xor_space space = {0};
    for (size_t i = 0; i < count; i++)
        xor_space_add(&space, vectors[i]);
    return xor_space_orthogonal(&space, (unsigned)bits, basis);
}

static bool is_orthogonal(uint64_t a, uint64_t b)
{
    return parity(a & b) == 0;
}

TEST(no_vectors_leave_every_bit)
{
    uint64_t basis[7];
    CU_ASSERT_EQUAL_FATAL(orthogonal(NULL, 0, 7, basis), 7);
    for (size_t i = 0; i < 7; i++)
        CU_ASSERT_EQUAL(basis[i], (uint64_t)1 << i);
}

TEST(all_bits_leave_nothing)
{
    const uint64_t vectors[] = {1, 3, 7, 15};
    uint64_t basis[4];
    CU_ASSERT_EQUAL(orthogonal(vectors, 4, 4, basis), 0);
    CU_ASSERT_EQUAL(orthogonal(NULL, 0, 0, basis), 0);
}

/* Of 16 bits the lowest 4 select a set, and the others select none. */
TEST(a_linear_index_is_read_off_its_bits)
{
    uint64_t vectors[12], basis[16];
    for (int i = 0; i < 12; i++)
        vectors[i] = (uint64_t)1 << (4 + i);
    CU_ASSERT_EQUAL_FATAL(orthogonal(vectors, 12, 16, basis), 4);
    for (size_t i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(basis[i], (uint64_t)1 << i);
}

/* Seven bits, each folded with the one seven places higher. */
TEST(an_index_of_seven_folded_bits_is_found)
{
    uint64_t vectors[7], basis[14];
    for (int i = 0; i < 7; i++)
        vectors[i] = (uint64_t)0x81 << i;
    CU_ASSERT_EQUAL_FATAL(orthogonal(vectors, 7, 14, basis), 7);
    for (size_t i = 0; i < 7; i++)
        CU_ASSERT_EQUAL(basis[i], (uint64_t)0x81 << i);
}

/* Five bits, each folded with two others; what is given are sums of the vectors that one would
 * think of first. */
TEST(three_bits_folded_into_one)
{
    uint64_t vectors[10], basis[15];
    for (int i = 0; i < 5; i++) {
        vectors[2 * i] = (uint64_t)0x21 << i;
        vectors[2 * i + 1] = (uint64_t)0x401 << i;
    }
    for (int i = 1; i < 10; i++)
        vectors[i] ^= vectors[i - 1];
    CU_ASSERT_EQUAL_FATAL(orthogonal(vectors, 10, 15, basis), 5);
    for (size_t i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(basis[i], (uint64_t)0x421 << i);
}

TEST(what_depends_on_others_adds_nothing)
{
    const uint64_t vectors[] = {0x81, 0, 0x102, 0x81, 0x81 ^ 0x102, 0x102};
    uint64_t once[9], again[9];
    size_t count = orthogonal((const uint64_t[]){0x102, 0x81}, 2, 9, once);
    CU_ASSERT_EQUAL_FATAL(count, 7);
    CU_ASSERT_EQUAL_FATAL(orthogonal(vectors, 6, 9, again), count);
    for (size_t i = 0; i < count; i++)
        CU_ASSERT_EQUAL(once[i], again[i]);
}

TEST(vectors_of_64_bits)
{
    uint64_t vectors[64], basis[64];
    CU_ASSERT_EQUAL_FATAL(orthogonal(NULL, 0, 64, basis), 64);
    CU_ASSERT_EQUAL(basis[63], (uint64_t)1 << 63);
    for (int i = 0; i < 32; i++)
        vectors[i] = (uint64_t)0x100000001 << i;
    CU_ASSERT_EQUAL_FATAL(orthogonal(vectors, 32, 64, basis), 32);
    for (size_t i = 0; i < 32; i++)
        CU_ASSERT_EQUAL(basis[i], (uint64_t)0x100000001 << i);
    for (int i = 0; i < 64; i++)
        vectors[i] = (uint64_t)1 << i;
    CU_ASSERT_EQUAL(orthogonal(vectors, 64, 64, basis), 0);
}

/* Of all 2^bits vectors, 2^size are orthogonal to the given ones when the basis has `size`. */
static uint64_t count_orthogonal(const uint64_t *vectors, size_t count, size_t bits)
{
    uint64_t orthogonal = 0;
    for (uint64_t v = 0; v >> bits == 0; v++) {
        size_t i = 0;
        while (i < count && is_orthogonal(v, vectors[i]))
            i++;
        orthogonal += i == count;
    }
    return orthogonal;
}

static void check_basis(const uint64_t *vectors, size_t count, size_t bits)
{
    uint64_t basis[64], lowest = 0;
    size_t size = orthogonal(vectors, count, bits, basis);
    CU_ASSERT_EQUAL(count_orthogonal(vectors, count, bits), (uint64_t)1 << size);
    for (size_t i = 0; i < size; i++) {
        for (size_t k = 0; k < count; k++)
            CU_ASSERT_TRUE(is_orthogonal(basis[i], vectors[k]));
        CU_ASSERT_TRUE((basis[i] & (0 - basis[i])) > lowest);
        lowest = basis[i] & (0 - basis[i]);
        for (size_t k = 0; k < size; k++)
            CU_ASSERT_EQUAL((basis[k] & lowest) != 0, k == i);
    }
}

TEST(any_vectors_against_counting)
{
    struct random random;
    random_seed(&random, 1, 0);
    for (int round = 0; round < 300; round++) {
        uint64_t vectors[12];
        size_t bits = 1 + random_below(&random, 10), count = random_below(&random, 13);
        for (size_t i = 0; i < count; i++)
            vectors[i] = random_below(&random, (uint64_t)1 << bits);
        check_basis(vectors, count, bits);
    }
}

TEST(vectors_are_spelt_by_their_bits)
{
    const uint64_t vectors[] = {0x81, 0x200, (uint64_t)1 << 63 | 2};
    char text[64], cut[8];
    xor_spell(vectors, 3, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "0^7,9,1^63");
    xor_spell(vectors, 0, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "");
    xor_spell(vectors, 3, cut, sizeof cut);
    CU_ASSERT_STRING_EQUAL(cut, "0^7,9,1");
}

TEST(an_index_has_the_parities_of_its_masks)
{
    const uint64_t masks[] = {0x81, 0x2, (uint64_t)1 << 63 | 2};
    CU_ASSERT_EQUAL(xor_index(masks, 3, 0x81), 0);
    CU_ASSERT_EQUAL(xor_index(masks, 3, 0x80), 1);
    CU_ASSERT_EQUAL(xor_index(masks, 3, 2), 6);
    CU_ASSERT_EQUAL(xor_index(masks, 3, (uint64_t)1 << 63), 4);
    CU_ASSERT_EQUAL(xor_index(masks, 1, 3), 1);
    CU_ASSERT_EQUAL(xor_index(masks, 0, 3), 0);
}
