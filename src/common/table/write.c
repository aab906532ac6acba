/* write.c: writing tables to stdout: tab-separated, or on a terminal for people. */
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include "base/printable.h"
#include "platform.h"
#include "table/private.h"
#include "table/view.h"
#include <stdarg.h>
#include <string.h>

static FILE *viewed; /* writes a row's text for the view; NULL: rows go to stdout */
static char *row;
static size_t row_length;

static FILE *out(void)
{
    return viewed != NULL ? viewed : stdout;
}

void table_begin(const struct table *source)
{
    if (source != NULL)
        table_copy_meta(source);
    table_put_meta("program", "%s", program_name);
    table_put_meta("version", "%s", TLBLAB_VERSION);
    table_put_meta("command", "%s", args_command());
}

void table_put_meta(const char *key, const char *format, ...)
{
    va_list arguments;
    if (args_for_people())
        return;
    fputs("# ", stdout);
    put_printable(key, strlen(key), stdout);
    fputs(": ", stdout);
    va_start(arguments, format);
    vput_printable(stdout, format, arguments);
    va_end(arguments);
    putchar('\n');
}

static void put_header(const char *names)
{
    for (size_t k = 0; k < args_meta_count(); k++) { /* last, so they win */
        const char *text = args_meta(k), *equals = strchr(text, '=');
        printf("# %.*s: ", (int)(equals - text), text); /* the key is [a-z0-9_]+ */
        put_printable(equals + 1, strlen(equals + 1), stdout);
        putchar('\n');
    }
    puts(names);
    output_begun = true;
    flush_output();
}

void table_put_declared(const char *names, const struct column *columns)
{
    messages_wait = platform_is_terminal(stdout) && platform_is_terminal(stderr);
    if (!args_for_people()) {
        put_header(names);
        return;
    }
    view_begin(names, columns);
    if (viewed == NULL && (viewed = open_memstream(&row, &row_length)) == NULL)
        die("out of memory");
}

void table_put_header(const char *names)
{
    table_put_declared(names, NULL);
}

/* Hands a whole row to the view. */
static void end_row(void)
{
    if (viewed == NULL)
        return;
    fflush(viewed);
    row[row_length - 1] = '\0';
    view_row(row);
    rewind(viewed);
}

static void end_field(char after)
{
    putc(after, out());
    if (after == '\n')
        end_row();
}

void put_number(double value, char after)
{
    char text[NUMBER_ROOM];
    number_text(value, text);
    fputs(text, out());
    end_field(after);
}

void put_count(uint64_t value, char after)
{
    fprintf(out(), "%llu", (unsigned long long)value);
    end_field(after);
}

void put_text(const char *text, char after)
{
    put_field((struct field){text, text != NULL ? strlen(text) : 0}, after);
}

void put_formatted(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(out(), format, arguments);
    va_end(arguments);
    if (viewed == NULL)
        return;
    fflush(viewed);
    if (row_length > 0 && row[row_length - 1] == '\n')
        end_row();
}

/* A spreadsheet runs text that begins like this; a lone "-" is a missing value. */
static bool is_formula(struct field field)
{
    double number;
    return field.length > 1 && strchr("=+-@", *field.text) != NULL &&
           !parse_number(field.text, field.length, &number);
}

void put_field(struct field field, char after)
{
    if (is_formula(field))
        putc('\'', out());
    put_printable(field.text, field.length, out());
    if (field.length == 0)
        putc('-', out());
    end_field(after);
}

void table_say(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    if (!args_for_people())
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    view_say(text);
}
