/* explain.c: the rows of --explain.
 *
 *     table_put_columns(explain_columns, 0);
 *     explain_write(&series);
 */
#include "tlb/detect/explain.h"
#include "tlb/laps/levels.h"
#include <math.h>

static const char *const question_names[] = {
    "pages", "set", "set_flushed", "closer_flushed", "nearer_flushed", NULL};
static const char *const answer_names[] = {"no", "yes", "open", NULL};

struct explain_row {
    int question, fits;
    uint64_t spacing, others, targets, clean, moments, disturbed;
    double misses;
};

const struct column explain_columns[] = {
    COLUMN(WORD, "question", offsetof(struct explain_row, question), COLUMN_LIST(question_names),
           .needed = true),
    COLUMN(COUNT, "spacing_bytes", offsetof(struct explain_row, spacing), .view = COLUMN_IF_ROOM),
    COLUMN(COUNT, "others", offsetof(struct explain_row, others), .view = COLUMN_IF_ROOM),
    COLUMN(COUNT, "targets", offsetof(struct explain_row, targets)),
    COLUMN(NUMBER, "misses", offsetof(struct explain_row, misses), .per_unit = 100),
    COLUMN(COUNT, "clean", offsetof(struct explain_row, clean)),
    COLUMN(COUNT, "moments", offsetof(struct explain_row, moments)),
    COLUMN(COUNT, "disturbed", offsetof(struct explain_row, disturbed)),
    COLUMN(WORD, "fits", offsetof(struct explain_row, fits), COLUMN_LIST(answer_names)),
    {0},
};

static size_t write_family(const struct family *family, const struct fits *fits, int question)
{
    uint64_t asked[FITS_MAX + 1] = {0};
    size_t rows = 0;
    for (size_t i = 0; family != NULL && i < family->count; i++)
        if (family->at[i].asked.targets <= FITS_MAX)
            asked[family->at[i].asked.targets]++;
    for (uint64_t n = 1; fits->fits > 0 && n <= FITS_MAX; n++) {
        if (asked[n] == 0)
            continue;
        struct explain_row row = {.question = question,
                                  .spacing = family->like.spacing,
                                  .others = family->like.others,
                                  .targets = n,
                                  .misses = fits->misses[n],
                                  .clean = fits->at[n].clean,
                                  .moments = fits->at[n].all,
                                  .disturbed = asked[n] - fits->at[n].all};
        row.fits = n <= fits->fits ? 1 : n <= fits->most || fits->most == 0 ? 2 : 0;
        table_put_row(explain_columns, 0, &row);
        rows++;
    }
    return rows;
}

size_t explain_write(const struct series *series)
{
    if (series->moment_count == 0)
        return 0;
    struct families families = families_of(series);
    struct counted counted = counted_of(&families, NULL);
    size_t rows = write_family(family_find(&families, NULL, 1, 1, false), &counted.pages, 0) +
                  write_family(family_find(&families, NULL, 2, UINT64_MAX, false), &counted.first,
                               1) +
                  write_family(family_find(&families, NULL, 2, UINT64_MAX, true), &counted.far, 2) +
                  write_family(family_find(&families, NULL, CLOSE_PAGES, CLOSE_PAGES, true),
                               &counted.close, 3) +
                  write_family(family_find(&families, NULL, 2, NEAR_PAGES, true), &counted.near, 4);
    families_free(&families);
    return rows;
}
