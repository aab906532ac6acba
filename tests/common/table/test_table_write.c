/* test_table_write.c: metadata of tables, what is written, and numbers as text.
 *
 *     bin/.obj/plain/tests/common/table/test_table_write
 */
#include "base/args.h"
#include "base/error.h"
#include "base/random.h"
#include "table/table.h"
#include "tap.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char output[1 << 16];

/* ---- metadata ---- */

static void print_metas(void)
{
    static const char *const keys[] = {"page size", "max pages", "a", "b", "empty", "none"};
    struct table *table = table_open(NULL, 0);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *value = table_meta(table, -1, keys[i]);
        printf("%s=%s;", keys[i], value != NULL ? value : "(none)");
    }
    table_close(table);
}

TEST(metadata_are_read_the_last_of_a_key)
{
    CU_ASSERT_TRUE(tap_writes(print_metas,
                              "#TLB experiment\n# page size = 64 bytes\n#max pages=8192\n# a: 1\n"
                              "# b: c: d = e\n# empty:\n# a: 2 \r\n#pages\tns\n",
                              "page size=64 bytes;max pages=8192;a=2;b=c: d = e;empty=;"
                              "none=(none);"));
}

/* ---- writing ---- */

static void copy_head(void)
{
    program_name = "copy";
    struct table *table = table_open(NULL, 0);
    while (table_next(table)) { /* heads further on are read with the rows */
    }
    table_begin(table);
    table_put_meta("lines", "a\nb\tc\r%s", "d");
    table_put_header("x\ty");
    table_close(table);
}

TEST(metadata_are_copied_with_a_history)
{
    CU_ASSERT_TRUE(tap_writes(copy_head,
                              "# program: sweep\n# command: sweep --x\n# a: 1\n# a: 2\n# a: 1\n"
                              "# program: sweep\n# command: sweep --y\npages\n",
                              "# program: sweep\n# command: sweep --x\n# a: 2\n# a: 1\n"
                              "# program: sweep\n"
                              "# command: sweep --y\n# program: copy\n# version: " TLBLAB_VERSION
                              "\n# command: copy\n# lines: a b c d\nx\ty\n"));
}

/* Each table that cat joined has the history of those before it: what two have in common is written
 * once, or a loop through cat would double it every time. */
TEST(metadata_of_joined_tables)
{
    CU_ASSERT_TRUE(tap_writes(copy_head,
                              "# program: one\n# command: one x\npages\n4\n"
                              "# program: one\n# command: one x\n# program: two\n# program: two\n"
                              "pages\n4\n",
                              "# program: one\n# command: one x\n# program: two\n"
                              "# program: two\n# program: copy\n"
                              "# version: " TLBLAB_VERSION "\n# command: copy\n"
                              "# lines: a b c d\nx\ty\n"));
}

static char long_value[30000];

static void write_long_meta(void)
{
    table_put_meta("long", "%s", long_value);
    table_put_header("pages");
}

TEST(long_metadata_are_written_whole)
{
    memset(long_value, 'v', sizeof long_value - 1);
    CU_ASSERT_EQUAL(tap_fork(write_long_meta, "", output, sizeof output), 0);
    CU_ASSERT_EQUAL(strlen(output), strlen("# long: \npages\n") + sizeof long_value - 1);
}

static void write_row(void)
{
    put_number(0.1, '\t');
    put_number(1.0 / 3, '\t');
    put_number(100000, '\t');
    put_number(1e22, '\t');
    put_number(5e-324, '\t');
    put_number(NAN, '\t');
    put_number(INFINITY, '\t');
    put_count(UINT64_MAX, '\t');
    put_text("word", '\t');
    put_text(NULL, '\t');
    put_text("", '\t');
    put_field((struct field){"a\tb\nc", 5}, '\t');
    put_field((struct field){NULL, 0}, '\n');
}

TEST(fields_are_written_in_their_shortest_form)
{
    CU_ASSERT_TRUE(
        tap_writes(write_row, "",
                   "0.1\t0.3333333333333333\t100000\t1e+22\t4.94065645841247e-324\t-\t-\t"
                   "18446744073709551615\tword\t-\t-\ta b c\t-\n"));
}

/* ---- numbers ---- */

static bool parses_to(const char *text, double wanted)
{
    double value = NAN;
    return parse_number(text, strlen(text), &value) && value == wanted &&
           signbit(value) == signbit(wanted);
}

static bool is_number(const char *text)
{
    double value;
    return parse_number(text, strlen(text), &value);
}

TEST(numbers_are_parsed_and_other_text_refused)
{
    static const char *const bad[] = {"",      "-",     "+",     ".",   "e5",  "1e",  "1e+",
                                      "1.2.3", "1 ",    " 1",    "0x1", "nan", "inf", "1e309",
                                      "--1",   "1e5.5", "1,000", "1_0", "1d5", "١",   "infinity",
                                      "+5",    "5 ",    "+.5",   "-+5"};
    CU_ASSERT_TRUE(parses_to("0", 0));
    CU_ASSERT_TRUE(parses_to("-0", -0.0));
    CU_ASSERT_TRUE(parses_to("5.", 5));
    CU_ASSERT_TRUE(parses_to(".5", 0.5));
    CU_ASSERT_TRUE(parses_to("-1.25e2", -125));
    CU_ASSERT_TRUE(parses_to("1E-3", 1e-3));
    CU_ASSERT_TRUE(parses_to("007", 7));
    CU_ASSERT_TRUE(parses_to("1e-400", 0));
    CU_ASSERT_TRUE(parses_to("0.0000000000000000000000000000001", 1e-31));
    CU_ASSERT_TRUE(parses_to("123456789012345678901234567890", 123456789012345678901234567890.0));
    CU_ASSERT_TRUE(parses_to("9007199254740993", 9007199254740993.0));
    CU_ASSERT_TRUE(parses_to("1e308", 1e308));
    CU_ASSERT_TRUE(parses_to("1e99999999999999999999", 0) == false);
    CU_ASSERT_TRUE(parses_to("0e99999", 0));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CU_ASSERT_FALSE(is_number(bad[i]));
}

/* The fast way and strtod() agree to the last bit, and what is written reads back exactly. */
TEST(numbers_agree_with_strtod)
{
    static const char *const forms[] = {"%.3f", "%.6g", "%.15g", "%.17g", "%.4e", "%.12f"};
    struct random random;
    random_seed(&random, 1, 0);
    for (int i = 0; i < 60000; i++) {
        char text[400];
        double number = (random_unit(&random) - 0.5) * exp2(random_unit(&random) * 80 - 30), value;
        snprintf(text, sizeof text, forms[i % 6], number);
        bool good = parse_number(text, strlen(text), &value) && value == strtod(text, NULL) &&
                    (i % 6 != 3 || value == number);
        if (!good) {
            CU_FAIL("numbers differ");
            printf("# %s\n", text);
            return;
        }
    }
    CU_PASS("all agree");
}
