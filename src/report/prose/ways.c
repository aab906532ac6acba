/* ways.c: ways, sets and index of a level in the report, from a row of the organisation table. */
#include "report/prose/prose.h"
#include "report/prose/sections.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The prose for a word in one of the table's columns. */
struct meaning {
    const char *word, *meaning;
};

static const struct meaning indexes[] = {
    {"full", "any page can be in any of them (fully associative)"},
    {"linear", "neighbouring pages go to neighbouring sets (linear)"},
    {"xor", "parts of the page number select the set by exclusive or"},
    {"hashed", "a hash of the page number selects the set"},
    {"unknown", "the set index is unknown"},
    {NULL, NULL},
};

static const struct meaning cache_indexes[] = {
    {"full", "any line can be in any of them (fully associative)"},
    {"linear", "neighbouring lines go to neighbouring sets (linear), by the address"},
    {NULL, NULL},
};

static const struct meaning replacements[] = {
    {"lru", "Replaces the least recently used entry (LRU)"},
    {"plru", "Replaces roughly the least recently used entry (tree PLRU)"},
    {"fifo", "Replaces the oldest entry (FIFO)"},
    {"random", "Replaces a random entry"},
    {"unknown", "Replacement unknown"},
    {NULL, NULL},
};

static const struct meaning relations[] = {
    {"inclusive", "evictions here also evict from the previous level (inclusive)"},
    {"exclusive", "holds only what the previous level does not (exclusive)"},
    {"neither", "evictions in either level leave the other alone (neither)"},
    {"unknown", "relation to the previous level unknown"},
    {NULL, NULL},
};

/* The word itself if it is not in the list. */
static const char *meaning_of(const struct meaning *meanings, const char *word)
{
    for (; meanings->word != NULL; meanings++)
        if (strcmp(meanings->word, word) == 0)
            return meanings->meaning;
    return word;
}

static bool is_cache(const struct organisation *row)
{
    return row->structure == STRUCTURE_CACHE;
}

static void say_sets(const struct organisation *row)
{
    const char *what = is_cache(row) ? "lines" : "entries";
    char label[32], entries[PROSE_ROOM] = "an unknown number of";
    snprintf(label, sizeof label, "%s %d", structure_names[row->structure], row->level);
    if (!isnan(row->entries))
        snprintf(entries, sizeof entries, "%.0f", row->entries);
    if (row->sets > 1 && !isnan(row->ways))
        prose_say(label, "%s %s, %.0f sets of %.0f ways", entries, what, row->sets, row->ways);
    else
        prose_say(label, "%s %s", entries, what);
}

void report_ways(const struct organisation *row)
{
    const char *index = meaning_of(is_cache(row) ? cache_indexes : indexes, row->index);
    const char *replacement = meaning_of(replacements, row->replacement);
    bool bits = *row->index_bits != '\0' && strcmp(row->index_bits, "-") != 0;
    bool related = *row->relation != '\0' && strcmp(row->relation, "-") != 0;
    say_sets(row);
    prose_say("", "%s%s%s", index, bits ? ": bits " : "", bits ? row->index_bits : "");
    prose_say("", "%s%s%s", replacement, related ? "; " : "",
              related ? meaning_of(relations, row->relation) : "");
    prose_say("Confidence", "%s", confidence_name(row->confidence));
    prose_say_notes(&row->note);
}
