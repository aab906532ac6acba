/* huge_objects.c: finds the objects of a command that are to lie on huge pages.
 *
 *     char *lines = huge_objects(list, "new_column,table", &known);
 *     setenv("TLBLAB_HUGE_OBJECTS", lines, 1);
 */
#include "trace/saving/huge_objects.h"
#include "base/error.h"
#include "trace/attribution/object_names.h"
#include "trace/attribution/stacks.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines, each of them once. */
struct lines_once {
    char *text;
    size_t length;
};

static void add_once(struct lines_once *l, const char *line)
{
    size_t length = strlen(line);
    for (const char *at = l->text; at != NULL && *at != '\0'; at = strchr(at, '\n') + 1)
        if (strncmp(at, line, length) == 0 && at[length] == '\n')
            return;
    l->text = reallocate(l->text, l->length + length + 2, 1);
    memcpy(l->text + l->length, line, length);
    memcpy(l->text + l->length + length, "\n", 2);
    l->length += length + 1;
}

__attribute__((format(printf, 2, 3))) static void add(struct lines_once *l, const char *format, ...)
{
    char line[5000];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < sizeof line)
        add_once(l, line);
}

static void take_site(struct symbols *symbols, uint64_t site, const char *names,
                      struct lines_once *chosen, struct lines_once *known)
{
    static const struct stack_form usual = {0};
    uint64_t offset;
    char label[STACK_NAME_ROOM];
    const char *file;
    stack_name(&usual, symbols, &site, 1, label);
    add_once(known, label);
    if (object_is_named(names, label) && (file = symbols_file(symbols, site, &offset)) != NULL)
        add(chosen, "block %" PRIx64 " %s", offset, file);
}

/* Names that are those of variables. */
static void take_variables(struct symbols *symbols, const char *names, struct lines_once *chosen)
{
    char name[256];
    uint64_t begin, end, offset;
    for (const char *at = names; *at != '\0'; at += *at == ',') {
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        at += length;
        if (!symbols_variable(symbols, name, &begin, &end))
            continue;
        const char *file = symbols_file(symbols, begin, &offset);
        if (file != NULL)
            add(chosen, "data %" PRIx64 " %" PRIx64 " %s", offset, end - begin, file);
    }
}

/* One process: mappings, then sites. */
static void take_process(const char *maps, const char *sites, const char *names,
                         struct lines_once *chosen, struct lines_once *known)
{
    struct symbols *symbols = symbols_open(maps);
    for (const char *at = sites; strncmp(at, "site ", 5) == 0;
         at += strcspn(at, "\n"), at += *at == '\n')
        take_site(symbols, strtoull(at + 5, NULL, 16), names, chosen, known);
    take_variables(symbols, names, chosen);
    symbols_close(symbols);
}

char *huge_objects(const char *list, const char *names, char **known)
{
    struct lines_once chosen = {NULL, 0}, there = {NULL, 0};
    char *copy = allocate(strlen(list) + 1, 1), *at = strcpy(copy, list), *end;
    while ((end = strstr(at, "\nend\n")) != NULL) {
        *end = '\0';
        char *sites = strstr(at, "\nsite ");
        if (sites != NULL)
            *sites++ = '\0';
        take_process(at, sites != NULL ? sites : "", names, &chosen, &there);
        at = end + 5;
    }
    free(copy);
    *known = there.text;
    return chosen.text;
}
