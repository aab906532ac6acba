/* geometry: finds from samples how each level of the TLB, and the first cache, is organised.
 *
 * usage: geometry [OPTION...] [FILE...]
 * Reads the samples of `sweep --preset geometry` and writes a row for each dTLB level: entries,
 * ways, sets, the bits of the page number that select the set, replacement and the relation to the
 * level before. The samples of `sweep --preset line` give a row for the first cache. If the samples
 * decide nothing, it writes the header alone and exits with status 1.
 *
 * example: sweep --preset geometry | geometry
 */
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include "base/printable.h"
#include "table/table.h"
#include "tlb/detect/boundary.h"
#include "tlb/detect/datasets.h"
#include "tlb/geometry/answers.h"
#include "tlb/geometry/cache_sets.h"
#include "tlb/geometry/organisation.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool claims;

static const struct flag flags[] = {
    DATASETS_BY,
    {"claims", FLAG_YES, &claims, NULL, "add the machine's claims about entries and ways"},
    {0},
};

static const struct program program = {
    .name = "geometry",
    .purpose = "find how each level of the TLB, and the first cache, is organised",
    .operands = "[FILE...]",
    .example = "sweep --preset geometry | geometry",
    .flags = flags,
    .writes_table = true,
};

static unsigned row_options(void)
{
    return datasets_option() | (claims ? COLUMN_CLAIMS : 0);
}

/* Appends a value to the text, unless it is unknown or says nothing. */
static void add_known(char text[SENTENCE_ROOM], const char *format, const char *value)
{
    static const char *const nothing[] = {"-", "unknown", "neither"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (strcmp(value, nothing[i]) == 0)
            return;
    append(text, SENTENCE_ROOM, format, value);
}

/* The entries; the range that detect gives, if they are unknown. */
static void add_entries(const struct organisation *row, char text[SENTENCE_ROOM])
{
    if (!isnan(row->entries))
        append(text, SENTENCE_ROOM, "%.0f", row->entries);
    else if (!isnan(row->most))
        append(text, SENTENCE_ROOM, "between %.0f and %.0f", row->least, row->most);
    else
        append(text, SENTENCE_ROOM, "more than %.0f", row->least);
    append(text, SENTENCE_ROOM, " %s", row->structure == STRUCTURE_CACHE ? "lines" : "entries");
}

/* "Second-level data TLB: 2048 entries, 256 sets of 8 ways, index linear in bits 0,1,2,
 * medium confidence." */
static void say_organisation(const struct organisation *row)
{
    char subject[SENTENCE_ROOM], text[SENTENCE_ROOM] = "";
    sentence_subject(row->structure, row->level, subject);
    add_entries(row, text);
    if (row->sets > 1)
        append(text, SENTENCE_ROOM, ", %.0f sets", row->sets);
    if (row->sets == 1)
        append(text, SENTENCE_ROOM, ", fully associative");
    else if (isnan(row->ways))
        append(text, SENTENCE_ROOM, ", ways unknown");
    else
        append(text, SENTENCE_ROOM, " of %.0f ways", row->ways);
    if (*row->index_bits != '\0')
        append(text, SENTENCE_ROOM, ", index %s in bits %s", row->index, row->index_bits);
    add_known(text, ", replacement %s", row->replacement);
    add_known(text, ", %s of the first level", row->relation);
    append(text, SENTENCE_ROOM, ", %s confidence", confidence_name(row->confidence));
    sentence_reasons(&row->note, text);
    table_say("%s%s%s: %s.", row->label.file, *row->label.file != '\0' ? ": " : "", subject, text);
}

static void write_row(const struct dataset *data, struct organisation *row)
{
    row->claim_entries = dataset_claim(data, row->structure, row->level, "entries");
    row->claim_ways = dataset_claim(data, row->structure, row->level, "ways");
    row->label = (struct row_label){data->label, data->label};
    note_sibling(&row->note, dataset_meta(data, "sibling_busy"));
    row->confidence = confidence_of(row->criteria, &row->note);
    table_put_row(organisation_columns, row_options(), row);
    say_organisation(row);
}

/* Writes the row of the first cache, if its sets were asked about; false if there is none. */
static bool write_cache(const struct dataset *data, struct answers *answers,
                        const struct point *asked)
{
    struct organisation row;
    const char *why = cache_sets_find(answers, &data->series, asked, &row);
    if (why == NULL)
        write_row(data, &row);
    else
        dataset_warn(data, "cannot determine the sets of the first cache: %s", why);
    return why == NULL;
}

/* Writes the rows of the TLB's levels, if the organisation of any of them is known. Returns NULL,
 * or the reason why there is none. */
static const char *write_levels(const struct dataset *data, struct answers *answers)
{
    struct organisation rows[ORGANISATION_LEVELS];
    size_t count = organisation_of(answers, rows);
    bool known = false, held = false;
    if (data->series.moment_count == 0)
        return "no moments in the samples (sweep --preset geometry or line of this version "
               "measures them; older samples have none)";
    if (count == 0)
        return "no TLB level in the samples (larger --pages)";
    for (size_t i = 0; i < count; i++)
        known = known || strcmp(rows[i].index, "unknown") != 0;
    if (!known)
        return "the samples do not show the sets of any level (sweep --preset geometry does)";
    for (size_t i = 0; i < count; i++) {
        rows[i].replacement = replacement_of(&data->series, &rows[i].set);
        write_row(data, &rows[i]);
        held = held || note_has(&rows[i].note, NOTE_INTERFERENCE);
    }
    if (held && !args_quiet)
        dataset_warn(data, "%s", sentence_held);
    return NULL;
}

/* Writes the rows of one dataset; returns whether the organisation of anything is known. */
static bool write_dataset(struct dataset *data)
{
    series_sort(&data->series);
    struct answers answers = answers_of(&data->series);
    const struct point *cache = cache_sets_point(&answers.families);
    const char *why = write_levels(data, &answers);
    bool known = why == NULL;
    if (cache != NULL)
        known = write_cache(data, &answers, cache) || known;
    else if (why != NULL)
        dataset_warn(data, "cannot tell: %s", why);
    answers_free(&answers);
    return known;
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    return finish(datasets_answer(argv + first, argc - first, organisation_columns, row_options(),
                                  write_dataset));
}
