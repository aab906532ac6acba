/* summary.c: the answer in a few sentences.
 *
 *     First-level data TLB: 72 entries (288 KiB), high confidence.
 *     Second-level data TLB: 3072 entries (12 MiB), medium confidence; between 3072 and 3328.
 *     A first-level miss costs 1.9 ns (7 cycles), a page walk 24.7 ns (91 cycles).
 *     No disturbance was counted during the run.
 */
#include "report/prose/sections.h"
#include "table/view.h"
#include "tlb/detect/agreement.h"
#include "tlb/detect/boundary.h"
#include "tlb/detect/method.h"
#include "tlb/detect/tlb_levels.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool said;

static void say(const char *sentence)
{
    view_sentence(sentence);
    said = true;
}

static bool has_tlb(const struct run_tables *run)
{
    for (size_t i = 0; i < run->boundaries.count; i++)
        if (run->boundaries.at[i].structure <= STRUCTURE_ITLB)
            return true;
    return false;
}

/* The caches that the curve of a TLB shows are no answer to the question about that TLB. */
static bool is_by_product(const struct boundary *row)
{
    return row->structure == STRUCTURE_CACHE && strcmp(row->method, "control") == 0;
}

static void say_levels(const struct run_tables *run)
{
    bool tlb = has_tlb(run);
    for (size_t i = 0; i < run->boundaries.count; i++) {
        const struct boundary *row = &run->boundaries.at[i];
        const char *name = *row->label.file != '\0' ? row->label.file : row->label.host;
        char sentence[SENTENCE_ROOM], text[2 * SENTENCE_ROOM];
        if ((tlb && is_by_product(row)) || *boundary_sentence(row, sentence) == '\0')
            continue;
        snprintf(text, sizeof text, "%s%s%s", name, *name != '\0' ? ": " : "", sentence);
        say(text);
    }
    if (run->boundaries.count == 0 && run_tables_was_run(run, "detect"))
        say("No level was found; the report gives the likely causes.");
}

/* Of the whole run. */
static bool is_cost(const struct penalty *row, const char *method)
{
    return row->level >= 0 && !isnan(row->ns) && strcmp(row->method, method) == 0 &&
           *row->label.file == '\0' && *row->label.host == '\0';
}

/* Each level, then the walk; whether there are any. */
static bool say_costs_by(const struct run_tables *run, const char *method, const char *reserve)
{
    char text[SENTENCE_ROOM] = "", cycles[32] = "", miss[32];
    double ghz = run_tables_number(run, "ghz_estimated");
    size_t used = 0;
    for (size_t i = 0; i < run->penalties.count; i++, used = strlen(text)) {
        const struct penalty *row = &run->penalties.at[i];
        if (!is_cost(row, method))
            continue;
        if (!isnan(ghz))
            snprintf(cycles, sizeof cycles, " (%.0f cycles)", row->ns * ghz);
        snprintf(miss, sizeof miss, "%smiss", sentence_level(row->level));
        snprintf(text + used, sizeof text - used, "%s %s%s %.3g ns%s", used == 0 ? "A" : ", a",
                 row->level > 0 ? miss : "page walk", used == 0 ? " costs" : "", row->ns, cycles);
    }
    if (used == 0)
        return false;
    snprintf(text + used, sizeof text - used, "%s.", reserve);
    say(text);
    return true;
}

static void say_costs(const struct run_tables *run)
{
    if (!say_costs_by(run, "control", "") && !say_costs_by(run, "raw", ", cache misses included") &&
        run->penalties.count > 0 && has_tlb(run))
        say("The cost of a miss is unknown; the report gives the reason.");
}

static bool was_held(const struct run_tables *run)
{
    for (size_t i = 0; i < run->boundaries.count; i++)
        if (note_has(&run->boundaries.at[i].note, NOTE_INTERFERENCE))
            return true;
    return false;
}

/* They mattered where the answer without them is another one. */
static void say_disturbed(const struct run_tables *run, size_t disturbed, size_t all)
{
    struct boundaries found = {0}, calm = {0};
    struct series series = series_undisturbed(&run->series);
    char other[SENTENCE_ROOM] = "", text[2 * SENTENCE_ROOM];
    if (methods[METHOD_CONTROL].suits(&series)) {
        series_sort(&series);
        tlb_levels_find(&run->series, &found);
        tlb_levels_find(&series, &calm);
        agreement_diff(&found, &calm, other, sizeof other);
    }
    snprintf(text, sizeof text,
             "%zu of %zu samples were disturbed (page faults, switches, migrations)%s%s%s.",
             disturbed, all,
             found.count == 0 ? ""
             : *other == '\0' ? ", which did not matter"
                              : ", which mattered: without them the answer differs (",
             other, *other == '\0' ? "" : ")");
    series_free(&series);
    say(text);
}

static void say_disturbances(const struct run_tables *run)
{
    size_t disturbed, all = series_samples(&run->series, &disturbed);
    bool held = was_held(run);
    if (disturbed > 0)
        say_disturbed(run, disturbed, all);
    if (held)
        say("Another program seems to have held entries, which mattered: repeat when idle.");
    else if (disturbed == 0 && run->counted && has_tlb(run))
        say("No disturbance was counted during the run.");
}

bool report_summary(const struct run_tables *run)
{
    said = false;
    say_levels(run);
    say_costs(run);
    say_disturbances(run);
    return said;
}
