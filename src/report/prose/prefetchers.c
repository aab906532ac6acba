/* prefetchers.c: the report's section on prefetchers. */
#include "report/prose/prose.h"
#include "report/prose/sections.h"
#include <stdio.h>

static const struct {
    enum note_word word;
    const char *label, *meaning;
} kinds[] = {
    {NOTE_NEXT_LINE, "Next line", "ahead of a single load"},
    {NOTE_PREVIOUS_LINE, "Previous line", "before a single load"},
    {NOTE_ADJACENT_PAIR, "Adjacent pair", "away, the other line of the pair"},
    {NOTE_REPEATED_PATTERN, "Repeated pattern", "away from a load, once the pattern has repeated"},
    {NOTE_STRIDE_UP, "Stride", "ahead of loads %.0f bytes apart"},
    {NOTE_STRIDE_DOWN, "Stride down", "below loads that descend by %.0f bytes"},
    {NOTE_PAGE_CROSSING, "Page crossing", "into the next page, when loads reach the end of one"},
};

void report_prefetcher(const struct boundary *row)
{
    char range[PROSE_ROOM], meaning[128];
    size_t k = 0, last = sizeof kinds / sizeof *kinds - 1;
    while (k < last && !note_has(&row->note, kinds[k].word))
        k++;
    snprintf(meaning, sizeof meaning, kinds[k].meaning, row->note.number);
    prose_say_label(&row->label);
    prose_say(kinds[k].label, "%s bytes %s", prose_range(row->bytes_min, row->bytes_max, range),
              meaning);
    prose_say("", "saves %.3g of %.3g ns; confidence %s", row->step_ns,
              row->step_ns + row->plateau_ns, confidence_name(row->confidence));
}
