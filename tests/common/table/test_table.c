/* test_table.c: the table format: what is read, and what is refused and how. Writing is in
 * test_table_write.c.
 *
 *     bin/.obj/plain/tests/common/table/test_table
 */
#include "base/args.h"
#include "base/error.h"
#include "table/table.h"
#include "tap.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char output[1 << 16];
static char *const *given_files;
static int given_count;

/* The rows of stdin or of the given files as `file:line pages ns`, then the status. */
static void dump(void)
{
    program_name = "test";
    struct table *table = table_open(given_files, given_count);
    int pages = table_column(table, "pages"), ns = table_column(table, "ns");
    table_require(table, pages);
    table_require(table, ns);
    while (table_next(table)) {
        uint64_t count = 0;
        double time = NAN;
        bool has_pages = table_count(table, pages, &count), has_ns = table_number(table, ns, &time);
        printf("%d:%lu ", table_file(table), table_line(table));
        printf(has_pages ? "%llu " : "- ", (unsigned long long)count);
        printf(has_ns ? "%.17g\n" : "-\n", time);
    }
    int status = table_partial(table);
    table_close(table);
    exit(finish(status));
}

static int read_text(const char *input)
{
    given_count = 0;
    return tap_fork(dump, input, output, sizeof output);
}

static bool reads(const char *input, const char *rows)
{
    given_count = 0;
    return tap_writes(dump, input, rows);
}

static bool refuses(const char *input, const char *message)
{
    given_count = 0;
    return tap_refuses(dump, input, message);
}

/* ---- the form ---- */

TEST(columns_are_found_by_name)
{
    CU_ASSERT_TRUE(reads("pages\tns\n4\t1.5\n8\t2\n", "0:2 4 1.5\n0:3 8 2\n"));
    CU_ASSERT_TRUE(reads("new\tns\tpages\n?\t1.5\t4\n", "0:2 4 1.5\n"));
    CU_ASSERT_TRUE(reads("pages_x\tpages\tns\n1\t2\t3\n", "0:2 2 3\n"));
    CU_ASSERT_TRUE(reads(" pages \t  ns\n\t1\n", "0:2 - 1\n"));
    CU_ASSERT_TRUE(reads("pages\tns\n 4 \t  1.5 \n", "0:2 4 1.5\n"));
    CU_ASSERT_TRUE(reads("pages\tns\n4\t-\n-\t1\n4\t\n", "0:2 4 -\n0:3 - 1\n0:4 4 -\n"));
    CU_ASSERT_TRUE(reads("pages\tns\n\n4\t1\n   \n\t\n", "0:3 4 1\n"));
    CU_ASSERT_TRUE(reads("pages\tns\t\t\n4\t1\n5\t1\t\n", "0:2 4 1\n0:3 5 1\n"));
    CU_ASSERT_TRUE(reads("pages\tns\r\n4\t1\r\n\r\n8\t2\r\n", "0:2 4 1\n0:4 8 2\n"));
    CU_ASSERT_TRUE(reads("pages\tns\n", ""));
}

TEST(headers_are_found_with_or_without)
{
    CU_ASSERT_TRUE(reads("# key: value\npages\tns\n4\t1\n", "0:3 4 1\n"));
    CU_ASSERT_TRUE(reads("# pages\tns\n4\t1\n", "0:2 4 1\n"));
    CU_ASSERT_TRUE(reads("#TLB experiment\n#pages\t ns\t sum\n4\t 0.5\t 7\n", "0:3 4 0.5\n"));
    CU_ASSERT_TRUE(reads("# no\theader\n# pages\tns\n# a: b\n\n4\t1\n", "0:5 4 1\n"));
    CU_ASSERT_TRUE(reads("# ns\tpages\npages\tns\n4\t1\n", "0:3 4 1\n"));
    CU_ASSERT_TRUE(reads("# pages\tns\n", ""));
    CU_ASSERT_TRUE(refuses("", "test: -: no header line: the input is empty\n"));
    CU_ASSERT_TRUE(refuses("4\t1\n", "test: -:1: no header line\n"));
    CU_ASSERT_TRUE(refuses("# a: b\n4\t1\n", "test: -:2: no header line\n"));
    CU_ASSERT_TRUE(refuses("# a: b\n", "no header line"));
    CU_ASSERT_TRUE(refuses("pages\tns", "no header line"));
    CU_ASSERT_TRUE(refuses("pages\tfoo\n4\t1\n", "test: -:1: no column 'ns' in the header\n"));
    CU_ASSERT_TRUE(refuses("foo\n", "no column 'pages'"));
    CU_ASSERT_TRUE(
        refuses("pages\tns\tns\n4\t1\t2\n", "-:1: column 'ns': it appears twice in the header\n"));
    CU_ASSERT_TRUE(refuses("# pages\tns\tns\n# a: b\n4\t1\t2\n", "-:1: column 'ns': it appears"));
    CU_ASSERT_TRUE(refuses("pages\tns\n4\t1\n# a: b\nns\tpages\tns\n", "-:4: column 'ns': it"));
}

TEST(fields_that_are_no_numbers_are_refused)
{
    CU_ASSERT_TRUE(
        refuses("pages\tns\n4\t1\n8\tx\n", "test: -:3: column 'ns': 'x' is not a number"));
    CU_ASSERT_TRUE(refuses("pages\tns\n4\tNaN\n", "-:2: column 'ns': 'NaN' is not a number"));
    CU_ASSERT_TRUE(refuses("pages\tns\n4\tinf\n", "column 'ns'"));
    CU_ASSERT_TRUE(refuses("pages\tns\n4\t-Infinity\n", "column 'ns'"));
    CU_ASSERT_TRUE(refuses("pages\tns\n4\t1e999\n", "column 'ns'"));
    CU_ASSERT_TRUE(refuses("pages\tns\n4\t0x10\n", "column 'ns'"));
    CU_ASSERT_TRUE(refuses("pages\tns\n4\t1,5\n", "column 'ns'"));
    CU_ASSERT_TRUE(refuses("pages\tns\n4\t1 5\n", "column 'ns'"));
    CU_ASSERT_TRUE(refuses("pages\tns\n4.5\t1\n", "column 'pages': '4.5' is not a whole number"));
    CU_ASSERT_TRUE(refuses("pages\tns\n-4\t1\n", "column 'pages'"));
    CU_ASSERT_TRUE(refuses("pages\tns\n1e30\t1\n", "column 'pages'"));
    CU_ASSERT_TRUE(refuses("# a: b\n\npages\tns\n4\t1\n\n8\t?\n", "-:6: column 'ns'"));
}

/* They are on the way to the reader of a pipe when the program ends. */
TEST(rows_before_an_error_are_written_before_it)
{
    CU_ASSERT_TRUE(refuses("pages\tns\n4\t1\n8\tx\n", "0:2 4 1\ntest: -:3: column 'ns'"));
}

TEST(a_CR_within_the_first_line_is_named_however_near_its_end)
{
    CU_ASSERT_TRUE(refuses("pages\tns\r4\t1", "test: -:1: its lines end in CR only"));
    CU_ASSERT_TRUE(refuses("pages\tns\r4\n", "test: -:1: its lines end in CR only"));
}

TEST(rows_that_were_cut_are_refused)
{
    CU_ASSERT_EQUAL(read_text("pages\tns\n4\t1\n8\t2."), STATUS_PARTIAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "0:2 4 1\n"));
    CU_ASSERT_PTR_NULL(strstr(output, "0:3"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "test: -:3: the last line has no newline"));
    CU_ASSERT_EQUAL(read_text("#pages\tns\n8\t2."), STATUS_PARTIAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "test: -:2: the last line has no newline"));
    CU_ASSERT_TRUE(
        refuses("pages\tns\tx\n4\t1\n8\t2\t3\n", "-:2: the row has 2 fields, the header 3"));
    CU_ASSERT_TRUE(refuses("pages\tns\n4\t1\n8\n", "-:3: the row has 1 field, the header 2"));
    CU_ASSERT_TRUE(
        refuses("pages\tns\n4\t14\t1\n", "-:2: the row has more fields than the header"));
}

TEST(tables_joined_by_cat)
{
    const char *two = "# a: 1\npages\tns\n4\t1\n# a: 2\nns\tx\tpages\n2\t?\t8\n";
    CU_ASSERT_TRUE(reads(two, "0:3 4 1\n0:6 8 2\n"));
    CU_ASSERT_TRUE(reads("pages\tns\n4\t1\npages\tns\n8\t2\n", "0:2 4 1\n0:4 8 2\n"));
    CU_ASSERT_TRUE(reads("pages\tns\r\n4\t1\r\npages\tns\r\n8\t2\r\n", "0:2 4 1\n0:4 8 2\n"));
    CU_ASSERT_TRUE(reads("#pages\tns\n4\t1\n#pages\tns\n8\t2\n", "0:2 4 1\n0:4 8 2\n"));
    CU_ASSERT_TRUE(reads("pages\tns\n4\t1\n# a: 2\npages\tfoo\n8\t2\n", "0:2 4 1\n0:5 8 -\n"));
    CU_ASSERT_TRUE(refuses("pages\tns\n4\t1\n# remark\n8\t2\n", "-:4: no header line"));
    CU_ASSERT_TRUE(refuses("pages\tns\n4\t1\nns\tpages\n1\t8\n", "-:3: column 'pages'"));
}

/* ---- several files, large ones, broken ones ---- */

static char names[4][64];
static char *paths[4] = {names[0], names[1], names[2], names[3]};

static FILE *make_file(int number)
{
    strcpy(names[number], "/tmp/test_table.XXXXXX");
    int descriptor = mkstemp(names[number]);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file == NULL)
        exit(2);
    given_files = paths;
    given_count = number + 1;
    return file;
}

static void write_file(int number, const char *text)
{
    FILE *file = make_file(number);
    fputs(text, file);
    fclose(file);
}

static int read_files(void)
{
    int status = tap_fork(dump, "", output, sizeof output);
    for (int i = 0; i < given_count; i++)
        unlink(names[i]);
    return status;
}

TEST(several_files_are_read_as_one_table)
{
    char wanted[256];
    write_file(0, "# host: a\n# both: 1\npages\tns\n4\t1\n");
    write_file(1, "# host: b\nns\tpages\n2\t8\n3\t16\n");
    struct table *table = table_open(paths, 2);
    CU_ASSERT_STRING_EQUAL(table_meta(table, 0, "host"), "a");
    CU_ASSERT_STRING_EQUAL(table_meta(table, 1, "host"), "b");
    CU_ASSERT_STRING_EQUAL(table_meta(table, -1, "host"), "b");
    CU_ASSERT_STRING_EQUAL(table_meta(table, -1, "both"), "1");
    CU_ASSERT_PTR_NULL(table_meta(table, 1, "both"));
    CU_ASSERT_EQUAL(table_files(table), 2);
    CU_ASSERT_TRUE(table_next(table));
    unsigned long head = table_head(table);
    CU_ASSERT_TRUE(table_next(table));
    CU_ASSERT_NOT_EQUAL(table_head(table), head);
    head = table_head(table);
    CU_ASSERT_TRUE(table_next(table));
    CU_ASSERT_EQUAL(table_head(table), head);
    CU_ASSERT_FALSE(table_next(table));
    CU_ASSERT_EQUAL(table_head(table), head); /* after the last row it is still the last file's */
    CU_ASSERT_EQUAL(table_line(table), 4);
    table_close(table);
    CU_ASSERT_EQUAL(read_files(), STATUS_DONE);
    CU_ASSERT_STRING_EQUAL(output, "0:4 4 1\n1:3 8 2\n1:4 16 3\n");

    write_file(0, "pages\tns\n4\t1\n8\t");
    write_file(1, "pages\tns\n8\t2\n");
    CU_ASSERT_EQUAL(read_files(), STATUS_PARTIAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "1:2 8 2\n"));
    write_file(0, "pages\tns\n4\t1\n");
    write_file(1, "pages\tnot\n8\t2\n");
    snprintf(wanted, sizeof wanted, "test: %s:1: no column 'ns' in the header\n", names[1]);
    CU_ASSERT_EQUAL(read_files(), STATUS_BAD);
    CU_ASSERT_STRING_EQUAL(output, wanted);
    CU_ASSERT_EQUAL(read_files(), STATUS_BAD); /* they are gone now */
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "cannot open: No such file"));
}

TEST(a_folder_is_no_table)
{
    char *folder[] = {(char *)"/"};
    given_files = folder;
    given_count = 1;
    CU_ASSERT_TRUE(tap_refuses(dump, "", "test: /: cannot read"));
}

/* A header of `before` columns before pages and ns, and one such row. */
static int read_wide(int before)
{
    FILE *file = make_file(0);
    for (int row = 0; row < 2; row++) {
        for (int c = 0; c < before; c++)
            fputs("x\t", file);
        fputs(row == 0 ? "pages\tns\n" : "4\t1\n", file);
    }
    fclose(file);
    return read_files();
}

TEST(a_million_columns_are_read)
{
    CU_ASSERT_EQUAL(read_wide(1000), STATUS_DONE);
    CU_ASSERT_STRING_EQUAL(output, "0:2 4 1\n");
    CU_ASSERT_EQUAL(read_wide(1000000), STATUS_DONE);
    CU_ASSERT_STRING_EQUAL(output, "0:2 4 1\n");
}

/* Columns that are wanted, and their numbers, are as many as somebody asks for. */
TEST(as_many_columns_as_are_wanted)
{
    enum { WANTED = 500 };
    static char wanted[WANTED][8];
    FILE *file = make_file(0);
    for (int row = 0; row < 2; row++)
        for (int c = 0; c < WANTED; c++)
            fprintf(file, row == 0 ? "c%d%c" : "%d%c", c, c + 1 < WANTED ? '\t' : '\n');
    fclose(file);
    struct table *table = table_open(paths, 1);
    uint64_t value = 0;
    for (int c = WANTED - 1; c >= 0; c--) {
        snprintf(wanted[c], sizeof wanted[c], "c%d", c);
        CU_ASSERT_EQUAL(table_column(table, wanted[c]), WANTED - 1 - c);
    }
    CU_ASSERT_TRUE(table_next(table));
    for (int c = 0; c < WANTED; c++)
        CU_ASSERT_TRUE(table_count(table, c, &value) && value == (uint64_t)(WANTED - 1 - c));
    table_close(table);
    unlink(names[0]);
}

/* A row whose note has that many bytes. */
static int read_long(int length)
{
    FILE *file = make_file(0);
    fprintf(file, "pages\tns\tnote\n4\t1\t%0*d\n8\t2\tn\n", length, 0);
    fclose(file);
    return read_files();
}

TEST(lines_that_are_too_long_are_refused)
{
    CU_ASSERT_EQUAL(read_long(3000000), STATUS_DONE);
    CU_ASSERT_STRING_EQUAL(output, "0:2 4 1\n0:3 8 2\n");
    CU_ASSERT_EQUAL(read_long(17 << 20), STATUS_BAD);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, ":2: the line is longer than 16 MiB"));
}

/* Lines of every length, so that each falls somewhere across the edge of the buffer. */
TEST(edges_of_the_buffer)
{
    FILE *file = make_file(0);
    fputs("pages\tns\n", file);
    for (int i = 0; i < 3000; i++)
        fprintf(file, "%*d\t%d\n", 1 + i, i, i % 7);
    fclose(file);
    struct table *table = table_open(paths, 1);
    int pages = table_column(table, "pages"), ns = table_column(table, "ns");
    uint64_t count, time;
    int i = 0;
    for (; table_next(table); i++)
        if (!table_count(table, pages, &count) || !table_count(table, ns, &time) ||
            count != (uint64_t)i || time != (uint64_t)i % 7)
            break;
    CU_ASSERT_EQUAL(i, 3000);
    table_close(table);
    unlink(names[0]);
}

static void refuses_bytes(const char *bytes, size_t length, const char *message)
{
    FILE *file = make_file(0);
    fwrite(bytes, 1, length, file);
    fclose(file);
    CU_ASSERT_EQUAL(read_files(), STATUS_BAD);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, message));
}

TEST(NUL_bytes_are_refused)
{
    static const char row[] = "pages\tns\n4\t1\0\n", name[] = "pa\0ges\tns\n4\t1\n";
    static const char meta[] = "# a: b\0c\npages\tns\n4\t1\n";
    refuses_bytes(row, sizeof row - 1, ":2: a NUL byte");
    refuses_bytes(name, sizeof name - 1, ":1: a NUL byte");
    refuses_bytes(meta, sizeof meta - 1, ":1: a NUL byte");
}

TEST(too_many_lines_of_metadata_are_refused)
{
    FILE *file = make_file(0);
    for (int i = 0; i < 50001; i++)
        fprintf(file, "# k%d: v\n", i);
    fputs("pages\tns\n", file);
    fclose(file);
    CU_ASSERT_EQUAL(read_files(), STATUS_BAD);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, ":50001: more than 50000 lines of metadata"));
}

/* A few long lines are refused before they fill the memory. */
TEST(too_many_bytes_of_metadata_are_refused)
{
    FILE *file = make_file(0);
    for (int i = 0; i < 20; i++)
        fprintf(file, "# k: %0*d\n", 1 << 20, i);
    fclose(file);
    CU_ASSERT_EQUAL(read_files(), STATUS_BAD);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, ":16: more than 16 MiB of metadata"));
}
