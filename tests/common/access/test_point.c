/* test_point.c: rows of points and samples: defaults, the printed lab's tables, what is refused,
 * and that what is written reads back.
 *
 *     bin/.obj/plain/tests/common/access/test_point
 */
#include "access/kernel.h"
#include "access/layout.h"
#include "access/point.h"
#include "base/error.h"
#include "base/random.h"
#include "named.h"
#include "tap.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char output[1 << 16];
static bool measured;

/* The rows of stdin: `pages layout spacing page_bytes buffer role sample kernel chain ns;`. */
static void dump(void)
{
    struct sample s;
    program_name = "test";
    struct table *table = table_open(NULL, 0);
    struct point_reader *reader = point_reader_open(table, measured);
    while (point_reader_next(reader, &s)) {
        const struct point *p = &s.point;
        printf("%llu %s %llu %llu %llu ", (unsigned long long)p->pages, p->layout->name,
               (unsigned long long)p->spacing, (unsigned long long)p->page_bytes,
               (unsigned long long)p->buffer);
        printf("%s %llu %s %s %.9g;", role_names[p->role], (unsigned long long)p->sample,
               p->kernel->name, chain_names[p->chain], s.ns);
    }
    point_reader_close(reader);
    table_close(table);
    exit(finish(STATUS_DONE));
}

static bool reads(bool as_samples, const char *input, const char *wanted)
{
    measured = as_samples;
    return tap_writes(dump, input, wanted);
}

static bool refuses(bool as_samples, const char *input, const char *message)
{
    measured = as_samples;
    return tap_refuses(dump, input, message);
}

/* ---- reading ---- */

TEST(columns_that_are_missing_have_defaults)
{
    CU_ASSERT_TRUE(
        reads(true, "pages\tns\n4\t1.5\n", "4 page 4096 4096 0 sweep 0 read random-box 1.5;"));
    CU_ASSERT_TRUE(reads(false, "pages\n4\n8\n",
                         "4 page 4096 4096 0 sweep 0 read random-box nan;"
                         "8 page 4096 4096 0 sweep 0 read random-box nan;"));
    CU_ASSERT_TRUE(reads(true,
                         "# page_bytes: 16384\n# line_bytes: 128\npages\tlayout\tns\n"
                         "4\tpage\t1\n4\tpacked\t1\n4\tpage\t2\n",
                         "4 page 16384 16384 0 sweep 0 read random-box 1;"
                         "4 packed 128 16384 0 sweep 0 read random-box 1;"
                         "4 page 16384 16384 0 sweep 0 read random-box 2;"));
    CU_ASSERT_TRUE(reads(true,
                         "# page_bytes: 0\n# line_bytes: -\npages\tlayout\tns\n4\tpacked\t1\n",
                         "4 packed 64 4096 0 sweep 0 read random-box 1;"));
}

TEST(all_columns_are_read)
{
    CU_ASSERT_TRUE(reads(true,
                         "# buffer_bytes: 1048576\n# chain: same-random-in-box\n"
                         "sample\tkernel\trole\tpage_bytes\tspacing_bytes\tlayout\tpages\tns\n"
                         "3\tdummy\trefine\t16384\t128\tline\t7\t0\n"
                         "2\tread\tcomparison\t4096\t256\tbox\t8\t2\n",
                         "7 line 128 16384 0 refine 3 dummy same-random-in-box 0;"
                         "8 box 256 4096 1048576 comparison 2 read same-random-in-box 2;"));
}

/* `-` means the default, whatever the row before had. */
TEST(missing_values_are_defaults)
{
    CU_ASSERT_TRUE(reads(true,
                         "pages\tlayout\tspacing_bytes\trole\tsample\tns\n"
                         "4\tpacked\t64\trefine\t5\t1\n"
                         "4\t-\t-\t-\t-\t2\n"
                         "4\tpacked\t-\t-\t-\t3\n"
                         "4\tpage\t8192\t-\t-\t4\n"
                         "8\tpage\t-\t-\t-\t5\n",
                         "4 packed 64 4096 0 refine 5 read random-box 1;"
                         "4 page 4096 4096 0 sweep 0 read random-box 2;"
                         "4 packed 64 4096 0 sweep 0 read random-box 3;"
                         "4 page 8192 4096 0 sweep 0 read random-box 4;"
                         "8 page 4096 4096 0 sweep 0 read random-box 5;"));
    CU_ASSERT_TRUE(reads(true, "pages\tns\n4\t-\n-\t1\n8\t2\n",
                         "8 page 4096 4096 0 sweep 0 read random-box 2;"));
    CU_ASSERT_TRUE(reads(false, "pages\tns\n4\t-\n", /* a points table needs no ns */
                         "4 page 4096 4096 0 sweep 0 read random-box nan;"));
    CU_ASSERT_TRUE(reads(true,
                         "pages\tkernel\tbacking\tpage_bytes\tns\n"
                         "4\tlinear\tscattered\t65536\t1\n4\t-\t-\t-\t2\n",
                         "4 page 65536 65536 0 sweep 0 linear random-box 1;"
                         "4 page 4096 4096 0 sweep 0 read random-box 2;"));
}

TEST(a_layout_without_targets_hides_those_of_its_row_alone)
{
    CU_ASSERT_TRUE(reads(true,
                         "pages\tlayout\tspacing_bytes\ttargets\tothers\tns\n"
                         "8\tpage\t4096\t4\t4\t1\n8\tset\t4096\t4\t4\t2\n",
                         "8 page 4096 4096 0 sweep 0 read random-box 1;"
                         "8 set 4096 4096 0 sweep 0 read random-box 2;"));
}

TEST(tables_joined_by_cat)
{
    CU_ASSERT_TRUE(reads(true,
                         "# page_bytes: 16384\npages\tlayout\tns\n4\tpacked\t1\n"
                         "# page_bytes: 4096\npages\tns\n4\t2\n",
                         "4 packed 64 16384 0 sweep 0 read random-box 1;"
                         "4 page 4096 4096 0 sweep 0 read random-box 2;"));
    CU_ASSERT_TRUE(reads(true,
                         "# page size = 64 bytes\n#pages\t proc\n4\t 1\n"
                         "# page size = 4096 bytes\n#pages\t proc\n4\t 1\n",
                         "4 line 64 4096 0 sweep 0 read random-box 1e+09;"
                         "4 line 4096 4096 0 sweep 0 read random-box 1e+09;"));
    CU_ASSERT_TRUE(
        refuses(true, "pages\tns\n4\t1\n# a: b\npages\tfoo\n4\t1\n", "test: -:5: no column 'ns'"));
    CU_ASSERT_TRUE(
        refuses(true, "pages\tns\n4\t1\n# a: b\nfoo\tns\n4\t1\n", "test: -:5: no column 'pages'"));
}

/* ---- the printed lab ---- */

TEST(a_table_of_the_printed_lab_is_read)
{
    const char *head = "#TLB experiment\n# page size = 64 bytes\n# max pages = 8192\n"
                       "# total number or references = 100 Mi\n#pages\t proc\t sum\n";
    char input[512];
    snprintf(input, sizeof input, "%s4\t 0.104858\t 104857600\n8\t 0.209715\t 104857600\n", head);
    CU_ASSERT_TRUE(reads(true, input,
                         "4 line 64 4096 0 sweep 0 read random-box 1.00000381;"
                         "8 line 64 4096 0 sweep 0 read random-box 1.99999809;"));
    CU_ASSERT_TRUE(reads(false, input,
                         "4 line 64 4096 0 sweep 0 read random-box nan;"
                         "8 line 64 4096 0 sweep 0 read random-box nan;"));
    snprintf(input, sizeof input, "%s4\t -0.1\t 1\n", head);
    CU_ASSERT_TRUE(refuses(true, input, "-:6: column 'proc': a time cannot be negative"));
    snprintf(input, sizeof input, "%s4\t 0.1\t 1\n8\t 0.2", head);
    measured = true;
    CU_ASSERT_EQUAL(tap_fork(dump, input, output, sizeof output), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "test: -:7: the last line has no newline"));
}

TEST(seconds_of_the_printed_lab_become_ns_per_access)
{
    const char *head = "# page size = 64 bytes\n";
    char input[512];
    snprintf(input, sizeof input, "%spages\trefs\tproc_s\n4\t1000000\t0.002\n8\t-\t0.002\n", head);
    CU_ASSERT_TRUE(reads(true, input,
                         "4 line 64 4096 0 sweep 0 read random-box 2;"
                         "8 line 64 4096 0 sweep 0 read random-box 2000000;"));
    snprintf(input, sizeof input,
             "%s# total number of references = 2 Mi\npages\tproc\n4\t2.097152\n", head);
    CU_ASSERT_TRUE(reads(true, input, "4 line 64 4096 0 sweep 0 read random-box 1000;"));
    snprintf(input, sizeof input, "%spages\tproc\tlayout\tns\n4\t0.5\tline\t3\n4\t0.5\tline\t-\n",
             head);
    CU_ASSERT_TRUE(reads(true, input, "4 line 64 4096 0 sweep 0 read random-box 3;"));
    CU_ASSERT_TRUE(refuses(true, "#pages\t proc\n4\t 0.1\n",
                           "-:2: layout 'line' needs a column 'spacing_bytes' (or metadata 'page "
                           "size')"));
}

TEST(points_that_cannot_be_are_refused)
{
    CU_ASSERT_TRUE(refuses(true, "pages\n4\n", "test: -:1: no column 'ns' in the header"));
    CU_ASSERT_TRUE(refuses(true, "pages\n", "no column 'ns'"));
    CU_ASSERT_TRUE(refuses(false, "ns\n", "no column 'pages'"));
    CU_ASSERT_TRUE(refuses(true, "pages\tns\n4\t-1\n", "-:2: column 'ns': a time cannot"));
    CU_ASSERT_TRUE(refuses(true, "pages\tns\tmin_ns\n4\t1\t-1\n", "-:2: column 'min_ns': a time"));
    CU_ASSERT_TRUE(refuses(true, "pages\tns\n0\t1\n", "-:2: column 'pages': a chain needs"));
    CU_ASSERT_TRUE(refuses(false, "pages\tspacing_bytes\n4\t0\n", "-:2: column 'spacing_bytes'"));
    CU_ASSERT_TRUE(refuses(false, "pages\tpage_bytes\n4\t5000\n", "-:2: column 'page_bytes'"));
    CU_ASSERT_TRUE(refuses(false, "pages\tpage_bytes\n4\t0\n", "-:2: column 'page_bytes'"));
    CU_ASSERT_TRUE(refuses(false, "# page_bytes: 5000\npages\n4\n", "metadata page_bytes 5000"));
    CU_ASSERT_TRUE(refuses(false, "pages\tlayout\n4\tpages\n", "column 'layout': unknown layout"));
    CU_ASSERT_TRUE(refuses(false, "pages\tkernel\n4\tx\n", "column 'kernel': unknown kernel 'x'"));
    CU_ASSERT_TRUE(refuses(false, "pages\tbacking\n4\tx\n", "column 'backing'"));
    CU_ASSERT_TRUE(refuses(false, "pages\trole\n4\tx\n", "column 'role'"));
    CU_ASSERT_TRUE(refuses(false, "pages\tsample\n4\t1.5\n", "column 'sample'"));
    CU_ASSERT_TRUE(refuses(false, "pages\tlayout\n4\tbox\n", "-:2: layout 'box' needs a column"));
    CU_ASSERT_TRUE(refuses(true, "pages\tns\tloads\n4\t1\tx\n", "-:2: column 'loads'"));
}

/* ---- writing ---- */

enum {
    ALL_COLUMNS = SAMPLE_COUNTED | SAMPLE_LAB | SAMPLE_CHAINS | SAMPLE_BACKED | SAMPLE_LOCKED,
};

static void write_samples(void)
{
    struct random random;
    random_seed(&random, 4, 0);
    samples_header(ALL_COLUMNS);
    for (int i = 0; i < 50; i++) {
        struct sample s = {.point = {.pages = 1 + random_below(&random, 1 << 20),
                                     .spacing = 64,
                                     .page_bytes = 4096,
                                     .sample = (uint64_t)i,
                                     .layout = &layouts[LAYOUT_LINE],
                                     .backing = &backings[BACKING_SCATTERED],
                                     .kernel = &kernels[i % 3],
                                     .chains = i % 4 > 1 ? (uint64_t)i % 4 : 0,
                                     .role = (enum role)(i % 3)},
                           .ns = random_unit(&random) * 100,
                           .loads = NAN,
                           .sum = 1e15,
                           .backed = i % 2 > 0 ? "hint (frames are hidden)" : NULL,
                           .locked = i % 3 > 0 ? "yes" : "no (mlock: no)"};
        samples_write(&s, ALL_COLUMNS);
    }
    exit(finish(STATUS_DONE));
}

static void copy_samples(void)
{
    struct sample s;
    struct table *table = table_open(NULL, 0);
    struct point_reader *reader = point_reader_open(table, true);
    samples_header(ALL_COLUMNS);
    while (point_reader_next(reader, &s))
        samples_write(&s, ALL_COLUMNS);
    point_reader_close(reader);
    table_close(table);
    exit(finish(STATUS_DONE));
}

TEST(points_that_are_written_are_read_again)
{
    static char first[1 << 15], second[1 << 15];
    CU_ASSERT_EQUAL(tap_fork(write_samples, "", first, sizeof first), 0);
    CU_ASSERT_EQUAL(tap_fork(copy_samples, first, second, sizeof second), 0);
    CU_ASSERT_TRUE(strlen(first) > 2000);
    CU_ASSERT_STRING_EQUAL(first, second);
}

/* Of layout set alone; a row without them has none. */
static void copy_moments(void)
{
    struct sample s;
    struct table *table = table_open(NULL, 0);
    struct point_reader *reader = point_reader_open(table, false);
    while (point_reader_next(reader, &s))
        printf("%llu %llu %s;", (unsigned long long)s.point.moment,
               (unsigned long long)s.point.others_spacing, role_names[s.point.role]);
    point_reader_close(reader);
    table_close(table);
    exit(finish(STATUS_DONE));
}

TEST(moments_and_the_distance_of_others_are_read)
{
    static const char rows[] = "pages\tlayout\tspacing_bytes\trole\ttargets\tothers\t"
                               "others_spacing_bytes\tmoment\n"
                               "9\tset\t65536\tcontrol\t4\t5\t8192\t7\n"
                               "9\tset\t65536\tasked\t4\t5\t-\t8\n"
                               "9\tpage\t4096\tsweep\t4\t5\t8192\t-\n"
                               "9\tset\t65536\tall\t4\t5\t-\t-\n";
    CU_ASSERT_TRUE(tap_writes(copy_moments, rows, "7 8192 control;8 0 asked;0 0 sweep;0 0 all;"));
}

/* Of three tables the second begins anew, and the third goes on. */
TEST(equal_numbers_in_two_tables_are_two_moments)
{
    static const char rows[] = "pages\tlayout\tmoment\n9\tpage\t1\n9\tpage\t2\n9\tpage\t1\n"
                               "# a: b\npages\tlayout\tmoment\n9\tpage\t2\n9\tpage\t1\n9\tpage\t3\n"
                               "# a: b\npages\tmoment\n9\t6\n9\t-\n";
    CU_ASSERT_TRUE(tap_writes(copy_moments, rows,
                              "1 0 sweep;2 0 sweep;1 0 sweep;4 0 sweep;3 0 sweep;5 0 sweep;"
                              "6 0 sweep;0 0 sweep;"));
}

/* With any columns, each row has as many fields as its header. */
static void write_every_kind(void)
{
    struct sample s = {.point = point_of("page", 4, 4096)};
    for (unsigned columns = 0; columns < 2 * SAMPLE_MOMENT; columns += 2) {
        samples_header(columns);
        samples_write(&s, columns);
    }
    exit(finish(STATUS_DONE));
}

TEST(rows_of_every_kind_are_whole)
{
    static char rows[1 << 19];
    int lines = 0, tabs[2] = {0};
    CU_ASSERT_EQUAL(tap_fork(write_every_kind, "", rows, sizeof rows), 0);
    for (const char *c = rows; *c != '\0'; c++) {
        tabs[lines % 2] += *c == '\t';
        if (*c == '\n' && lines++ % 2 == 1) {
            CU_ASSERT_EQUAL(tabs[0], tabs[1]);
            tabs[0] = tabs[1] = 0;
        }
    }
    CU_ASSERT_EQUAL(lines, 2 * SAMPLE_MOMENT);
}

static void write_headers(void)
{
    struct point point = point_of("page", 4, 4096);
    point.sample = 2;
    point.role = ROLE_COMPARISON;
    points_header(0);
    points_write(&point, 0);
    samples_header(0);
}

TEST(headers_have_the_columns_in_their_order)
{
    CU_ASSERT_TRUE(
        tap_writes(write_headers, "",
                   "pages\tlayout\tspacing_bytes\tpage_bytes\trole\tsample\tkernel\tbacking\n"
                   "4\tpage\t4096\t4096\tcomparison\t2\tread\tscattered\n"
                   "pages\tlayout\tspacing_bytes\tpage_bytes\trole\tsample\tkernel\tbacking\t"
                   "ns\tloads\tmin_ns\truns\trun_s\tt_s\n"));
}
