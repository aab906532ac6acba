/* test_printable.c: texts from outside without control characters.
 *
 *     bin/.obj/plain/tests/common/base/test_printable
 */
#include "base/printable.h"
#include "table/table.h"
#include "tap.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char output[1 << 12];

/* A text as put_printable() writes it. */
static const char *cleaned(const char *text, size_t length)
{
    output[0] = '\0';
    FILE *file = fmemopen(output, sizeof output, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    put_printable(text, length, file);
    fclose(file);
    return output;
}

#define CLEANED(text) cleaned(text, sizeof(text) - 1)

TEST(control_characters_are_replaced)
{
    CU_ASSERT_STRING_EQUAL(CLEANED("plain text, 100 %"), "plain text, 100 %");
    CU_ASSERT_STRING_EQUAL(CLEANED("a\tb\nc\rd"), "a b c d");
    CU_ASSERT_STRING_EQUAL(CLEANED("\x1b[2J\x07\x7f|"), "?[2J??|");
    CU_ASSERT_STRING_EQUAL(CLEANED("a\0b"), "a?b");
    CU_ASSERT_STRING_EQUAL(CLEANED("\xc2\x9b"
                                   "2J"),
                           "??2J"); /* the C1 form of ESC [ */
    CU_ASSERT_STRING_EQUAL(CLEANED(""), "");
}

TEST(UTF_8_stays_malformed_bytes_do_not)
{
    CU_ASSERT_STRING_EQUAL(CLEANED("Zo\xc3\xab \xe2\x82\xac \xf0\x9f\x98\x80 \xc2\xa0"),
                           "Zo\xc3\xab \xe2\x82\xac \xf0\x9f\x98\x80 \xc2\xa0");
    CU_ASSERT_STRING_EQUAL(CLEANED("\xc3"), "?");           /* cut off */
    CU_ASSERT_STRING_EQUAL(CLEANED("\xe2\x82"), "??");      /* cut off */
    CU_ASSERT_STRING_EQUAL(CLEANED("\x9b"), "?");           /* C1 in Latin-1 */
    CU_ASSERT_STRING_EQUAL(CLEANED("\xc0\x9b"), "??");      /* overlong */
    CU_ASSERT_STRING_EQUAL(CLEANED("\xe0\x82\x9b"), "???"); /* overlong */
    CU_ASSERT_STRING_EQUAL(CLEANED("\xed\xa0\x80"), "???"); /* a surrogate */
    CU_ASSERT_EQUAL(printable_length("\xc2\xa0", 2), 2);
    CU_ASSERT_EQUAL(printable_length("\xc2\x9f", 2), 0);
    CU_ASSERT_EQUAL(utf8_length("\xc2\x9f", 2), 2);
}

static void vput(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void vput(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vput_printable(stdout, format, arguments);
    va_end(arguments);
}

/* ---- cells ---- */

static void put_cells(void)
{
    static const char *const cells[] = {"=1+1", "+1+1", "-1+1", "@SUM(1)", "-0.5", "+7",
                                        "-",    "=",    "1e3",  "a=b",     ""};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        put_text(cells[i], ' ');
    put_field((struct field){"=\x1b[2J", 5}, '\n');
    vput("%0300d %s", 1, "\x1b");
}

TEST(a_cell_that_a_spreadsheet_runs_is_quoted)
{
    CU_ASSERT_EQUAL(tap_fork(put_cells, "", output, sizeof output), 0);
    char *end = strchr(output, '\n');
    CU_ASSERT_PTR_NOT_NULL_FATAL(end);
    *end = '\0';
    CU_ASSERT_STRING_EQUAL(output, "'=1+1 '+1+1 '-1+1 '@SUM(1) -0.5 '+7 - = 1e3 a=b - '=?[2J");
    CU_ASSERT_EQUAL(strlen(end + 1), 302);
    CU_ASSERT_STRING_EQUAL(end + 1 + 299, "1 ?");
}
