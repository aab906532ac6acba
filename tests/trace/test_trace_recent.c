/* test_trace_recent.c: the order of recent pages, encoded by the order within the next record.
 *
 *     bin/.obj/plain/tests/trace/test_trace_recent
 */
#include "base/random.h"
#include "tap.h"
#include "trace/format/recent.h"
#include <string.h>

static struct recent_orders orders;

TEST(each_order_is_there_once_and_an_access_puts_its_place_first)
{
    bool seen[256] = {false};
    recent_fill(&orders);
    for (int i = 0; i < RECENT_ORDERS; i++) {
        unsigned code = 0, places = 0;
        for (int k = 0; k < RECENT_PAGES; k++) {
            code = code << 2 | orders.place[i][k];
            places |= 1u << orders.place[i][k];
        }
        CU_ASSERT_EQUAL(places, 15);
        CU_ASSERT_FALSE(seen[code & 255]);
        seen[code & 255] = true;
        for (uint8_t k = 0; k < RECENT_PAGES; k++)
            CU_ASSERT_EQUAL(orders.place[orders.after[i][k]][0], k);
        CU_ASSERT_EQUAL(recent_touched(&orders, (uint8_t)i, (uint8_t)i), 0);
    }
}

/* Four places and their order, as a traced program and a reader keep them. */
struct four {
    int page[RECENT_PAGES];
    uint8_t order;
};

/* The pages, the newest first. */
static void list(const struct four *f, int pages[RECENT_PAGES])
{
    for (int i = 0; i < RECENT_PAGES; i++)
        pages[i] = f->page[orders.place[f->order][i]];
}

static void touch(int stack[RECENT_PAGES], int page)
{
    int at = 0;
    while (at < RECENT_PAGES - 1 && stack[at] != page)
        at++;
    memmove(stack + 1, stack, (size_t)at * sizeof *stack);
    stack[0] = page;
}

/* A stack of the last pages, which sees every access, and one that sees the records alone. */
TEST(a_reader_knows_the_order_of_recent_pages_at_each_record)
{
    struct four program = {{-1, -2, -3, -4}, RECENT_FRESH}, reader = program;
    int truth[RECENT_PAGES], read[RECENT_PAGES], listed[RECENT_PAGES], records = 0;
    struct random random;
    recent_fill(&orders);
    random_seed(&random, 11, 0);
    list(&program, truth);
    list(&program, read);
    for (int i = 0; i < 20000; i++) {
        int page = (int)random_below(&random, 6), place = 0;
        while (place < RECENT_PAGES && program.page[place] != page)
            place++;
        if (place < RECENT_PAGES)
            program.order = orders.after[program.order][place];
        else {
            uint8_t order = program.order, oldest = orders.place[order][RECENT_PAGES - 1];
            for (int k = recent_touched(&orders, reader.order, order) - 1; k >= 0; k--)
                touch(read, reader.page[orders.place[order][k]]);
            CU_ASSERT(memcmp(read, truth, sizeof read) == 0);
            touch(read, page);
            program.page[oldest] = reader.page[oldest] = page;
            program.order = reader.order = orders.after[order][oldest];
            records++;
        }
        touch(truth, page);
        list(&program, listed);
        CU_ASSERT(memcmp(listed, truth, sizeof truth) == 0);
    }
    CU_ASSERT(records > 2000 && records < 18000);
}

/* The latest use first; of two that never were, the one of the lower place. */
TEST(the_numbers_of_the_last_uses_give_the_order)
{
    struct random random;
    recent_fill(&orders);
    random_seed(&random, 3, 0);
    for (int i = 0; i < 1000; i++) {
        uint64_t use[RECENT_PAGES];
        for (int k = 0; k < RECENT_PAGES; k++)
            use[k] = random_below(&random, 3) == 0 ? 0
                                                   : 4 * random_below(&random, 9) + (uint64_t)k + 1;
        const uint8_t *place = orders.place[recent_order(&orders, use[0], use[1], use[2], use[3])];
        for (int k = 0; k + 1 < RECENT_PAGES; k++) {
            CU_ASSERT(use[place[k]] >= use[place[k + 1]]);
            CU_ASSERT(use[place[k]] > use[place[k + 1]] || place[k] < place[k + 1]);
        }
    }
}
