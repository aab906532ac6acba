/* makers.c: the calls that have taken blocks of memory.
 *
 *     struct makers makers = {.labels = &labels};
 *     uint32_t label = makers_label(&makers, symbols, sites, count);
 *     uint32_t *names = makers_names(&makers, &form);
 *     puts(labels.at[names[label]]);
 */
#include "trace/attribution/makers.h"
#include "base/error.h"
#include "trace/attribution/object_names.h"
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions that allocate on behalf of their callers. */
static const char usual[] = "malloc,calloc,realloc,aligned_alloc,operator new*,std::*,__gnu_cxx::*";

/* [prior] callers of one place that takes memory, beyond which it does so for them: a list or a
 * tree takes its nodes for fewer */
enum { CALLERS = 3 };

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

/* Adds the places that have many callers to `wrappers`; returns whether there is a new one. */
static bool find_wrappers(struct reached *r, size_t count, struct number_map *wrappers)
{
    size_t before = wrappers->count, callers = 0;
    qsort(r, count, sizeof *r, compare);
    for (size_t i = 0; i < count; i++) {
        bool again = i > 0 && r[i].place == r[i - 1].place;
        callers = !again ? 1 : callers + (r[i].caller != r[i - 1].caller);
        if (callers > CALLERS)
            *number_map_at(wrappers, r[i].place) = 1;
    }
    return wrappers->count > before;
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

/* The first of the maker's calls, from `at` on, that takes memory for itself; the last one where
 * none does. */
static size_t skip(const struct makers *makers, const struct maker *m, const struct name_form *form,
                   const struct number_map *wrappers, size_t at)
{
    while (at + 1 < m->count && (is_skipped(makers, m->calls[at], form) ||
                                 number_map_get(wrappers, place_of(m->calls[at])) != 0))
        at++;
    return at;
}

/* The call of each maker that takes memory for itself. */
static size_t *find_takers(const struct makers *makers, const struct name_form *form)
{
    size_t *takers = allocate(makers->count + 1, sizeof *takers), count;
    struct reached *reached = allocate(makers->count + 1, sizeof *reached);
    struct number_map wrappers = {0};
    do {
        count = 0;
        for (size_t i = 0; i < makers->count; i++) {
            const struct maker *m = &makers->at[i];
            size_t at = takers[i] = skip(makers, m, form, &wrappers, takers[i]);
            if (at + 1 < m->count)
                reached[count++] = (struct reached){place_of(m->calls[at]),
                                                    place_of(m->calls[at + 1])};
        }
    } while (find_wrappers(reached, count, &wrappers));
    number_map_free(&wrappers);
    free(reached);
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
