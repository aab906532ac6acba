/* write.c: writing the tab-separated tables to stdout. */
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include "base/printable.h"
#include "table/table.h"
#include <stdarg.h>
#include <string.h>

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
    fputs("# ", stdout);
    put_printable(key, strlen(key), stdout);
    fputs(": ", stdout);
    va_start(arguments, format);
    vput_printable(stdout, format, arguments);
    va_end(arguments);
    putchar('\n');
}

void table_put_header(const char *names)
{
    for (size_t k = 0; k < args_meta_count(); k++) { /* last, so they win */
        const char *text = args_meta(k), *equals = strchr(text, '=');
        printf("# %.*s: ", (int)(equals - text), text); /* the key is [a-z0-9_]+ */
        put_printable(equals + 1, strlen(equals + 1), stdout);
        putchar('\n');
    }
    puts(names);
    flush_output();
}

void put_number(double value, char after)
{
    char text[NUMBER_ROOM];
    number_text(value, text);
    printf("%s%c", text, after);
}

void put_count(uint64_t value, char after)
{
    printf("%llu%c", (unsigned long long)value, after);
}

void put_text(const char *text, char after)
{
    put_field((struct field){text, text != NULL ? strlen(text) : 0}, after);
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
        putchar('\'');
    put_printable(field.text, field.length, stdout);
    if (field.length == 0)
        putchar('-');
    putchar(after);
}
