/* test_rates.c: the share of the memory's peak in rows of rates.
 *
 *     bin/.obj/plain/tests/memory/test_rates
 */
#include "base/error.h"
#include "memory/streams/rates.h"
#include "tap.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *peak; /* of the memory, as a claim */

static void put_row(void)
{
    struct rates rates = {.facts = allocate(1, sizeof *rates.facts)};
    struct rate_row row = {.op = "read", .gb_per_s = 38.4, .ns = NAN};
    facts_add(rates.facts, "memory_peak_gb_per_s", peak, "GB/s", "s");
    rates_put(&rates, &row);
    facts_free(rates.facts);
}

/* The last field of a row, without its newline. */
static const char *last_field(char *text)
{
    text[strcspn(text, "\n")] = '\0';
    const char *tab = strrchr(text, '\t');
    return tab != NULL ? tab + 1 : "";
}

TEST(a_rate_has_its_share_of_a_known_peak)
{
    char text[512];
    peak = "76.8";
    CU_ASSERT_EQUAL(tap_fork(put_row, "", text, sizeof text), 0);
    CU_ASSERT_STRING_EQUAL(last_field(text), "50");
    peak = "unknown"; /* the column is left out, and `huge` is the last */
    CU_ASSERT_EQUAL(tap_fork(put_row, "", text, sizeof text), 0);
    CU_ASSERT_STRING_EQUAL(last_field(text), "-");
}
