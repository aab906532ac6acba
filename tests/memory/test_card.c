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

static void test_find(void)
{
    CU_ASSERT_EQUAL(cards_find(cards, 3, NULL), 0);
    CU_ASSERT_EQUAL(cards_find(cards, 3, "2"), 2);
    CU_ASSERT_EQUAL(cards_find(cards, 3, "e 3"), 1);
    CU_ASSERT_EQUAL(cards_find(cards, 3, "geforce"), 1);
    CU_ASSERT_EQUAL(cards_find(cards, 3, "ARC"), 2);
}

static void test_memory(void)
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

static void test_source(void)
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

static void test_units(void)
{
    char *near = card_source(2, false), *far = card_source(2, true);
    CU_ASSERT_EQUAL(count_of(near, "#define UNIT 1\n"), 1);
    CU_ASSERT_EQUAL(count_of(far, "#define UNIT 16\n"), 1);
    free(near);
    free(far);
}

static void test_names(void)
{
    char kernel[64], *source = card_source(1, false);
    for (int k = 0; k < CARD_KERNELS; k++) {
        snprintf(kernel, sizeof kernel, "kernel void %s(", card_kernel_name((enum card_kernel)k));
        CU_ASSERT_EQUAL(count_of(source, kernel), 1);
    }
    free(source);
}

int main(void)
{
    TAP_SUITE("card",
              {"a device is found by number, and by a part of its name in any case", test_find},
              {"a device in the processor's memory has no more than is available", test_memory},
              {"the source has a hop for each chain, and no more", test_source},
              {"positions count words, or 64 bytes in a far chain", test_units},
              {"the source has a kernel of each name", test_names});
    return tap_run();
}
