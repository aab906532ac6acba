/* test_columns.c: the columns of every kind of table and the words of notes: written, read back,
 * and explained in the manual pages.
 *
 *     bin/.obj/plain/tests/common/table/test_columns
 */
#include "access/kernel.h"
#include "access/point.h"
#include "base/error.h"
#include "memory/cores/pairs.h"
#include "named.h"
#include "report/run/comparison.h"
#include "report/run/run_tables.h"
#include "tap.h"
#include "tlb/simulate/model_row.h"
#include "trace/saving/cost_row.h"
#include "trace/saving/watch.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every kind, and the manual page that explains its columns, under TABLE COLUMNS where no other
 * heading is named. */
static const struct kind {
    const struct column *columns;
    const char *page, *heading;
} kinds[] = {
    {sample_row_columns, "src/tlb/chase.1", NULL},
    {boundary_columns, "src/tlb/detect.1", NULL},
    {penalty_columns, "src/tlb/walkpenalty.1", NULL},
    {organisation_columns, "src/tlb/geometry.1", NULL},
    {latency_columns, "src/tlb/latency.1", NULL},
    {rate_columns, "src/memory/bandwidth.1", NULL},
    {pair_columns, "src/memory/pingpong.1", NULL},
    {core_group_columns, "src/memory/pingpong.1", "GROUPS COLUMNS"},
    {model_columns, "src/tlb/simulate.1", "MACHINE DESCRIPTIONS"},
    {watch_columns, "src/trace/tlbcost.1", "WATCH COLUMNS"},
    {cost_columns, "src/trace/tlbcost.1", NULL},
    {comparison_columns, "src/report/compare.1", NULL},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct column *column_of(const struct column *columns, const char *name, size_t length)
{
    for (; columns->name != NULL; columns++)
        if (strlen(columns->name) == length && memcmp(columns->name, name, length) == 0)
            return columns;
    return NULL;
}

static void add_word(char *list, size_t room, const char *word)
{
    size_t used = strlen(list);
    snprintf(list + used, room - used, "%s%s", used > 0 ? " " : "", word);
}

TEST(tojson_knows_every_kind)
{
    for (size_t k = 0; k < KINDS; k++) {
        size_t n = 0;
        while (run_tables_columns[n] != NULL && run_tables_columns[n] != kinds[k].columns)
            n++;
        CU_ASSERT_PTR_NOT_NULL(run_tables_columns[n]);
    }
}

/* ---- manual pages ---- */

static char *read_text(const char *path)
{
    static char text[1 << 17];
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* The columns that a page lists, in the order of their `.It` lines. */
static void listed(const struct kind *kind, char list[1024])
{
    char heading[64];
    snprintf(heading, sizeof heading, "\n.Sh %s\n",
             kind->heading != NULL ? kind->heading : "TABLE COLUMNS");
    char *at = strstr(read_text(kind->page), heading);
    *list = '\0';
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    char *end = strstr(at + 1, "\n.Sh ");
    if (end != NULL)
        *end = '\0';
    for (at = strstr(at, "\n.It Li "); at != NULL; at = strstr(at, "\n.It Li ")) {
        at += strlen("\n.It Li ");
        for (size_t length; *at != '\n'; at += length + (at[length] == ' ')) {
            length = strcspn(at, " \n");
            const struct column *c = column_of(kind->columns, at, length);
            if (c != NULL)
                add_word(list, 1024, c->name);
        }
    }
}

TEST(a_manual_page_lists_the_columns_in_their_order)
{
    for (size_t k = 0; k < KINDS; k++) {
        char list[1024], names[1024] = "";
        for (const struct column *c = kinds[k].columns; c->name != NULL; c++)
            add_word(names, sizeof names, c->name);
        listed(&kinds[k], list);
        if (strcmp(list, names) != 0)
            printf("# %s lists: %s\n# the columns: %s\n", kinds[k].page, list, names);
        CU_ASSERT_STRING_EQUAL(list, names);
    }
}

/* Whether a page has the word as an item, alone or beside others, or in a sentence. */
static bool explains(const char *page, const char *word)
{
    const char *text = read_text(page);
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += length)
        if (at > text && strchr(" \n", at[-1]) != NULL && strchr(" \n=", at[length]) != NULL)
            return true;
    return false;
}

TEST(a_manual_page_explains_every_word)
{
    for (enum note_word w = 0; w < NOTE_WORDS; w++) {
        bool found = false;
        for (size_t k = 0; k < KINDS; k++)
            found = found || explains(kinds[k].page, note_name(w));
        if (!found)
            printf("# no manual page has the note %s\n", note_name(w));
        CU_ASSERT_TRUE(found);
    }
}

/* ---- the schema ---- */

/* A list of names as written in the schema's enumerations, where `confidence` has capitals. */
static void has_list(const char *schema, const char *key, const struct column *column)
{
    char list[256];
    size_t used = (size_t)snprintf(list, sizeof list, "\"%s\": {", key);
    const char *at = strstr(schema, list);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    used = strcspn(at, "}");
    CU_ASSERT_PTR_NOT_NULL(column->list);
    for (size_t i = 0;; i++) {
        const char *name = *(const char *const *)(const void *)((const char *)column->list +
                                                                i * column->list_stride);
        if (name == NULL || strcmp(name, "comparison") == 0) /* which is no window of the sweep */
            return;
        char first = (char)(strcmp(key, "confidence") == 0 ? toupper(*name) : *name);
        snprintf(list, sizeof list, "\"%c%s\"", first, name + 1);
        const char *found = strstr(at, list);
        CU_ASSERT(found != NULL && (size_t)(found - at) < used);
    }
}

TEST(the_schema_has_the_names_that_columns_can_hold)
{
    const char *schema = read_text("src/report/tojson.schema.json");
    const struct column *samples = sample_row_columns;
    has_list(schema, "confidence", column_of(boundary_columns, "confidence", 10));
    has_list(schema, "role", column_of(samples, "role", 4));
    has_list(schema, "backing", column_of(samples, "backing", 7));
}

/* ---- there and back ---- */

static const struct column *columns; /* of the kind at work */
static bool missing;

/* Something that a column can hold. */
static void fill(const struct column *c, size_t k, char *row)
{
    struct note note = {.text = "1->2"};
    for (enum note_word w = 0; w < NOTE_WORDS; w++)
        note_add(&note, w);
    note.number = 7;
    switch (c->kind) {
    case COLUMN_NUMBER:
        *(double *)(void *)(row + c->offset) = missing && !c->needed ? (double)NAN
                                                                     : (double)k + 0.5;
        break;
    case COLUMN_COUNT:
        *(uint64_t *)(void *)(row + c->offset) = missing ? COUNT_MISSING : k + 3;
        break;
    case COLUMN_LEVEL:
        *(int *)(void *)(row + c->offset) = missing ? 0 : c->word != NULL ? -3 : 3;
        break;
    case COLUMN_TEXT:
    case COLUMN_MIXED:
        *(const char **)(void *)(row + c->offset) = missing && !c->needed ? NULL : c->name;
        break;
    case COLUMN_WORD:
        *(int *)(void *)(row + c->offset) = missing && !c->needed ? -1 : 1;
        break;
    case COLUMN_NAMED:
        *(const void **)(void *)(row + c->offset) = missing
                                                        ? NULL
                                                        : (const char *)c->list + c->list_stride;
        break;
    case COLUMN_NOTE:
        if (!missing)
            *(struct note *)(void *)(row + c->offset) = note;
        break;
    }
}

enum { ROW_ROOM = 1024, ALL = 0xffff };

static void write_row(void)
{
    char *row = allocate(ROW_ROOM, 1);
    for (size_t k = 0; columns[k].name != NULL; k++)
        fill(&columns[k], k, row);
    table_put_columns(columns, ALL);
    table_put_row(columns, ALL, row);
    free(row);
}

static void copy_row(void)
{
    char *row = allocate(ROW_ROOM, 1);
    struct table *table = table_open(NULL, 0);
    struct row_reader reader = row_reader_open(table, columns);
    table_put_columns(columns, ALL);
    while (table_next(table)) {
        row_read(&reader, row);
        table_put_row(columns, ALL, row);
    }
    table_close(table);
    free(row);
}

TEST(a_row_that_is_read_and_written_again_stays_the_same)
{
    static char first[4096], second[4096];
    for (int k = 0; k < 2 * KINDS; k++) {
        columns = kinds[k / 2].columns;
        missing = k % 2 > 0;
        CU_ASSERT_EQUAL(tap_fork(write_row, "", first, sizeof first), 0);
        CU_ASSERT_EQUAL(tap_fork(copy_row, first, second, sizeof second), 0);
        CU_ASSERT_STRING_EQUAL(first, second);
        size_t tabs = 0;
        for (const char *c = strchr(first, '\n'); *c != '\0'; c++)
            tabs += *c == '\t';
        size_t count = 0;
        while (columns[count].name != NULL)
            count++;
        CU_ASSERT_EQUAL(tabs + 1, count);
    }
}

static bool refuses(const struct column *of, const char *input, const char *message)
{
    columns = of;
    return tap_refuses(copy_row, input, message);
}

TEST(what_a_column_cannot_hold_is_refused_by_its_name)
{
    CU_ASSERT_TRUE(refuses(boundary_columns, "structure\tlevel\nstlb\t1\n",
                           "-:2: column 'structure': unknown structure 'stlb'"));
    CU_ASSERT_TRUE(
        refuses(boundary_columns, "level\tentries\n1\t2\n", "-:2: column 'structure': missing"));
    CU_ASSERT_TRUE(refuses(boundary_columns, "structure\tlevel\ndtlb\tx\n",
                           "-:2: column 'level': 'x' is not a number"));
    CU_ASSERT_TRUE(refuses(penalty_columns, "method\tlevel\nraw\twalkx\n", "column 'level'"));
    CU_ASSERT_TRUE(refuses(penalty_columns, "method\tlevel\nraw\t1000000\n", "that many levels"));
    CU_ASSERT_TRUE(refuses(rate_columns, "op\tbytes\n-\t1\n", "-:2: column 'op': missing"));
}

/* ---- notes ---- */

static struct note parse(const char *text)
{
    return note_parse(text, strlen(text));
}

TEST(words_and_numbers_are_written_and_parsed)
{
    struct note note = {0};
    CU_ASSERT_STRING_EQUAL(NOTE(note), "");
    note_add_number(&note, NOTE_REACH, 32);
    note_add(&note, NOTE_GRADUAL);
    note_add(&note, NOTE_GRADUAL);
    CU_ASSERT_STRING_EQUAL(NOTE(note), "gradual,reach=32");
    note = parse("512->1024_pages,reach=32,nested");
    CU_ASSERT_STRING_EQUAL(note.text, "512->1024_pages");
    CU_ASSERT_TRUE(note_has(&note, NOTE_NESTED));
    CU_ASSERT_EQUAL(note_number(&note, NOTE_REACH), 32);
    CU_ASSERT_TRUE(isnan(note_number(&note, NOTE_PAGES_PER_ENTRY)));
    CU_ASSERT_STRING_EQUAL(NOTE(note), "512->1024_pages,reach=32,nested");
    /* parts of words, words without their number or with one are none; they are kept */
    note = parse("grad,gradual=1,reach,reach=x,huge");
    CU_ASSERT_FALSE(note_has(&note, NOTE_GRADUAL));
    CU_ASSERT_FALSE(note_has(&note, NOTE_REACH));
    CU_ASSERT_STRING_EQUAL(NOTE(note), "grad,gradual=1,reach,reach=x,huge");
    for (enum note_word w = 0; w < NOTE_WORDS; w++) {
        CU_ASSERT_PTR_NOT_NULL_FATAL(note_name(w));
        CU_ASSERT_PTR_NOT_NULL(note_meaning(w));
        for (enum note_word v = 0; v < w; v++)
            CU_ASSERT_STRING_NOT_EQUAL(note_name(v), note_name(w));
    }
}

/* A text that is too long is cut off, and every word still follows it. */
TEST(a_long_note_is_cut_off_in_its_free_text_alone)
{
    struct note note = {0};
    for (int i = 0; i < 50; i++)
        note_add_text(&note, "word", 4);
    CU_ASSERT_EQUAL(strlen(note.text), sizeof note.text - 1);
    for (enum note_word w = 0; w < NOTE_WORDS; w++)
        note_add(&note, w);
    CU_ASSERT(strlen(NOTE(note)) < NOTE_ROOM - 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(NOTE(note), ",impossible"));
}

/* ---- rows as they are written ---- */

static void write_penalties(void)
{
    struct penalty rows[3] = {
        {"raw", 0, 81.93, -0.5, 82.0004999, {.text = "16K->512M"}, {0}},
        {"control", 2, NAN, NAN, NAN, {0}, {0}},
        {"control", -3, 20, 19, 21, {.text = "64->128_pages"}, {0}},
    };
    note_add(&rows[0].note, NOTE_NESTED);
    table_put_columns(penalty_columns, 0);
    for (int i = 0; i < 3; i++)
        table_put_row(penalty_columns, 0, &rows[i]);
}

TEST(penalties_are_written_as_the_table_has_them)
{
    CU_ASSERT_TRUE(tap_writes(write_penalties, "",
                              "method\tlevel\tpenalty_ns\tlow_ns\thigh_ns\tnote\n"
                              "raw\twalk\t81.93\t-0.5\t82\t16K->512M,nested\n"
                              "control\t2\t-\t-\t-\t-\n"
                              "control\twalk3\t20\t19\t21\t64->128_pages\n"));
}
