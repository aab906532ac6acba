/* test_trace_attribution.c: the objects of addresses, up to the last one.
 *
 *     bin/.obj/plain/unit/test_trace_attribution
 */
#include "tap.h"
#include "trace/attribution/attribution.h"
#include <string.h>

static const uint64_t last_page = UINT64_MAX - 4095;

/* The name and the bytes of the object at an address. */
static void check_object(struct attribution *a, const struct labels *labels, uint64_t address,
                         const char *name, uint64_t first, uint64_t last)
{
    struct record r = {.address = address};
    uint64_t begin, end;
    uint32_t label = attribution_object(a, &r, address);
    CU_ASSERT_STRING_EQUAL(labels->at[label], name);
    attribution_range(a, &r, address, &begin, &end);
    CU_ASSERT_EQUAL(begin, first);
    CU_ASSERT_EQUAL(end, last);
}

static void take(struct attribution *a, uint8_t op, uint64_t address, uint64_t bytes)
{
    struct record r = {.op = op, .address = address, .bytes = bytes};
    attribution_take(a, NULL, &r);
}

static void test_last_address(void)
{
    struct labels labels = {0};
    struct attribution *a = attribution_open(&labels);
    check_object(a, &labels, UINT64_MAX, "unknown", UINT64_MAX, UINT64_MAX);
    check_object(a, &labels, 0, "unknown", 0, 0);
    take(a, TRACE_STACK, last_page, 4096);
    check_object(a, &labels, UINT64_MAX, "stack", last_page, UINT64_MAX);
    take(a, TRACE_FREE, last_page, 4096);
    check_object(a, &labels, last_page, "unknown", last_page, last_page);
    take(a, TRACE_ALLOC, last_page, UINT64_MAX);
    check_object(a, &labels, UINT64_MAX, "heap unknown", last_page, UINT64_MAX);
    take(a, TRACE_ALLOC, UINT64_MAX, 0);
    check_object(a, &labels, UINT64_MAX, "heap unknown", UINT64_MAX, UINT64_MAX);
    check_object(a, &labels, last_page, "heap unknown", last_page, UINT64_MAX - 1);
    take(a, TRACE_FREE, 0, UINT64_MAX);
    check_object(a, &labels, last_page, "unknown", last_page, last_page);
    attribution_close(a);
    labels_free(&labels);
}

int main(void)
{
    TAP_SUITE("attribution", {"the last address has an object", test_last_address});
    return tap_run();
}
