/* view.c: a table for people.
 *
 *     structure  level  entries  min  max  size min  size max  step ns  confidence
 *     dtlb           1       72   72   72   288 KiB   288 KiB    1.892  high
 */
#include "table/view.h"
#include "base/args.h"
#include "base/error.h"
#include "base/printable.h"
#include "platform.h"
#include "table/view_column.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Widths of a column of texts before others, and of what words can be broken into; rows that wait
 * for their widths. [bound] */
enum { TEXT_MAX = 24, WORDS_ROOM = 20, ROWS_MAX = 2000 };

static struct view_column columns[COLUMNS_MAX];
static size_t order[COLUMNS_MAX]; /* of the columns on a line */
static size_t column_count, gap, row_count;
static char *rows[ROWS_MAX];
static bool begun; /* the header is printed, and widths are fixed */
static bool coloured;
static char *sentences;

/* ---- which columns ---- */

static bool is_named(const char *name, size_t length)
{
    for (const char *at = args_columns; at != NULL; at = strchr(at, ','), at += at != NULL)
        if (strcspn(at, ",") == length && memcmp(at, name, length) == 0)
            return true;
    return false;
}

/* Shows what --pretty=LIST has; dies for a name that the table lacks. */
static void choose_columns(const char *names)
{
    size_t wanted = 1, found = 0, length;
    char *list = memcpy(allocate(strlen(names) + 1, 1), names, strlen(names) + 1);
    bool all = strcmp(args_columns, "all") == 0;
    for (const char *at = args_columns; *at != '\0'; at++)
        wanted += *at == ',';
    for (size_t k = 0; k < column_count; k++, names += length + 1) {
        length = strcspn(names, "\t");
        bool named = is_named(names, length);
        columns[k].view = all || named ? COLUMN_SHOWN : COLUMN_HIDDEN;
        found += named;
    }
    if (!all && found < wanted) {
        for (char *tab = list; (tab = strchr(tab, '\t')) != NULL;)
            *tab = ',';
        die_usage("--pretty '%s': expected all, never, or some of %s", args_columns, list);
    }
    free(list);
}

static bool is_shown(size_t k)
{
    return columns[k].view != COLUMN_HIDDEN && !columns[k].waits;
}

static size_t total_width(void)
{
    size_t width = 0;
    for (size_t k = 0; k < column_count; k++)
        if (is_shown(k))
            width += columns[k].width + (width > 0 ? gap : 0);
    return width;
}

static void hide(enum column_view view)
{
    for (size_t k = 0; k < column_count; k++)
        if (columns[k].view == view)
            columns[k].view = COLUMN_HIDDEN;
}

static void fit_page(void)
{
    gap = 2;
    for (enum column_view view = COLUMN_SPARE;
         view > COLUMN_SHOWN && total_width() > page_width(stdout); view--)
        hide(view);
    gap = total_width() > page_width(stdout) ? 1 : 2;
}

/* ---- widths ---- */

static void widen(struct view_column *c, size_t width)
{
    c->width = width > c->width ? width : c->width;
}

/* Calls `each` for every field of a row. */
static void each_field(const char *row, void (*each)(size_t k, const char *field, size_t length))
{
    for (size_t k = 0, length; k < column_count; k++, row += length + (row[length] != '\0')) {
        length = strcspn(row, "\t");
        each(k, row, length);
    }
}

static bool is_missing(const char *field, size_t length)
{
    return length == 1 && *field == '-';
}

static void measure(size_t k, const char *field, size_t length)
{
    struct view_column *c = &columns[k];
    char cell[VIEW_CELL];
    double value;
    view_cell(c, field, length, cell);
    widen(c, characters(cell, strlen(cell)));
    if (is_missing(field, length))
        return;
    c->filled = true;
    c->numbers = c->numbers && parse_number(field, length, &value);
}

/* Long texts, such as names of C++, come after all else, the longest last: so nothing that follows
 * them is out of line. */
static void order_columns(void)
{
    for (size_t k = 0; k < column_count; k++) {
        size_t late = columns[k].numbers || columns[k].width <= TEXT_MAX ? 0 : columns[k].width;
        size_t at = k;
        for (; at > 0 && columns[order[at - 1]].late > late; at--)
            order[at] = order[at - 1];
        order[at] = k;
        columns[k].late = late;
        columns[k].width = late > 0 ? TEXT_MAX : columns[k].width;
    }
}

/* Widths from the rows that wait, and where more follow those of the columns' kinds. A text at the
 * end needs none. */
static void set_widths(bool more)
{
    for (size_t k = 0; k < column_count; k++)
        widen(&columns[k], strlen(columns[k].title));
    for (size_t i = 0; i < row_count; i++)
        each_field(rows[i], measure);
    order_columns();
    for (size_t k = 0; k < column_count; k++) {
        struct view_column *c = &columns[k];
        if (more)
            widen(c, view_usual_width(c));
        c->waits = !c->filled && args_columns == NULL;
        c->numbers = c->numbers && c->form != VIEW_WORDS &&
                     (c->filled || c->declared == NULL || !column_is_text(c->declared));
    }
}

/* ---- printing ---- */

static size_t printed; /* characters of the line */

/* The colour of a confidence, as terminals number them; 0: none. */
static int colour_of(size_t k, const char *cell)
{
    static const struct {
        const char *word;
        int colour;
    } colours[] = {{"high", 32}, {"medium", 33}, {"low", 31}};
    bool applies = coloured && strcmp(columns[k].title, "confidence") == 0;
    for (size_t i = 0; applies && i < sizeof colours / sizeof *colours; i++)
        if (strcmp(cell, colours[i].word) == 0)
            return colours[i].colour;
    return 0;
}

static bool is_last(size_t k)
{
    size_t last = column_count;
    while (last > 0 && !is_shown(order[last - 1]))
        last--;
    return last > 0 && order[last - 1] == k;
}

static void print_cell(size_t k, const char *cell)
{
    const struct view_column *c = &columns[k];
    size_t width = characters(cell, strlen(cell));
    int blanks = c->width > width ? (int)(c->width - width) : 0, colour = colour_of(k, cell);
    if (!is_shown(k))
        return;
    if (printed > 0)
        printed += (size_t)printf("%*s", (int)gap, "");
    if (c->numbers)
        printf("%*s%s", blanks, "", cell);
    else if (colour != 0)
        printf("\033[%d;1m%s\033[0m%*s", colour, cell, is_last(k) ? 0 : blanks, "");
    else if (is_last(k) && printed + WORDS_ROOM < page_width(stdout))
        put_words(stdout, cell, printed, printed, true);
    else
        printf("%s%*s", cell, is_last(k) ? 0 : blanks, "");
    printed += width + (size_t)blanks;
}

static struct {
    const char *at;
    size_t length;
} cells[COLUMNS_MAX]; /* of the row, as in the table */

static void note_field(size_t k, const char *field, size_t length)
{
    cells[k].at = field;
    cells[k].length = length;
}

static void print_row(const char *row)
{
    char cell[VIEW_CELL];
    printed = 0;
    each_field(row, note_field);
    for (size_t i = 0; i < column_count; i++) {
        view_cell(&columns[order[i]], cells[order[i]].at, cells[order[i]].length, cell);
        print_cell(order[i], cell);
    }
    putchar('\n');
}

static void print_header(void)
{
    fit_page();
    printed = 0;
    for (size_t i = 0; i < column_count; i++)
        print_cell(order[i], columns[order[i]].title);
    putchar('\n');
    begun = output_begun = true;
}

static bool appeared;

/* A value in a column that has been empty so far. */
static void appear(size_t k, const char *field, size_t length)
{
    if (!columns[k].waits || is_missing(field, length))
        return;
    measure(k, field, length);
    columns[k].waits = false;
    appeared = appeared || columns[k].view != COLUMN_HIDDEN;
}

/* Prints the rows that wait, with a new header where one has a column that was empty so far. */
static void print_rows(bool more)
{
    if (!begun && row_count > 0) {
        set_widths(more);
        print_header();
    }
    for (size_t i = 0; i < row_count; i++) {
        appeared = false;
        each_field(rows[i], appear);
        if (appeared)
            print_header();
        print_row(rows[i]);
        free(rows[i]);
    }
    row_count = 0;
}

void view_sentence(const char *sentence)
{
    put_words(stdout, sentence, 0, 0, true);
    putchar('\n');
}

static void print_sentences(void)
{
    if (sentences == NULL)
        return;
    if (begun)
        putchar('\n');
    for (char *at = sentences, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        *end = '\0';
        if (*at == ' ')
            put_printable(at, strlen(at), stdout), putchar('\n');
        else
            view_sentence(at);
    }
    free(sentences);
    sentences = NULL;
}

static void print_rest(bool end)
{
    print_rows(!end);
    if (end)
        print_sentences();
}

void view_begin(const char *names, const struct column *declared)
{
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    coloured = platform_is_terminal(stdout) && (no_colour == NULL || *no_colour == '\0') &&
               term != NULL && strcmp(term, "dumb") != 0;
    if (output_rest != NULL) /* a table before this one */
        output_rest(true);
    begun = false;
    column_count = 0;
    for (const char *at = names; *at != '\0'; at += *at == '\t') {
        size_t length = strcspn(at, "\t");
        if (column_count == COLUMNS_MAX)
            die("more than %d columns", COLUMNS_MAX);
        columns[column_count++] = view_column_of(at, length, declared);
        at += length;
    }
    if (args_columns != NULL)
        choose_columns(names);
    output_rest = print_rest;
}

void view_row(const char *fields)
{
    if (row_count == ROWS_MAX)
        print_rows(true);
    size_t size = strlen(fields) + 1;
    rows[row_count] = allocate(size, 1);
    memcpy(rows[row_count++], fields, size);
}

void view_say(const char *sentence)
{
    size_t used = sentences != NULL ? strlen(sentences) : 0, length = strlen(sentence);
    sentences = reallocate(sentences, used + length + 2, 1);
    for (size_t i = 0; i < length; i++) /* a file's name may have anything */
        sentences[used + i] = sentence[i] == '\n' ? ' ' : sentence[i];
    strcpy(sentences + used + length, "\n");
}
