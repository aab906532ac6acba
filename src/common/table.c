/* table.c: reading the tab-separated tables. */
#include "table.h"
#include "args.h"
#include "error.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_ROOM = 1 << 18, LINE_MOST = 1 << 24, COLUMNS_MOST = 64, METAS_MOST = 10000 };

struct meta {
    char *key, *value;
    unsigned long head; /* the header before it, 0 for none: tells tables joined by cat apart */
};

/* One file: its buffer, its metadata, and where in its rows each wanted column stands. */
struct source {
    FILE *file;
    const char *name;
    char *buffer;
    size_t begin, end, room;
    unsigned long line;
    struct meta *metas;
    size_t meta_count;
    char *header;
    size_t header_length, header_fields;
    unsigned long head;      /* of all headers read this is the n-th */
    int place[COLUMNS_MOST]; /* field number of each wanted column, or -1 */
};

struct table {
    struct source *sources;
    int count, current;
    unsigned long heads; /* read so far, of all files */
    const char *names[COLUMNS_MOST];
    int columns;
    struct field *fields; /* of the current row */
    size_t field_room;
    char *row;
    size_t row_length;
    bool partial;
};

/* ---- lines ---- */

/* Makes more of the file visible behind begin; false at its end. */
static bool fill(struct source *s)
{
    if (s->begin > 0) {
        memmove(s->buffer, s->buffer + s->begin, s->end - s->begin);
        s->end -= s->begin;
        s->begin = 0;
    }
    if (s->end == s->room) {
        if (s->room >= LINE_MOST)
            die("%s:%lu: the line is longer than %d MiB", s->name, s->line + 1, LINE_MOST >> 20);
        s->room = s->room > 0 ? 2 * s->room : BUFFER_ROOM;
        s->buffer = reallocate(s->buffer, s->room, 1);
    }
    if (feof(s->file)) /* a terminal would be asked again */
        return false;
    size_t got = fread(s->buffer + s->end, 1, s->room - s->end, s->file);
    if (got == 0 && ferror(s->file))
        die("%s: cannot read: %s", s->name, strerror(errno));
    s->end += got;
    return got > 0;
}

/* The next whole line without its newline, or NULL at the end; then *cut tells whether an
 * unfinished line was left. The line stays where it is until the next call. */
static char *next_line(struct source *s, size_t *length, bool *cut)
{
    size_t searched = 0;
    for (;;) {
        char *newline = NULL;
        if (s->end > s->begin + searched)
            newline = memchr(s->buffer + s->begin + searched, '\n', s->end - s->begin - searched);
        if (newline != NULL) {
            char *start = s->buffer + s->begin;
            *length = (size_t)(newline - start);
            s->begin += *length + 1;
            s->line++;
            *newline = '\0';
            return start;
        }
        searched = s->end - s->begin;
        if (!fill(s)) {
            *cut = s->end > s->begin;
            s->begin = s->end;
            return NULL;
        }
    }
}

/* What an interrupted run leaves behind its last whole line. */
static void drop_cut_line(struct table *t, const struct source *s)
{
    warn("%s:%lu: the last line has no newline and was dropped (an interrupted run?)", s->name,
         s->line + 1);
    t->partial = true;
}

static struct field trim(const char *text, size_t length)
{
    while (length > 0 && isspace((unsigned char)*text)) {
        text++;
        length--;
    }
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    return (struct field){text, length};
}

static char *copy_field(struct field field)
{
    char *copy = allocate(field.length + 1, 1);
    memcpy(copy, field.text, field.length);
    return copy;
}

/* ---- metadata and header ---- */

/* Keeps `# key: value`, and the printed lab's `# key = value`. */
static void keep_meta(struct source *s, const char *line)
{
    const char *separator = strchr(line, ':');
    if (separator == NULL)
        separator = strchr(line, '=');
    if (separator == NULL)
        return;
    struct field key = trim(line + 1, (size_t)(separator - line - 1));
    struct field value = trim(separator + 1, strlen(separator + 1));
    if (key.length == 0)
        return;
    if (s->meta_count == METAS_MOST)
        die("%s:%lu: more than %d lines of metadata", s->name, s->line, METAS_MOST);
    s->metas = reallocate(s->metas, s->meta_count + 1, sizeof *s->metas);
    s->metas[s->meta_count++] = (struct meta){copy_field(key), copy_field(value), s->head};
}

/* Finds a wanted column in the header, where it may stand once. */
static void place_column(const struct table *t, struct source *s, int column)
{
    const char *name = t->names[column];
    size_t length = strlen(name);
    int number = 0;
    s->place[column] = -1;
    for (const char *at = s->header; at != NULL; number++) {
        const char *tab = strchr(at, '\t');
        struct field field = trim(at, tab != NULL ? (size_t)(tab - at) : strlen(at));
        if (field.length == length && memcmp(field.text, name, length) == 0) {
            if (s->place[column] >= 0)
                die("%s:%lu: column '%s' stands twice in the header", s->name, s->line, name);
            s->place[column] = number;
        }
        at = tab != NULL ? tab + 1 : NULL;
    }
}

static void set_header(struct table *t, struct source *s, const char *text)
{
    size_t length = strlen(text);
    while (length > 0 &&
           isspace((unsigned char)text[length - 1])) /* no names behind the last tab */
        length--;
    free(s->header);
    s->header = copy_field((struct field){text, length});
    s->header_length = length;
    s->header_fields = 1;
    for (const char *tab = s->header; (tab = strchr(tab, '\t')) != NULL; tab++)
        s->header_fields++;
    if (s->header_fields > t->field_room) {
        t->field_room = s->header_fields;
        t->fields = reallocate(t->fields, t->field_room, sizeof *t->fields);
    }
    s->head = ++t->heads;
    for (int c = 0; c < t->columns; c++)
        place_column(t, s, c);
}

/* Reads metadata up to the header. `first` is a `#` line that was read already, or NULL. Where the
 * header stands behind `#`, the first row is put back. */
static void read_head(struct table *t, struct source *s, char *first)
{
    size_t length = 0;
    bool cut = false;
    char *behind = NULL; /* the last `#` line that has tabs */
    for (char *line = first != NULL ? first : next_line(s, &length, &cut);;
         line = next_line(s, &length, &cut)) {
        if (line != NULL && *trim(line, strlen(line)).text == '\0')
            continue;
        if (line != NULL && *line == '#') {
            keep_meta(s, line);
            if (strchr(line, '\t') != NULL) {
                free(behind);
                behind = copy_field((struct field){line + 1, strlen(line + 1)});
            }
            continue;
        }
        bool named = line != NULL && isalpha((unsigned char)*trim(line, strlen(line)).text);
        if (line == NULL && s->line == 0 && !cut)
            die("%s: no header line: the input is empty", s->name);
        if (!named && behind == NULL)
            die("%s:%lu: no header line", s->name, line == NULL ? s->line + 1 : s->line);
        set_header(t, s, named ? line : behind);
        if (cut)
            drop_cut_line(t, s);
        if (!named && line != NULL) { /* it is the first row: read it again */
            line[length] = '\n';
            s->begin -= length + 1;
            s->line--;
        }
        free(behind);
        return;
    }
}

/* Spreadsheets and some editors put a mark before UTF-8 text. */
static void skip_mark(struct source *s)
{
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    while (s->end < sizeof mark && fill(s))
        ;
    if (s->end >= sizeof mark && memcmp(s->buffer, mark, sizeof mark) == 0)
        s->begin = sizeof mark;
}

static void open_source(struct table *t, struct source *s, const char *name)
{
    bool standard = strcmp(name, "-") == 0;
    s->name = standard ? "-" : name;
    s->file = standard ? stdin : fopen(name, "r");
    if (s->file == NULL)
        die("%s: cannot open: %s", name, strerror(errno));
    setvbuf(s->file, NULL, _IONBF, 0);
    if (standard && isatty(STDIN_FILENO) && !args_quiet)
        warn("reading a table from this terminal (no FILE was named); Ctrl-D ends it");
    skip_mark(s);
    read_head(t, s, NULL);
}

struct table *table_open(char *const *files, int count)
{
    struct table *t = allocate(1, sizeof *t);
    t->count = count > 0 ? count : 1;
    t->sources = allocate((size_t)t->count, sizeof *t->sources);
    for (int i = 0; i < t->count; i++)
        open_source(t, &t->sources[i], count > 0 ? files[i] : "-");
    return t;
}

void table_close(struct table *t)
{
    for (int i = 0; i < t->count; i++) {
        struct source *s = &t->sources[i];
        for (size_t k = 0; k < s->meta_count; k++) {
            free(s->metas[k].key);
            free(s->metas[k].value);
        }
        if (s->file != stdin)
            fclose(s->file);
        free(s->metas);
        free(s->header);
        free(s->buffer);
    }
    free(t->sources);
    free(t->fields);
    free(t);
}

int table_partial(const struct table *t)
{
    return t->partial ? STATUS_PARTIAL : STATUS_DONE;
}

/* ---- columns ---- */

int table_column(struct table *t, const char *name)
{
    for (int c = 0; c < t->columns; c++)
        if (strcmp(t->names[c], name) == 0)
            return c;
    if (t->columns == COLUMNS_MOST)
        die("more than %d columns are wanted", COLUMNS_MOST);
    t->names[t->columns++] = name;
    for (int i = 0; i < t->count; i++)
        place_column(t, &t->sources[i], t->columns - 1);
    return t->columns - 1;
}

static struct source *source_now(const struct table *t)
{
    return &t->sources[t->current < t->count ? t->current : t->count - 1];
}

bool table_has(const struct table *t, int column)
{
    return source_now(t)->place[column] >= 0;
}

void table_require(struct table *t, int column)
{
    table_require_any(t, &column, 1);
}

void table_require_any(struct table *t, const int *columns, int count)
{
    for (int i = 0; i < t->count; i++) {
        bool any = false;
        for (int c = 0; c < count; c++)
            any = any || t->sources[i].place[columns[c]] >= 0;
        if (!any)
            die("%s: no column '%s' in the header%s", t->sources[i].name, t->names[columns[0]],
                t->sources[i].header_fields == 1 ? ", which has no tab between columns" : "");
    }
}

/* ---- rows ---- */

/* Finds the fields. A row with more or fewer than the header has was cut or is two rows in one:
 * what stands under a name then is not to be trusted. Blanks behind the last one do no harm. */
static void split_row(struct table *t, const struct source *s)
{
    const char *at = t->row, *end = t->row + t->row_length;
    size_t count = 0;
    while (at != NULL && count < s->header_fields) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        t->fields[count++] = (struct field){at, (size_t)((tab != NULL ? tab : end) - at)};
        at = tab != NULL ? tab + 1 : NULL;
    }
    if (count < s->header_fields)
        die("%s:%lu: the row has %zu fields, the header %zu", s->name, s->line, count,
            s->header_fields);
    if (at != NULL && trim(at, (size_t)(end - at)).length > 0)
        die("%s:%lu: the row has more fields than the header, %zu", s->name, s->line,
            s->header_fields);
}

/* Whether the row is the header once more: tables without metadata joined by cat. */
static bool repeats_header(const struct table *t, const struct source *s)
{
    return t->row[0] == s->header[0] && t->row_length >= s->header_length &&
           memcmp(t->row, s->header, s->header_length) == 0 &&
           trim(t->row + s->header_length, t->row_length - s->header_length).length == 0;
}

bool table_next(struct table *t)
{
    while (t->current < t->count) {
        struct source *s = &t->sources[t->current];
        bool cut = false;
        t->row = next_line(s, &t->row_length, &cut);
        if (t->row == NULL) {
            if (cut)
                drop_cut_line(t, s);
            t->current++;
        } else if (*t->row == '#') { /* tables joined by cat: another head */
            read_head(t, s, t->row);
        } else if (trim(t->row, t->row_length).length > 0 && !repeats_header(t, s)) {
            split_row(t, s);
            return true;
        }
    }
    return false;
}

size_t table_names(const struct table *t, struct field **names)
{
    const struct source *s = source_now(t);
    const char *at = s->header;
    *names = allocate(s->header_fields, sizeof **names);
    for (size_t k = 0; k < s->header_fields; k++) {
        size_t length = strcspn(at, "\t");
        (*names)[k] = trim(at, length);
        at += length + 1;
    }
    return s->header_fields;
}

struct field table_field_at(const struct table *t, size_t k)
{
    struct field raw = t->fields[k];
    if (raw.length > 0 &&
        ((unsigned char)raw.text[0] <= ' ' || (unsigned char)raw.text[raw.length - 1] <= ' '))
        raw = trim(raw.text, raw.length);
    if (raw.length == 0 || (raw.length == 1 && raw.text[0] == '-'))
        return (struct field){NULL, 0};
    return raw;
}

struct field table_field(struct table *t, int column)
{
    int place = source_now(t)->place[column];
    return place < 0 ? (struct field){NULL, 0} : table_field_at(t, (size_t)place);
}

void table_die(struct table *t, int column, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    die("%s:%lu: column '%s': %s", source_now(t)->name, table_line(t), t->names[column], message);
}

bool table_number(struct table *t, int column, double *value)
{
    struct field field = table_field(t, column);
    if (field.text == NULL)
        return false;
    if (!parse_number(field.text, field.length, value))
        table_die(t, column, "'%.*s' is not a number", (int)(field.length < 80 ? field.length : 80),
                  field.text);
    return true;
}

bool table_count(struct table *t, int column, uint64_t *value)
{
    double number;
    if (!table_number(t, column, &number))
        return false;
    if (!(number >= 0 && number <= 0x1p63) || number != floor(number))
        table_die(t, column, "'%.15g' is not a whole number from 0 up", number);
    *value = (uint64_t)number;
    return true;
}

int table_file(const struct table *t)
{
    return t->current;
}

unsigned long table_head(const struct table *t)
{
    return source_now(t)->head;
}

int table_files(const struct table *t)
{
    return t->count;
}

const char *table_file_name(const struct table *t, int file)
{
    return t->sources[file].name;
}

unsigned long table_line(const struct table *t)
{
    return source_now(t)->line;
}

size_t table_meta_count(const struct table *t, int file)
{
    return t->sources[file].meta_count;
}

const char *table_meta_until(const struct table *t, int file, size_t count, const char *key)
{
    const struct source *s = &t->sources[file];
    for (size_t k = count < s->meta_count ? count : s->meta_count; k > 0; k--)
        if (strcmp(s->metas[k - 1].key, key) == 0)
            return s->metas[k - 1].value;
    return NULL;
}

const char *table_meta(const struct table *t, int file, const char *key)
{
    const char *value = NULL;
    for (int i = t->count - 1; i >= 0 && value == NULL; i--)
        if (file < 0 || i == file)
            value = table_meta_until(t, i, SIZE_MAX, key);
    return value;
}

bool table_meta_at(const struct table *t, size_t k, const char **key, const char **value)
{
    for (int i = 0; i < t->count; i++) {
        const struct source *s = &t->sources[i];
        if (k < s->meta_count) {
            *key = s->metas[k].key;
            *value = s->metas[k].value;
            return true;
        }
        k -= s->meta_count;
    }
    return false;
}

bool table_is_history(const char *key)
{
    return strcmp(key, "program") == 0 || strcmp(key, "version") == 0 ||
           strcmp(key, "command") == 0;
}

/* Whether the same line stands further on, so that joining runs does not repeat it. A program that
 * stands twice in one table was run twice. */
static bool stands_again(const struct table *t, int file, size_t number)
{
    const struct meta *meta = &t->sources[file].metas[number];
    bool history = table_is_history(meta->key);
    for (int i = file; i < t->count; i++)
        for (size_t k = i == file ? number + 1 : 0; k < t->sources[i].meta_count; k++) {
            const struct meta *later = &t->sources[i].metas[k];
            bool same_table = i == file && later->head == meta->head;
            if (strcmp(later->key, meta->key) == 0 && strcmp(later->value, meta->value) == 0 &&
                !(history && same_table))
                return true;
        }
    return false;
}

void table_copy_meta(const struct table *t)
{
    for (int i = 0; i < t->count; i++)
        for (size_t k = 0; k < t->sources[i].meta_count; k++)
            if (!stands_again(t, i, k))
                table_put_meta(t->sources[i].metas[k].key, "%s", t->sources[i].metas[k].value);
}
