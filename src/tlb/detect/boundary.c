/* boundary.c: the rows of the boundaries table.
 *
 *     confidence_of(2, &note);    -> CONFIDENCE_HIGH, unless the note has a doubt
 *     boundary_check_claim(&row, "128 or 4096", "96");    -> the error of 4150 is relative to 4096
 */
#include "tlb/detect/boundary.h"
#include "machine/claim.h"
#include "tlb/laps/levels.h"
#include <assert.h>
#include <math.h>
#include <string.h>

const char *const structure_names[] = {"dtlb", "itlb", "cache", "line", "prefetch", NULL};

const char *const confidence_names[] = {"low", "medium", "high", NULL};

const struct boundary boundary_missing = {.backing = &backings[BACKING_SCATTERED],
                                          .entries = NAN,
                                          .entries_min = NAN,
                                          .entries_max = NAN,
                                          .bytes_min = NAN,
                                          .bytes_max = NAN,
                                          .plateau_ns = NAN,
                                          .step_ns = NAN,
                                          .step_percent = NAN,
                                          .confidence = CONFIDENCE_UNKNOWN,
                                          .method = "",
                                          .error_percent = NAN};

struct boundary *boundary_add(struct boundaries *boundaries, enum structure structure, int level,
                              const char *method)
{
    struct boundary *b = &boundaries->at[boundaries->count];
    boundaries->count += boundaries->count < BOUNDARIES_ROOM;
    *b = boundary_missing;
    b->structure = structure;
    b->level = level;
    b->method = method;
    b->confidence = CONFIDENCE_LOW;
    return b;
}

void boundary_set_range(struct boundary *b, double least, double most, double unit)
{
    b->entries_min = least;
    b->entries_max = most;
    b->bytes_min = least * unit;
    b->bytes_max = most * unit;
}

void boundary_set_level(struct boundary *b, const struct level *level, double unit)
{
    b->entries = level->entries;
    b->criteria = level->criteria;
    boundary_set_range(b, level->least, level->most, unit);
    if (level->held)
        note_add(&b->note, NOTE_INTERFERENCE);
    if (level->knee.gradual)
        note_add(&b->note, NOTE_GRADUAL);
    if (level->knee.reaches_end)
        note_add(&b->note, NOTE_AT_END_OF_SWEEP);
}

/* No load takes as little. A program that subtracts the time of the first cache writes 0 there, and
 * a step has no percentage of that. [physics] */
static const double load_least_ns = 0.01;

void boundary_set_step(struct boundary *b, double plateau_ns, double step_ns)
{
    bool zero = plateau_ns < load_least_ns;
    b->plateau_ns = zero ? 0 : plateau_ns;
    b->step_ns = step_ns;
    b->step_percent = zero ? NAN : 100 * step_ns / plateau_ns;
}

/* The words of a note that identify the prefetcher of a row. */
static uint64_t prefetcher_of(const struct boundary *b)
{
    uint64_t all = ((uint64_t)2 << NOTE_PAGE_CROSSING) - ((uint64_t)1 << NOTE_NEXT_LINE);
    return b->structure == STRUCTURE_PREFETCH ? b->note.words & all : 0;
}

bool boundary_is_same(const struct boundary *a, const struct boundary *b)
{
    uint64_t prefetcher = prefetcher_of(a);
    return a->structure == b->structure && prefetcher == prefetcher_of(b) &&
           (prefetcher == 0 || a->note.number == b->note.number) && a->level == b->level &&
           a->backing == b->backing;
}

const struct boundary *boundaries_find(const struct boundaries *list, const struct boundary *like)
{
    for (size_t i = 0; i < list->count; i++)
        if (boundary_is_same(&list->at[i], like))
            return &list->at[i];
    return NULL;
}

bool boundary_is_plain(const struct boundary *b)
{
    return b->structure != STRUCTURE_ITLB && b->backing->scattered;
}

struct extent boundary_extent(const struct boundary *b)
{
    if (b->structure >= STRUCTURE_LINE)
        return (struct extent){b->bytes_max, b->bytes_min, b->bytes_max};
    return (struct extent){b->entries, b->entries_min, b->entries_max};
}

/* ---- how certain ---- */

const char *confidence_name(enum confidence confidence)
{
    return confidence < 0 ? "" : confidence_names[confidence];
}

/* The upper limit for an answer with such a word. The criteria come from the method (of counted
 * levels: fits_criteria()). */
static const struct {
    enum note_word word;
    enum confidence most;
} doubts[] = {
    {NOTE_GRADUAL, CONFIDENCE_MEDIUM},       {NOTE_INTERFERENCE, CONFIDENCE_MEDIUM},
    {NOTE_SPLINTERED, CONFIDENCE_LOW},       {NOTE_AT_END_OF_SWEEP, CONFIDENCE_LOW},
    {NOTE_ENTRIES_DISAGREE, CONFIDENCE_LOW},
};

enum confidence confidence_of(int criteria, const struct note *note)
{
    enum confidence most = (enum confidence)(criteria > 2 ? 2 : criteria < 0 ? 0 : criteria);
    for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++)
        if (most > doubts[i].most && note_has(note, doubts[i].word))
            most = doubts[i].most;
    return most;
}

void note_sibling(struct note *note, const char *sibling_busy)
{
    if (sibling_busy != NULL && strncmp(sibling_busy, "yes", 3) == 0)
        note_add(note, NOTE_INTERFERENCE);
}

void boundaries_judge(struct boundaries *found, const char *sibling_busy)
{
    for (size_t i = 0; i < found->count; i++) {
        struct boundary *b = &found->at[i];
        note_sibling(&b->note, sibling_busy);
        b->confidence = confidence_of(b->criteria, &b->note);
    }
}

/* ---- claims ---- */

/* A measurement of more than low confidence contradicts a claim that is further outside its range
 * than the range is wide, and than this fraction of the size. [prior] */
static const double contradicts_min = 0.25;

static bool contradicts(const struct extent *m, double claim)
{
    double margin = fmax(m->most - m->least, contradicts_min * m->size);
    return claim < m->least - margin || claim > m->most + margin;
}

void boundary_check_claim(struct boundary *b, const char *claim, const char *first)
{
    uint64_t values[CLAIM_VALUES], firsts[CLAIM_VALUES];
    size_t count = claim_values(claim, values);
    struct extent m = boundary_extent(b);
    b->claim = count > 0 ? claim : NULL;
    b->error_percent = NAN;
    if (count == 0)
        return;
    double value = (double)values[0], near = isnan(m.size) ? sqrt(m.least * m.most) : m.size;
    for (size_t i = 1; i < count; i++)
        if (fabs(log((double)values[i] / near)) < fabs(log(value / near)))
            value = (double)values[i];
    if (count > 1)
        note_add(&b->note, NOTE_CLAIM_UNIT_HIDDEN);
    bool impossible = b->level > 1 && claim_values(first, firsts) > 0 && value < (double)firsts[0];
    if (impossible || (b->confidence > CONFIDENCE_LOW && contradicts(&m, value)))
        note_add(&b->note, NOTE_CLAIM_DOUBTFUL);
    else
        b->error_percent = round(1000 * (m.size - value) / value) / 10 + 0; /* no -0 */
}

/* ---- rows ---- */

/* Times to a picosecond, percentages to a tenth. */
const struct column boundary_columns[] = {
    COLUMN(WORD, "structure", offsetof(struct boundary, structure), COLUMN_LIST(structure_names),
           .needed = true),
    COLUMN(LEVEL, "level", offsetof(struct boundary, level)),
    COLUMN(NUMBER, "entries", offsetof(struct boundary, entries), .per_unit = 1),
    COLUMN(NUMBER, "entries_min", offsetof(struct boundary, entries_min), .per_unit = 1,
           .title = "min"),
    COLUMN(NUMBER, "entries_max", offsetof(struct boundary, entries_max), .per_unit = 1,
           .title = "max"),
    COLUMN(NUMBER, "bytes_min", offsetof(struct boundary, bytes_min), .per_unit = 1,
           .view = COLUMN_IF_ROOM),
    COLUMN(NUMBER, "bytes_max", offsetof(struct boundary, bytes_max), .per_unit = 1,
           .view = COLUMN_IF_ROOM),
    COLUMN(NUMBER, "plateau_ns", offsetof(struct boundary, plateau_ns), .per_unit = 1000,
           .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "step_ns", offsetof(struct boundary, step_ns), .per_unit = 1000),
    COLUMN(NUMBER, "step_percent", offsetof(struct boundary, step_percent), .per_unit = 10,
           .view = COLUMN_HIDDEN),
    COLUMN(WORD, "confidence", offsetof(struct boundary, confidence),
           COLUMN_LIST(confidence_names)),
    COLUMN(TEXT, "method", offsetof(struct boundary, method), .view = COLUMN_HIDDEN),
    COLUMN(NOTE, "note", offsetof(struct boundary, note), .view = COLUMN_SPARE),
    COLUMN(MIXED, "claim", offsetof(struct boundary, claim), .option = COLUMN_CLAIMS),
    COLUMN(NUMBER, "error_percent", offsetof(struct boundary, error_percent),
           .option = COLUMN_CLAIMS),
    ROW_LABEL_COLUMNS(struct boundary),
    {0},
};

struct note boundary_note(const struct boundary *b)
{
    struct note note = b->note;
    if (b->backing->contiguous)
        note_add(&note, NOTE_CONTIGUOUS);
    if (b->backing->huge)
        note_add(&note, NOTE_HUGE);
    if (b->backing->device && b->structure == STRUCTURE_DTLB)
        note_add(&note, NOTE_PAGE_ASSUMED);
    return note;
}

void boundary_write(const struct boundary *boundary, unsigned options)
{
    struct boundary row = *boundary;
    assert(!(row.entries < row.entries_min) && !(row.entries > row.entries_max));
    row.note = boundary_note(boundary);
    table_put_row(boundary_columns, options, &row);
}

void boundary_read(const struct row_reader *reader, struct boundary *b)
{
    row_read(reader, b);
    b->backing = &backings[note_has(&b->note, NOTE_HUGE)           ? BACKING_HUGE
                           : note_has(&b->note, NOTE_CONTIGUOUS)   ? BACKING_CONTIGUOUS
                           : note_has(&b->note, NOTE_PAGE_ASSUMED) ? BACKING_DEVICE
                                                                   : BACKING_SCATTERED];
}
