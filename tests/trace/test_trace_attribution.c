/* test_trace_attribution.c: the objects of addresses, up to the last one.
 *
 *     bin/.obj/plain/tests/trace/test_trace_attribution
 */
#include "tap.h"
#include "trace/attribution/attribution.h"
#include "trace/attribution/names.h"
#include "trace/attribution/stacks.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

TEST(the_last_address_has_an_object)
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
    check_object(a, &labels, UINT64_MAX, "heap;unknown", last_page, UINT64_MAX);
    take(a, TRACE_ALLOC, UINT64_MAX, 0);
    check_object(a, &labels, UINT64_MAX, "heap;unknown", UINT64_MAX, UINT64_MAX);
    check_object(a, &labels, last_page, "heap;unknown", last_page, UINT64_MAX - 1);
    take(a, TRACE_FREE, 0, UINT64_MAX);
    check_object(a, &labels, last_page, "unknown", last_page, last_page);
    attribution_close(a);
    labels_free(&labels);
}

/* Memory at 0x10000 … 0x8ffff that is of no file. */
static void take_maps(struct attribution *a)
{
    char name[] = "/tmp/tlblab-attribution.XXXXXX";
    FILE *file = fdopen(mkstemp(name), "wb");
    struct trace_writer *writer = trace_create(file);
    trace_put_maps(writer, 0, 0, "00010000-00090000 rw-p 00000000 00:00 0 \n");
    trace_finish(writer);
    fclose(file);
    struct trace *trace = trace_open(name);
    attribution_take(a, trace, trace_next(trace));
    trace_close(trace);
    unlink(name);
}

static void take_block(struct attribution *a, uint64_t address, uint64_t bytes, uint64_t site)
{
    struct record r = {.op = TRACE_ALLOC, .address = address, .bytes = bytes, .site = site};
    attribution_take(a, NULL, &r);
}

TEST(what_an_allocator_accesses_around_a_block_is_the_blocks)
{
    struct labels labels = {0};
    struct attribution *a = attribution_open(&labels);
    take_maps(a);
    take_block(a, 0x10040, 16, 0x10011);
    take_block(a, 0x10078, 16, 0x10021);
    take_block(a, 0x20000, 1 << 17, 0x10031);
    check_object(a, &labels, 0x1004f, "heap;+0x10", 0x10040, 0x1004f);
    check_object(a, &labels, 0x10060, "mapped", 0x10060, 0x10077);
    check_object(a, &labels, 0x1007c, "heap;+0x20", 0x10078, 0x10087); /* on the same line */
    check_object(a, &labels, 0x10068, "heap;+0x20", 0x10068, 0x10077); /* in front of it */
    take(a, TRACE_FREE, 0x10078, 0);
    check_object(a, &labels, 0x10078, "heap;+0x20", 0x10078, 0x10087);
    check_object(a, &labels, 0x1fff0, "heap;+0x30", 0x1fff0, 0x1ffff);
    take(a, TRACE_FREE, 0x20000, 0);
    check_object(a, &labels, 0x20000, "mapped", 0x20000, 0x8ffff);
    attribution_close(a);
    labels_free(&labels);
}

static void call(struct stacks *s, uint32_t thread, uint64_t number, uint64_t place, uint64_t site)
{
    struct record r = {
        .op = TRACE_CALL, .thread = thread, .address = number, .bytes = place, .site = site};
    stacks_take(s, &r);
}

/* The number of the stack with which a thread takes a block; 0: none. */
static uint64_t stack_of(struct stacks *s, uint32_t thread, uint64_t site)
{
    struct record r = {.op = TRACE_ALLOC, .thread = thread, .site = site};
    const struct stack *stack = stacks_find(s, &r);
    return stack != NULL ? stack->number : 0;
}

TEST(each_thread_has_the_stack_of_its_last_calls)
{
    struct stacks s = stacks_of();
    CU_ASSERT_EQUAL(stack_of(&s, 7, 0x10), 0);
    call(&s, 7, 100, 1, 0x10);
    call(&s, 7, 100, 2, 0x20);
    call(&s, 8, 200, 1, 0x10);
    call(&s, 8, 200, 2, 0x30);
    CU_ASSERT_EQUAL(stack_of(&s, 7, 0x10), 100);
    CU_ASSERT_EQUAL(stack_of(&s, 8, 0x10), 200);
    CU_ASSERT_EQUAL(stack_of(&s, 8, 0x11), 0); /* another call */
    call(&s, 7, 200, 1, 0x10);                 /* known: its first address alone */
    CU_ASSERT_EQUAL(stack_of(&s, 7, 0x10), 200);
    call(&s, 7, 200, STACK_MAX + 1, 0x40); /* no trace of ours has it */
    CU_ASSERT_EQUAL(s.at[1].count, 2);
    stacks_free(&s);
}

static void check_name(const char *symbol, const char *wanted)
{
    char name[64];
    demangle(symbol, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, wanted);
}

TEST(names_of_C_are_those_of_the_source)
{
    check_name("main", "main");
    check_name("_Znwm", "operator new");
    check_name("_ZN4tree6insertEi", "tree::insert");
    check_name("_ZNSt6vectorIiSaIiEE9push_backERKi",
               "std::vector<int, std::allocator<int> >::push_back");
    check_name("_Z3maxIlET_S0_S0_", "max<long>"); /* a template, which has its type before it */
    check_name("_ZlsRSoRK4tree", "operator<<");
    check_name("_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()");
    check_name("_Zwrong", "_Zwrong");
}

static void check_short(const char *name, const char *wanted)
{
    char text[128];
    strcpy(text, name);
    object_shorten(text);
    CU_ASSERT_STRING_EQUAL(text, wanted);
}

TEST(an_object_has_a_label_and_the_names_of_its_calls)
{
    static const char label[] = "heap;main (a.c:9);max<int> (b.c:7);xmalloc";
    check_short("std::vector<int, std::allocator<int> >::resize", "std::vector::resize");
    check_short("operator<< <char>", "operator<< ");
    check_short("heap a::operator-> (a.c:3);b", "heap a::operator-> (a.c:3);b");
    CU_ASSERT(object_is_named("all", label) && object_is_named("b,max", label));
    CU_ASSERT(object_is_named("a.c:9", label) && object_is_named("xmalloc", label));
    CU_ASSERT(object_is_named("heap main (a.c:9);max (b.c:7)", label));
    CU_ASSERT(object_is_named("heap max<int> (b.c:7);xmalloc;[int]", label));
    CU_ASSERT(!object_is_named("ax,a.c,malloc,heap,heap ", label));
    CU_ASSERT(!object_is_named("heap max,heap main (a.c:9);xmalloc", label));
    CU_ASSERT(object_is_named("table", "table") && !object_is_named("table", "tables"));
}
