/* huge_objects.c: finds the objects of a command that are to lie on huge pages.
 *
 *     char *lines = huge_objects(list, "new_column,table", &known);
 *     setenv("TLBLAB_HUGE_OBJECTS", lines, 1);
 */
#include "trace/saving/huge_objects.h"
#include "base/error.h"
#include "trace/attribution/makers.h"
#include "trace/attribution/names.h"
#include "trace/format/record.h"
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

/* A call stack: each address with a hash of those up to it. The fewest calls that are named are
 * chosen. */
static void take_stack(struct makers *makers, struct symbols *symbols, const char *line,
                       const char *names, struct lines_once *chosen)
{
    uint64_t sites[STACK_MAX], hashes[STACK_MAX];
    char *end;
    size_t count = 0;
    for (; count < STACK_MAX && *line == ' '; count++) {
        sites[count] = strtoull(line, &end, 16);
        hashes[count] = strtoull(end, &end, 16);
        line = end;
    }
    uint32_t label = makers_label(makers, symbols, sites, count);
    if (count == 0 || !object_is_named(names, makers->labels->at[label]))
        return;
    struct makers parts = {.labels = makers->labels};
    size_t taken = 1;
    while (taken < count &&
           !object_is_named(names, parts.labels->at[makers_label(&parts, symbols, sites, taken)]))
        taken++;
    makers_free(&parts);
    add(chosen, "block %" PRIx64, hashes[taken - 1]);
}

/* Names that are those of variables. */
static void take_variables(struct symbols *symbols, const char *names, struct lines_once *chosen)
{
    char name[256];
    uint64_t offset, bytes;
    for (const char *at = names; *at != '\0'; at += *at == ',') {
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        at += length;
        const char *file = symbols_variable(symbols, name, &offset, &bytes);
        if (file != NULL)
            add(chosen, "data %" PRIx64 " %" PRIx64 " %s", offset, bytes, file);
    }
}

/* One process: mappings, then stacks. */
static void take_process(struct binaries *binaries, struct makers *makers, const char *maps,
                         const char *stacks, const char *names, struct lines_once *chosen)
{
    struct symbols *symbols = symbols_open(binaries, maps);
    for (const char *at = stacks; strncmp(at, "stack ", 6) == 0;
         at += strcspn(at, "\n"), at += *at == '\n')
        take_stack(makers, symbols, at + 5, names, chosen);
    take_variables(symbols, names, chosen);
    symbols_close(symbols);
}

/* The short names of all makers. */
static char *names_of(const struct makers *makers)
{
    static const struct name_form usual = {0};
    struct lines_once known = {NULL, 0};
    uint32_t *names = makers_names(makers, &usual);
    for (size_t i = 0; i < makers->count; i++)
        add_once(&known, makers->labels->at[names[makers->at[i].label]]);
    free(names);
    return known.text;
}

char *huge_objects(const char *list, const char *names, char **known)
{
    struct lines_once chosen = {NULL, 0};
    struct labels labels = {0};
    struct binaries binaries = {.labels = &labels};
    struct makers makers = {.labels = &labels};
    char *copy = allocate(strlen(list) + 1, 1), *at = strcpy(copy, list), *end;
    while ((end = strstr(at, "\nend\n")) != NULL) {
        *end = '\0';
        char *stacks = strstr(at, "\nstack ");
        if (stacks != NULL)
            *stacks++ = '\0';
        take_process(&binaries, &makers, at, stacks != NULL ? stacks : "", names, &chosen);
        at = end + 5;
    }
    free(copy);
    *known = names_of(&makers);
    makers_free(&makers);
    binaries_free(&binaries);
    labels_free(&labels);
    return chosen.text;
}
