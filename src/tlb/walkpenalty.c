/* walkpenalty: finds the cost of a translation miss from samples.
 *
 * usage: walkpenalty [OPTION...] [FILE...]
 * Reads samples of one or more files; writes the whitepaper's raw figure and a controlled figure
 * for each TLB level that can be missed. Exit status 1 if there is no figure.
 *
 * example: sweep | walkpenalty
 */
#include "base/args.h"
#include "base/error.h"
#include "table/table.h"
#include "tlb/cost/penalty.h"
#include "tlb/detect/datasets.h"
#include <math.h>

static const struct flag flags[] = {DATASETS_BY, {0}};

static const struct program program = {
    .name = "walkpenalty",
    .purpose = "find the cost of a translation miss from samples",
    .operands = "[FILE...]",
    .example = "sweep | walkpenalty",
    .flags = flags,
    .writes_table = true,
};

static void explain(const struct penalty *penalty)
{
    static const struct {
        enum note_word word;
        const char *why;
    } reasons[] = {
        {NOTE_NO_COMPARISON_POINT, "raw: no comparison point of 512 MiB (sweep --density measures "
                                   "one if its buffer is 512M or larger)"},
        {NOTE_BUFFER_BELOW_512M, "raw: the buffer is too small for the comparison point of 512 MiB "
                                 "(sweep --density high --buffer 512M)"},
        {NOTE_NO_FIRST_POINT,
         "raw: no other point of the sweep that contains the comparison point"},
        {NOTE_NO_CONTROL,
         "control: no samples of layout packed to subtract from page (sweep measures both)"},
        {NOTE_NO_TLB_LEVEL, "control: no TLB level in the samples, so no misses (larger --pages)"},
        {NOTE_NOT_REACHED,
         "control: the samples end before a page walk shows: that takes 8192 pages "
         "or more, and 1.5 times as many as where the last plateau starts (sweep "
         "--preset walk)"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (!args_quiet && note_has(&penalty->note, reasons[i].word))
            warn("%s", reasons[i].why);
}

/* Writes the rows of one dataset; returns whether any figure was available. */
static bool write_dataset(struct dataset *data)
{
    struct penalty penalties[PENALTIES_ROOM];
    size_t count = penalties_find(&data->series, dataset_is_guest(data), penalties);
    bool available = false;
    for (size_t i = 0; i < count; i++) {
        available = available || isfinite(penalties[i].ns);
        penalties[i].label = (struct row_label){data->label, data->label};
        table_put_row(penalty_columns, datasets_option(), &penalties[i]);
    }
    for (size_t i = 0; i < count; i++)
        if (!available ||
            (penalties[i].level == 0 && note_has(&penalties[i].note, NOTE_NOT_REACHED)))
            explain(&penalties[i]);
    return available;
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    return finish(datasets_answer(argv + first, argc - first, penalty_columns, datasets_option(),
                                  write_dataset));
}
