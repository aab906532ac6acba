/* difference.c: a row of a comparison as a sentence.
 *
 *     First-level data TLB: 96 entries in A, 72 entries in B.
 *     Cost of a page walk: 13.5 ns (55 cycles) in A, 24.7 ns (91 cycles) in B.
 */
#include "report/prose/difference.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void subject_of_penalty(const struct comparison *row, char text[SENTENCE_ROOM])
{
    bool walk = row->what != NULL && *row->what != '\0';
    const char *depth = walk ? row->what + strlen("walk") : "";
    bool raw = row->method != NULL && strcmp(row->method, "raw") == 0;
    snprintf(text, SENTENCE_ROOM, "cost of a %s%s%s%s%s", walk ? "" : sentence_level(row->level),
             walk ? "page walk" : "miss", *depth != '\0' ? " of depth " : "", depth,
             raw ? " with cache misses" : "");
}

static void subject_of_latency(const struct comparison *row, char text[SENTENCE_ROOM])
{
    char level[32] = "";
    if (row->level > 0)
        snprintf(level, sizeof level, " %d", row->level);
    snprintf(text, SENTENCE_ROOM, "latency of %s%s%s%s%s", row->what, level,
             row->kernel != NULL ? ", " : "", row->kernel != NULL ? row->kernel->name : "",
             row->chains != COUNT_MISSING && row->chains > 1 ? ", several chains" : "");
}

static void subject_of_level(const struct comparison *row, char text[SENTENCE_ROOM])
{
    sentence_subject((enum structure)row->structure, row->level, text);
    if (row->backing != NULL && !row->backing->scattered)
        snprintf(text + strlen(text), SENTENCE_ROOM - strlen(text), " for %s pages",
                 row->backing->name);
    *text = (char)tolower((unsigned char)*text);
}

const char *difference_subject(const struct comparison *row, char text[SENTENCE_ROOM])
{
    if (row->kind == COMPARISON_PENALTY)
        subject_of_penalty(row, text);
    else if (row->kind == COMPARISON_LATENCY)
        subject_of_latency(row, text);
    else
        subject_of_level(row, text);
    return text;
}

static const char *unit_of(const struct comparison *row)
{
    return row->kind == COMPARISON_WAYS             ? "ways"
           : row->kind == COMPARISON_SETS           ? "sets"
           : row->kind != COMPARISON_LEVEL          ? "ns"
           : row->structure == (int)STRUCTURE_LINE  ? "bytes"
           : row->structure == (int)STRUCTURE_CACHE ? "lines"
                                                    : "entries";
}

/* A number, or its range. Times have cycles too, where the clock is known. */
static void add_value(char text[SENTENCE_ROOM], double value, double min, double max,
                      const char *unit, double ghz)
{
    char cycles[32] = "";
    size_t used = strlen(text), left = SENTENCE_ROOM - used;
    if (!isnan(ghz) && strcmp(unit, "ns") == 0)
        snprintf(cycles, sizeof cycles, " (%.0f cycles)", value * ghz);
    if (!isnan(value))
        snprintf(text + used, left, value < 100 ? "%.3g %s%s" : "%.0f %s%s", value, unit, cycles);
    else if (isnan(min))
        snprintf(text + used, left, isnan(max) ? "unknown" : "at most %.0f %s", max, unit);
    else if (isnan(max))
        snprintf(text + used, left, "more than %.0f %s", min, unit);
    else
        snprintf(text + used, left, "%.0f to %.0f %s", min, max, unit);
}

/* "96 entries in A, 1792 to 2048 entries in B". */
static const char *values_of(const struct comparison *row, double ghz_a, double ghz_b,
                             char text[SENTENCE_ROOM])
{
    *text = '\0';
    add_value(text, row->a, row->a_min, row->a_max, unit_of(row), ghz_a);
    char other[SENTENCE_ROOM] = "";
    add_value(other, row->b, row->b_min, row->b_max, unit_of(row), ghz_b);
    bool both = strcmp(text, other) == 0;
    size_t used = strlen(text);
    snprintf(text + used, SENTENCE_ROOM - used, both ? " in both" : " in A, %s in B", other);
    return text;
}

const char *difference_sentence(const struct comparison *row, double ghz_a, double ghz_b,
                                char text[SENTENCE_ROOM])
{
    char values[SENTENCE_ROOM];
    difference_subject(row, text);
    *text = (char)toupper((unsigned char)*text);
    size_t used = strlen(text);
    snprintf(text + used, SENTENCE_ROOM - used, ": %s.", values_of(row, ghz_a, ghz_b, values));
    return text;
}
