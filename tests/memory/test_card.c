/* test_card.c: a device by its number or name, and the source of the kernels for many chains.
 *
 *     bin/.obj/plain/tests/memory/test_card
 */
#include "access/kernel.h"
#include "memory/card/card.h"
#include "tap.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct card_claims cards[] = {
    {.name = "Radeon 7"}, {.name = "GeForce 3"}, {.name = "Arc"}};

TEST(a_device_is_found_by_number_and_by_a_part_of_its_name_in_any_case)
{
    CU_ASSERT_EQUAL(cards_find(cards, 3, NULL), 0);
    CU_ASSERT_EQUAL(cards_find(cards, 3, "2"), 2);
    CU_ASSERT_EQUAL(cards_find(cards, 3, "e 3"), 1);
    CU_ASSERT_EQUAL(cards_find(cards, 3, "geforce"), 1);
    CU_ASSERT_EQUAL(cards_find(cards, 3, "ARC"), 2);
}

TEST(a_device_in_the_processors_memory_has_no_more_than_is_available)
{
    struct card_claims own = {.memory_bytes = (uint64_t)1 << 60};
    struct card_claims shared = own;
    shared.unified = true;
    CU_ASSERT_EQUAL(card_memory(&own), (uint64_t)1 << 60);
    CU_ASSERT_TRUE(card_memory(&shared) <= card_memory(&own));
}

static size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (; (text = strstr(text, word)) != NULL; text++)
        count++;
    return count;
}

TEST(the_source_has_a_hop_for_each_chain_and_no_more)
{
    for (unsigned chains = 1; chains <= KERNEL_CHAINS; chains++) {
        char last[32], beyond[32], *source = card_source(chains, false);
        snprintf(last, sizeof last, "p%u = AT(p%u);", chains - 1, chains - 1);
        snprintf(beyond, sizeof beyond, "p%u = AT(p%u);", chains, chains);
        CU_ASSERT_EQUAL(count_of(source, last), 1);
        CU_ASSERT_EQUAL(count_of(source, beyond), 0);
        CU_ASSERT_EQUAL(count_of(source, "@"), 0);
        free(source);
    }
}

TEST(positions_count_words_or_64_bytes_in_a_far_chain)
{
    char *near = card_source(2, false), *far = card_source(2, true);
    CU_ASSERT_EQUAL(count_of(near, "#define UNIT 1\n"), 1);
    CU_ASSERT_EQUAL(count_of(far, "#define UNIT 16\n"), 1);
    free(near);
    free(far);
}

TEST(the_source_has_a_kernel_of_each_name)
{
    char kernel[64], *source = card_source(1, false);
    for (int k = 0; k < CARD_KERNELS; k++) {
        snprintf(kernel, sizeof kernel, "kernel void %s(", card_kernel_name((enum card_kernel)k));
        CU_ASSERT_EQUAL(count_of(source, kernel), 1);
    }
    free(source);
}
