/* boundary.c: a boundary in the report, also that of a prefetcher. */
#include "base/number.h"
#include "report/prose/prose.h"
#include "report/prose/sections.h"
#include "tlb/detect/method.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Method segment gives the windows before and at the step; other methods give bounds. */
static void say_size(const struct boundary *row)
{
    char low[PROSE_ROOM], size[PROSE_ROOM], high[PROSE_ROOM];
    bool windows = strcmp(row->method, "segment") == 0;
    int digits = row->confidence == CONFIDENCE_LOW ? 3 : 4;
    double share = windows ? 1 : row->entries / row->entries_max;
    size_text(row->bytes_min, digits, low);
    size_text(row->bytes_max * (isfinite(share) ? share : 1), digits, size);
    if (isnan(row->entries) && !windows && isnan(row->bytes_max))
        prose_say("Capacity", "above %s", low);
    else if (isnan(row->entries) && !windows)
        prose_say("Capacity", "between %s and %s", low, size_text(row->bytes_max, digits, high));
    else if (!(row->bytes_min < row->bytes_max))
        prose_say(windows ? "Boundary" : "Capacity", "%s", size);
    else if (windows)
        prose_say("Boundary", "%s (%s fits)", size, low);
    else
        prose_say("Capacity", "%s (%s to %s)", size, low, size_text(row->bytes_max, digits, high));
}

/* How many of a cache's lines are fetched together. */
static void say_fetched(const struct boundary *row)
{
    double bytes = note_number(&row->note, NOTE_FETCHED_BYTES);
    if (note_has(&row->note, NOTE_FETCHED_IN_PAIRS))
        prose_say("Fetched", "in pairs, so a line may look like %.0f bytes", 2 * row->bytes_max);
    else if (note_has(&row->note, NOTE_FETCHED_SINGLY))
        prose_say("Fetched", "one by one, if loads are in random order");
    else if (!isnan(bytes))
        prose_say("Fetched", "%.0f bytes at once", bytes);
    else
        prose_say("Fetched", "alone or together: unknown");
}

static void say_claim(const struct boundary *row)
{
    const char *unit = row->structure == STRUCTURE_CACHE ? " lines" : "";
    if (row->claim == NULL || *row->claim == '\0')
        return;
    if (note_has(&row->note, NOTE_CLAIM_DOUBTFUL))
        prose_say("Claimed", "%s%s (doubtful)", row->claim, unit);
    else if (isnan(row->error_percent))
        prose_say("Claimed", "%s%s", row->claim, unit);
    else
        prose_say("Claimed", "%s%s (error %.3g %%)", row->claim, unit, row->error_percent);
}

static void say_entries(const struct boundary *row)
{
    const char *label = row->structure == STRUCTURE_CACHE ? "Inferred lines" : "Inferred entries";
    char range[PROSE_ROOM];
    prose_range(row->entries_min, row->entries_max, range);
    if (isnan(row->entries_min) || (isnan(row->entries) && isnan(row->entries_max)))
        return;
    if (isnan(row->entries) || row->entries_min == row->entries_max)
        prose_say(label, "%s", range);
    else
        prose_say(label, "%.0f (%s)", row->entries, range);
}

void report_boundary(const struct boundary *row)
{
    struct note note = boundary_note(row);
    prose_say_label(&row->label);
    if (row->structure == STRUCTURE_LINE)
        prose_say("Line", "%.0f bytes", row->bytes_max);
    else if (!isnan(row->bytes_min))
        say_size(row);
    say_entries(row);
    say_claim(row);
    if (row->structure == STRUCTURE_LINE)
        say_fetched(row);
    char percent[PROSE_ROOM] = "";
    if (!isnan(row->step_percent))
        snprintf(percent, sizeof percent, " (%.0f %%)", row->step_percent);
    prose_say("Confidence", "%s: step %.4g ns%s over %.4g ns", confidence_name(row->confidence),
              row->step_ns, percent, row->plateau_ns);
    const struct method *method = method_find(row->method);
    prose_say("Method", "%s%s%s", row->method, method != NULL ? ": " : "",
              method != NULL ? method->meaning : "");
    prose_say_notes(&note);
}

/* ---- prefetchers ---- */

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
