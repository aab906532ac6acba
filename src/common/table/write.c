/* write.c: writing the tab-separated tables to stdout. */
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include "table/table.h"
#include <stdarg.h>
#include <stdlib.h>
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
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *value = allocate((size_t)length + 1, 1); /* a command may be long */
    va_start(arguments, format);
    vsnprintf(value, (size_t)length + 1, format, arguments);
    va_end(arguments);
    for (char *c = value; *c != '\0'; c++)
        if (*c == '\t' || *c == '\n' || *c == '\r')
            *c = ' ';
    printf("# %s: %s\n", key, value);
    free(value);
}

void table_put_header(const char *names)
{
    for (size_t k = 0; k < args_meta_count(); k++) { /* last, so that they win */
        const char *text = args_meta(k), *equals = strchr(text, '=');
        printf("# %.*s: %s\n", (int)(equals - text), text, equals + 1);
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
    printf("%s%c", text != NULL && *text != '\0' ? text : "-", after);
}

void put_field(struct field field, char after)
{
    for (size_t i = 0; i < field.length; i++)
        putchar(field.text[i] == '\t' || field.text[i] == '\n' ? ' ' : field.text[i]);
    if (field.length == 0)
        putchar('-');
    putchar(after);
}
