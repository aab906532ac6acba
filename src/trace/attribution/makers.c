/* makers.c: the calls that have taken blocks of memory.
 *
 *     struct makers makers = {.labels = &labels};
 *     uint32_t label = makers_label(&makers, symbols, sites, count);
 *     uint32_t *names = makers_names(&makers, &form);
 *     puts(labels.at[names[label]]);
 */
#include "trace/attribution/makers.h"
#include "base/error.h"
#include "trace/attribution/names.h"
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions that allocate on behalf of their callers. */
static const char usual[] = "malloc,calloc,realloc,aligned_alloc,operator new*,std::*,__gnu_cxx::*";

/* [prior] callers of one place that takes memory, beyond which it does so for them: a list or a
 * tree takes its nodes for fewer; places in a row, each of which is reached from the next one
 * alone, that count as one */
enum { CALLERS = 3, IN_ROW = 3 };

enum { NAME_ROOM = 1 << 14 }; /* [bound] of a stack */

/* ---- whole stacks ---- */

/* The calls of a stack up to that of main(); a return address is that of the instruction after the
 * call. */
static struct maker calls_of(const struct labels *labels, struct symbols *symbols,
                             const uint64_t *sites, size_t count)
{
    struct maker m = {0};
    for (size_t i = 0; i < count; i++) {
        size_t more;
        const struct call *calls = symbols_calls(symbols, sites[i] > 0 ? sites[i] - 1 : 0, &more);
        m.calls = reallocate(m.calls, m.count + more, sizeof *m.calls);
        memcpy(m.calls + m.count, calls, more * sizeof *calls);
        m.count += more;
        if (strcmp(labels->at[calls[more - 1].function], "main") == 0)
            break;
    }
    return m;
}

static void put_call(const struct labels *l, char name[NAME_ROOM], char before, struct call call,
                     bool plain)
{
    size_t used = strlen(name);
    const char *line = plain ? "" : l->at[call.line];
    snprintf(name + used, NAME_ROOM - used, *line != '\0' ? "%c%s (%s)" : "%c%s", before,
             l->at[call.function], line);
}

uint32_t makers_label(struct makers *makers, struct symbols *symbols, const uint64_t *sites,
                      size_t count)
{
    char name[NAME_ROOM] = "heap";
    struct maker m = calls_of(makers->labels, symbols, sites, count);
    for (size_t i = m.count; i-- > 0;)
        put_call(makers->labels, name, ';', m.calls[i], false);
    m.label = labels_number(makers->labels, name);
    uint64_t *place = number_map_at(&makers->by_label, m.label);
    if (*place != 0)
        free(m.calls);
    else {
        makers->at = reallocate(makers->at, makers->count + 1, sizeof *makers->at);
        makers->at[makers->count] = m;
        *place = ++makers->count;
    }
    return m.label;
}

void makers_free(struct makers *makers)
{
    for (size_t i = 0; i < makers->count; i++)
        free(makers->at[i].calls);
    free(makers->at);
    number_map_free(&makers->by_label);
}

/* ---- what takes memory for others ---- */

static bool is_in(const char *list, const char *function)
{
    char pattern[256];
    for (const char *at = list; at != NULL && *at != '\0'; at += *at == ',') {
        size_t length = strcspn(at, ",");
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, at);
        if (fnmatch(pattern, function, 0) == 0)
            return true;
        at += length;
    }
    return false;
}

/* A place that takes memory, and one that it is reached from. */
struct reached {
    uint64_t place, caller;
};

static int compare(const void *a, const void *b)
{
    const struct reached *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->caller > y->caller) - (x->caller < y->caller);
}

static uint64_t place_of(struct call call)
{
    return (uint64_t)call.function << 32 | call.line;
}

static bool is_skipped(const struct makers *makers, struct call call, const struct name_form *form)
{
    const char *function = makers->labels->at[call.function];
    return is_in(usual, function) || is_in(form->skip, function);
}

/* The number of callers of each place, of the last ones of each stack from its taker on. */
static struct number_map count_callers(const struct makers *makers, const size_t *takers)
{
    struct reached *r = allocate(IN_ROW * makers->count + 1, sizeof *r);
    struct number_map callers = {0};
    size_t count = 0;
    for (size_t i = 0; i < makers->count; i++) {
        const struct maker *m = &makers->at[i];
        for (size_t at = takers[i]; at < takers[i] + IN_ROW && at + 1 < m->count; at++)
            r[count++] = (struct reached){place_of(m->calls[at]), place_of(m->calls[at + 1])};
    }
    qsort(r, count, sizeof *r, compare);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || compare(&r[i], &r[i - 1]) != 0)
            ++*number_map_at(&callers, r[i].place);
    free(r);
    return callers;
}

/* Whether a call of the maker takes memory for many: it, or those that it alone is reached from. */
static bool is_wrapper(const struct maker *m, size_t at, const struct number_map *callers)
{
    uint64_t count = 1;
    for (size_t i = at; i < at + IN_ROW && i + 1 < m->count && count == 1; i++)
        count = number_map_get(callers, place_of(m->calls[i]));
    return count > CALLERS;
}

/* The first of the maker's calls, from `at` on, that takes memory for itself; the last one where
 * none does. */
static size_t skip(const struct makers *makers, const struct maker *m, const struct name_form *form,
                   const struct number_map *callers, size_t at)
{
    while (at + 1 < m->count &&
           (is_skipped(makers, m->calls[at], form) || is_wrapper(m, at, callers)))
        at++;
    return at;
}

/* The call of each maker that takes memory for itself. */
static size_t *find_takers(const struct makers *makers, const struct name_form *form)
{
    size_t *takers = allocate(makers->count + 1, sizeof *takers);
    bool moved;
    do {
        struct number_map callers = count_callers(makers, takers);
        moved = false;
        for (size_t i = 0; i < makers->count; i++) {
            size_t at = skip(makers, &makers->at[i], form, &callers, takers[i]);
            moved = moved || at != takers[i];
            takers[i] = at;
        }
        number_map_free(&callers);
    } while (moved);
    return takers;
}

/* ---- names ---- */

/* Of the C++ library's functions that take memory for this call the one that knows what for:
 * "allocator<TYPE>::allocate". */
static void put_type(const struct labels *l, char name[NAME_ROOM], const struct maker *m, size_t at)
{
    static const char end[] = ">::allocate", begin[] = "allocator<";
    for (size_t i = 0; i < at; i++) {
        const char *function = l->at[m->calls[i].function], *type = strstr(function, begin);
        size_t length = strlen(function), used = strlen(name);
        if (type == NULL || length < sizeof end ||
            strcmp(function + length - sizeof end + 1, end) != 0)
            continue;
        type += sizeof begin - 1;
        int bytes = (int)(function + length - sizeof end + 1 - type);
        bytes -= bytes > 1 && type[bytes - 1] == ' '; /* before ">" */
        snprintf(name + used, NAME_ROOM - used, ";[%.*s]", bytes, type);
        return;
    }
}

static uint32_t name_of(const struct makers *makers, const struct maker *m, size_t at,
                        const struct name_form *form)
{
    char name[NAME_ROOM] = "heap", before = ' ';
    size_t end = at + 1, depth = form->depth > 0 ? form->depth : 2;
    for (size_t taken = 1; taken < depth && end < m->count; end++)
        taken += !is_skipped(makers, m->calls[end], form);
    for (size_t i = end; i-- > at;)
        if (i == at || !is_skipped(makers, m->calls[i], form)) {
            put_call(makers->labels, name, before, m->calls[i], form->plain);
            before = ';';
        }
    put_type(makers->labels, name, m, at);
    object_shorten(name);
    return labels_number(makers->labels, name);
}

uint32_t *makers_names(const struct makers *makers, const struct name_form *form)
{
    size_t count = makers->labels->count;
    uint32_t *names = allocate(count + 1, sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = (uint32_t)i;
    size_t *takers = find_takers(makers, form);
    for (size_t i = 0; i < makers->count && !form->whole; i++)
        names[makers->at[i].label] = name_of(makers, &makers->at[i], takers[i], form);
    free(takers);
    return names;
}
