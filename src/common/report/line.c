/* line.c: how long a cache's lines are, in sentences. */
#include "report/line.h"
#include "report/prose.h"
#include <math.h>
#include <stdio.h>

bool report_is_line(const struct boundary *row)
{
    return row->structure == STRUCTURE_LINE;
}

bool report_is_lines_alone(const struct run_tables *run)
{
    size_t lines = 0;
    for (size_t i = 0; i < run->boundaries.count; i++)
        lines += report_is_line(&run->boundaries.at[i]);
    return lines > 0 && lines == run->boundaries.count;
}

static void say_fetched(const struct boundary *row)
{
    double bytes = note_number(&row->note, NOTE_FETCHED_BYTES);
    if (note_has(&row->note, NOTE_FETCHED_IN_PAIRS))
        prose_say("Fetched", "in pairs: a neighbour comes along, so it may look like %.0f bytes",
                  2 * row->bytes_max);
    else if (note_has(&row->note, NOTE_FETCHED_SINGLY))
        prose_say("Fetched", "one by one, where loads are in no order");
    else if (!isnan(bytes))
        prose_say("Fetched", "%.0f bytes at once", bytes);
    else
        prose_say("Fetched", "alone or together: not known");
}

static void say_line(const struct boundary *row)
{
    prose_say_label(&row->label);
    prose_say("Line", "%.0f bytes", row->bytes_max);
    if (!isnan(row->claim))
        prose_say("Claimed", "%.0f (error %.3g %%)", row->claim, row->error_percent);
    say_fetched(row);
    prose_say("Confidence", "%s: step %.4g ns (%.0f %%) over %.4g ns",
              confidence_name(row->confidence), row->step_ns, row->step_percent, row->plateau_ns);
    prose_say("Method", "%s", prose_method(row->method));
}

void report_lines(const struct run_tables *run)
{
    const char *title = "\n[Cache Line]\n";
    for (size_t i = 0; i < run->boundaries.count; i++)
        if (report_is_line(&run->boundaries.at[i])) {
            fputs(title, stdout);
            title = "";
            say_line(&run->boundaries.at[i]);
        }
}
