/* sentence.c: a boundary as a sentence.
 *
 *     First-level data TLB: 64 entries (256 KiB), high confidence.
 *     Second-level data TLB: 2048 entries (8 MiB), medium confidence; between 2048 and 2304,
 *     since another program may have held entries.
 */
#include "base/number.h"
#include "base/printable.h"
#include "tlb/detect/boundary.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

/* The reasons for a range. */
static const struct {
    enum note_word word;
    const char *why;
} reasons[] = {
    {NOTE_INTERFERENCE, "another program may have held entries"},
    {NOTE_AT_END_OF_SWEEP, "the sweep ends before the rise does"},
    {NOTE_GRADUAL, "the rise is gradual"},
    {NOTE_OVERLAPS_PRIVATE_CACHE_KNEE, "it may be the end of the private cache"},
    {NOTE_MAY_BE_FRONT_END, "the step may be that of the front end, not of the TLB"},
    {NOTE_NO_CONTROL, "there are no packed samples to compare with (sweep takes both)"},
};

const char sentence_held[] =
    "something else may have held entries during the run, perhaps on the other hardware thread of "
    "the core (note interference): the TLB may have more entries; repeat when idle, and compare 3 "
    "to 5 runs (--by file)";

const char *sentence_level(int level)
{
    static const char *const levels[] = {"", "first-level ", "second-level ", "third-level "};
    return level >= 0 && level <= 3 ? levels[level] : "";
}

const char *sentence_subject(enum structure structure, int level, char text[SENTENCE_ROOM])
{
    static const char *const names[] = {[STRUCTURE_DTLB] = "data TLB",
                                        [STRUCTURE_ITLB] = "instruction TLB",
                                        [STRUCTURE_CACHE] = "cache",
                                        [STRUCTURE_LINE] = "cache line",
                                        [STRUCTURE_PREFETCH] = "prefetcher"};
    bool has_levels = structure <= STRUCTURE_CACHE;
    *text = '\0';
    if (structure == STRUCTURE_DTLB && level == 0) /* without a control */
        return strcpy(text, "A TLB or a cache");
    append(text, SENTENCE_ROOM, "%s%s", sentence_level(level), names[structure]);
    if (level > 3)
        append(text, SENTENCE_ROOM, " of level %d", level);
    else if (level == 0 && has_levels)
        append(text, SENTENCE_ROOM, " of unknown level");
    *text = (char)toupper((unsigned char)*text);
    return text;
}

/* The kind of pages, unless it is the usual one. */
static void add_pages(const struct boundary *row, char text[SENTENCE_ROOM])
{
    double pages = note_number(&row->note, NOTE_PAGES_PER_ENTRY);
    if (row->backing->huge)
        append(text, SENTENCE_ROOM, " for huge pages");
    if (row->backing->contiguous)
        append(text, SENTENCE_ROOM, " for contiguous page frames");
    if (!isnan(pages))
        append(text, SENTENCE_ROOM, ", %.0f pages per entry", pages);
}

/* The range, in bytes for a cache, and where the entries are unknown. */
static void add_range(const struct boundary *row, char text[SENTENCE_ROOM])
{
    char low[NUMBER_ROOM], high[NUMBER_ROOM];
    if (row->structure == STRUCTURE_CACHE || isnan(row->entries_min))
        append(text, SENTENCE_ROOM, "between %s and %s", size_text(row->bytes_min, 3, low),
               size_text(row->bytes_max, 3, high));
    else
        append(text, SENTENCE_ROOM, "between %.0f and %.0f%s", row->entries_min, row->entries_max,
               isnan(row->entries) ? " entries" : "");
}

/* The answer, or its range if it is unknown. */
static void add_size(const struct boundary *row, char text[SENTENCE_ROOM])
{
    char size[NUMBER_ROOM];
    size_text(row->bytes_max * row->entries / row->entries_max, 3, size);
    if (row->structure == STRUCTURE_LINE)
        append(text, SENTENCE_ROOM, "%.0f bytes", row->bytes_max);
    else if (isnan(row->entries) && isnan(row->bytes_max))
        append(text, SENTENCE_ROOM, "more than %s", size_text(row->bytes_min, 3, size));
    else if (isnan(row->entries))
        add_range(row, text);
    else if (row->structure == STRUCTURE_CACHE)
        append(text, SENTENCE_ROOM, "%s", size);
    else
        append(text, SENTENCE_ROOM, "%.0f entries (%s)", row->entries, size);
}

void sentence_reasons(const struct note *note, char text[SENTENCE_ROOM])
{
    int count = 0;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons && count < 2; i++)
        if (note_has(note, reasons[i].word))
            append(text, SENTENCE_ROOM, "%s%s", count++ == 0 ? ", since " : " and ",
                   reasons[i].why);
}

const char *boundary_sentence(const struct boundary *row, char text[SENTENCE_ROOM])
{
    *text = '\0';
    if (row->structure == STRUCTURE_PREFETCH)
        return text;
    sentence_subject(row->structure, row->level, text);
    add_pages(row, text);
    if (note_has(&row->note, NOTE_SPLINTERED)) { /* the number is not that of huge pages */
        append(text, SENTENCE_ROOM, ": unknown, since the hypervisor backs them with small pages.");
        return text;
    }
    append(text, SENTENCE_ROOM, ": ");
    add_size(row, text);
    append(text, SENTENCE_ROOM, ", %s confidence", confidence_name(row->confidence));
    if (row->entries_min < row->entries_max && !isnan(row->entries)) {
        append(text, SENTENCE_ROOM, "; ");
        add_range(row, text);
    }
    sentence_reasons(&row->note, text);
    append(text, SENTENCE_ROOM, ".");
    return text;
}
