/* test_view.c: tables for people.
 *
 *     bin/.obj/plain/tests/common/table/test_view
 */
#include "base/args.h"
#include "base/error.h"
#include "table/row.h"
#include "tap.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char output[1 << 16];

struct thing {
    const char *name;
    double step_ns, bytes_max, share_percent;
    uint64_t count;
    struct note note;
};

static const struct column columns[] = {
    COLUMN(TEXT, "name", offsetof(struct thing, name)),
    COLUMN(NUMBER, "step_ns", offsetof(struct thing, step_ns), .per_unit = 1000),
    COLUMN(NUMBER, "bytes_max", offsetof(struct thing, bytes_max)),
    COLUMN(NUMBER, "share_percent", offsetof(struct thing, share_percent), .per_unit = 10,
           .view = COLUMN_HIDDEN),
    COLUMN(COUNT, "count", offsetof(struct thing, count), .view = COLUMN_IF_ROOM),
    COLUMN(NOTE, "note", offsetof(struct thing, note)),
    {0}};

static void begin(const char *shown)
{
    program_name = "test_view";
    args_pretty = PRETTY_ALWAYS;
    args_columns = shown;
    table_put_meta("key", "value");
    table_put_columns(columns, 0);
}

static void put(const char *name, double step_ns, double bytes, enum note_word word)
{
    struct thing thing = {.name = name, .step_ns = step_ns, .bytes_max = bytes, .count = 7};
    if (word != NOTE_WORDS)
        note_add(&thing.note, word);
    table_put_row(columns, 0, &thing);
}

static void print_aligned(void)
{
    begin(NULL);
    put("first", 1.5, 65536, NOTE_GRADUAL);
    put("é", 12.25, 589556, NOTE_WORDS);
    put("third", NAN, 1536, NOTE_GRADUAL);
    table_say("%d things\033[2J of\n'file'.", 3);
    warn("a remark");
    finish(0);
}

TEST(columns_are_aligned_with_units_in_the_header)
{
    CU_ASSERT_TRUE(tap_writes(print_aligned, "",
                              "test_view: a remark\n"
                              "name   step ns  size max  count  note\n"
                              "first    1.500    64 KiB      7  gradual\n"
                              "é       12.250   576 KiB      7  -\n"
                              "third        -   1.5 KiB      7  gradual\n"
                              "\n3 things?[2J of 'file'.\n"));
}

/* On one terminal, which this test has not: remarks wait for the end of the table. */
static void print_late(void)
{
    begin("name");
    messages_wait = true;
    warn("a remark");
    put("first", 1, 1, NOTE_WORDS);
    warn("another\nremark");
    warn_at_once("what cannot wait");
    flush_output();
    warn_at_once("what must");
    put("second", 1, 1, NOTE_WORDS);
    die("the end");
}

TEST(remarks_come_after_the_table)
{
    CU_ASSERT_EQUAL(tap_fork(print_late, "", output, sizeof output), 2);
    CU_ASSERT_STRING_EQUAL(output, "test_view: what cannot wait\n"
                                   "name\nfirst\nsecond\n"
                                   "test_view: a remark\ntest_view: another remark\n"
                                   "test_view: what must\ntest_view: the end\n");
}

static void print_and_abort(void)
{
    begin(NULL);
    put("first", 1, 1, NOTE_WORDS);
    flush_output();
    put("much longer", 1, 1, NOTE_WORDS);
    flush_output();
    _Exit(0);
}

TEST(what_is_flushed_is_shown_at_once)
{
    CU_ASSERT_TRUE(tap_writes(print_and_abort, "",
                              "name       step ns  size max     count\n"
                              "first        1.000       1 B         7\n"
                              "much longer     1.000       1 B         7\n"));
}

static void print_all(void)
{
    begin("all");
    put("first", 1, 1, NOTE_WORDS);
    finish(0);
}

static void print_two(void)
{
    begin("share_percent,name");
    put("first", 1, 1, NOTE_WORDS);
    finish(0);
}

static void print_unknown(void)
{
    begin("name,nam");
}

TEST(columns_are_chosen_by_their_names)
{
    CU_ASSERT_TRUE(tap_writes(print_all, "",
                              "name   step ns  size max  share %  count  note\n"
                              "first    1.000       1 B      0.0      7  -\n"));
    CU_ASSERT_TRUE(tap_writes(print_two, "", "name   share %\nfirst      0.0\n"));
    CU_ASSERT_TRUE(tap_refuses(print_unknown, "", "--pretty 'name,nam'"));
}

/* A word may be longer than a line. */
static void print_wide(void)
{
    begin(NULL);
    put("a name that is so long that the columns behind it have hardly room", 123456789012, 1,
        NOTE_OVERLAPS_PRIVATE_CACHE_KNEE);
    table_say("%090d", 0);
    finish(0);
}

TEST(a_page_is_80_columns_wide)
{
    CU_ASSERT_EQUAL(tap_fork(print_wide, "", output, sizeof output), 0);
    CU_ASSERT_PTR_NULL(strstr(output, "count")); /* which is shown if there is room */
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\n0000000000\n"));
}

static void print_plain(void)
{
    args_pretty = PRETTY_NEVER;
    table_put_meta("key", "value");
    table_put_columns(columns, 0);
    put("first", 1.25, 65536, NOTE_WORDS);
    table_say("nothing");
    finish(0);
}

TEST(a_table_has_tabs_metadata_and_all_columns)
{
    CU_ASSERT_TRUE(tap_writes(print_plain, "",
                              "# key: value\n"
                              "name\tstep_ns\tbytes_max\tshare_percent\tcount\tnote\n"
                              "first\t1.25\t65536\t0\t7\t-\n"));
}
