/* costs.c: what misses, page walks and accesses cost, in the report. */
#include "base/number.h"
#include "report/prose/prose.h"
#include "report/prose/sections.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Why there is no penalty. */
static const char *reason_of(const struct note *note)
{
    for (enum note_word w = 0; w < NOTE_WORDS && *note->text == '\0'; w++)
        if (note_has(note, w))
            return note_meaning(w);
    return note->text;
}

static void say_penalty(const struct run_tables *run, const struct penalty *row, const char *label)
{
    char ends[sizeof row->note.text], cycles[32] = "";
    double ghz = run_tables_number(run, "ghz_estimated");
    if (!isnan(ghz))
        snprintf(cycles, sizeof cycles, ", %.0f cycles", row->ns * ghz);
    strcpy(ends, row->note.text);
    prose_say_label(&row->label);
    if (isnan(row->ns)) {
        prose_say(label, "N/A (%s): %s", row->method, reason_of(&row->note));
        return;
    }
    for (char *c = ends; (c = strchr(c, '_')) != NULL;)
        *c = ' ';
    if (isnan(row->low))
        prose_say(label, "%.4g ns%s (%s, %s), no pairs", row->ns, cycles, row->method, ends);
    else
        prose_say(label, "%.4g ns%s (%s, %s), quartiles %.4g to %.4g", row->ns, cycles, row->method,
                  ends, row->low, row->high);
    if (strcmp(row->method, "raw") == 0)
        prose_say("", "raw: includes the cost of cache misses");
    if (note_has(&row->note, NOTE_REACH))
        prose_say("", "cheaper up to %.0f pages: a paging-structure cache holds their tables",
                  note_number(&row->note, NOTE_REACH));
    prose_say_notes(&row->note);
}

/* Whether it is a raw penalty that was not measured, of a walk whose penalty is known by control.
 */
static bool is_known_otherwise(const struct run_tables *run, const struct penalty *row)
{
    bool raw = strcmp(row->method, "raw") == 0;
    for (size_t i = 0; raw && isnan(row->ns) && i < run->penalties.count; i++) {
        const struct penalty *other = &run->penalties.at[i];
        if (other->level == row->level && !isnan(other->ns) &&
            strcmp(other->label.file, row->label.file) == 0 &&
            strcmp(other->label.host, row->label.host) == 0)
            return true;
    }
    return false;
}

void report_walk(const struct run_tables *run)
{
    char label[32];
    for (size_t i = 0; i < run->penalties.count; i++) {
        const struct penalty *row = &run->penalties.at[i];
        snprintf(label, sizeof label, row->level == 0 ? "Page-walk penalty" : "Level-%d miss",
                 row->level);
        if (row->level >= 0 && !is_known_otherwise(run, row))
            say_penalty(run, row, label);
    }
    if (run->penalties.count == 0)
        prose_say("Page-walk penalty", "N/A: no penalties in the input (walkpenalty samples.tsv)");
}

/* Whether the cost of a walk through higher-level tables was seen. */
static bool has_depths(const struct run_tables *run)
{
    for (size_t i = 0; i < run->penalties.count; i++)
        if (run->penalties.at[i].level < -1 && !isnan(run->penalties.at[i].ns))
            return true;
    return false;
}

void report_depths(const struct run_tables *run)
{
    const char *title = "\n[Walks in Depth]\n";
    uint64_t page_bytes = size_or(table_meta(run->table, -1, "page_bytes"), 4096);
    char label[32], size[PROSE_ROOM];
    for (size_t i = 0; has_depths(run) && i < run->penalties.count; i++) {
        const struct penalty *row = &run->penalties.at[i];
        if (row->level >= 0)
            continue;
        double apart = (double)page_bytes * pow((double)page_bytes / 8, -row->level - 1);
        snprintf(label, sizeof label, "%.12s apart", size_text(apart, 4, size));
        fputs(title, stdout);
        title = "";
        say_penalty(run, row, label);
    }
}

/* ---- latencies ---- */

static void say_time(const struct latency_row *row, const char *label)
{
    char cycles[64] = "", over[64] = "", chains[64] = "";
    if (isnan(row->ns)) {
        prose_say(label, "N/A");
        prose_say_notes(&row->note);
        return;
    }
    if (!isnan(row->cycles))
        snprintf(cycles, sizeof cycles, ", %.4g cycles", row->cycles);
    if (!isnan(row->over_read_ns))
        snprintf(over, sizeof over, ", %.3g ns %s than a read", fabs(row->over_read_ns),
                 row->over_read_ns < 0 ? "less" : "more");
    if (row->chains > 1 && row->chains != COUNT_MISSING)
        snprintf(chains, sizeof chains, ", with %.0f chains at once", (double)row->chains);
    prose_say(label, "%.4g ns, quartiles %.4g to %.4g%s%s%s", row->ns, row->low_ns, row->high_ns,
              cycles, over, chains);
    prose_say_notes(&row->note);
}

void report_levels(const struct run_tables *run)
{
    char label[64];
    if (run->latencies.count > 0)
        puts("\n[Latency]");
    for (size_t i = 0; i < run->latencies.count; i++) {
        const struct latency_row *row = &run->latencies.at[i];
        const char *kernel = row->kernel != NULL ? row->kernel->name : "";
        if (strcmp(row->structure, "cache") == 0)
            snprintf(label, sizeof label, "L%d %.20s", row->level, kernel);
        else
            snprintf(label, sizeof label, "%s %.20s",
                     strcmp(row->structure, "memory") == 0 ? "Memory" : "All sizes", kernel);
        say_time(row, label);
    }
}
