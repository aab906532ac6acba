/* explain.c: the rows of --explain.
 *
 *     table_put_columns(explain_columns, 0);
 *     explain_write(analysis_first(&analysis));
 */
#include "tlb/detect/explain.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Kinds are listed if they score within this of the best; SHOWN_LEAST kinds at least. [bound] */
static const double far = 20;
enum { SHOWN_LEAST = 5, KIND_BYTES = 40 };

enum what { WHAT_POINT, WHAT_KIND };
static const char *const what_names[] = {"point", "kind", NULL};
static const char *const chosen_names[] = {"no", "yes", NULL};
static const char *const rule_names[] = {"lru", "random", "nru"};

struct explain_row {
    enum what what;
    int level, chosen;
    double pages, ns, error_ns, fitted_ns, residual_ns;
    const char *kind;
    double entries, step_ns, squares, penalty, score, least, most;
};

/* Times to a picosecond, scores to a hundredth. */
const struct column explain_columns[] = {
    COLUMN(WORD, "what", offsetof(struct explain_row, what), COLUMN_LIST(what_names),
           .needed = true),
    COLUMN(LEVEL, "level", offsetof(struct explain_row, level)),
    COLUMN(NUMBER, "pages", offsetof(struct explain_row, pages), .per_unit = 1),
    COLUMN(NUMBER, "ns", offsetof(struct explain_row, ns), .per_unit = 1000),
    COLUMN(NUMBER, "error_ns", offsetof(struct explain_row, error_ns), .per_unit = 1000,
           .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "fitted_ns", offsetof(struct explain_row, fitted_ns), .per_unit = 1000),
    COLUMN(NUMBER, "residual_ns", offsetof(struct explain_row, residual_ns), .per_unit = 1000,
           .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "kind", offsetof(struct explain_row, kind)),
    COLUMN(NUMBER, "entries", offsetof(struct explain_row, entries), .per_unit = 1),
    COLUMN(NUMBER, "step_ns", offsetof(struct explain_row, step_ns), .per_unit = 1000,
           .view = COLUMN_IF_ROOM),
    COLUMN(NUMBER, "squares", offsetof(struct explain_row, squares), .per_unit = 100,
           .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "penalty", offsetof(struct explain_row, penalty), .per_unit = 100,
           .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "score", offsetof(struct explain_row, score), .per_unit = 100),
    COLUMN(NUMBER, "least", offsetof(struct explain_row, least), .per_unit = 1,
           .view = COLUMN_IF_ROOM),
    COLUMN(NUMBER, "most", offsetof(struct explain_row, most), .per_unit = 1,
           .view = COLUMN_IF_ROOM),
    COLUMN(WORD, "chosen", offsetof(struct explain_row, chosen), COLUMN_LIST(chosen_names)),
    {0},
};

static void write_points(const struct curve *curve, const struct fit_account *account)
{
    for (size_t i = 0; i < curve->count; i++) {
        const struct curve_point *p = &curve->at[i];
        struct explain_row row;
        row_clear(explain_columns, &row);
        row.what = WHAT_POINT;
        row.pages = p->pages;
        row.ns = p->ns;
        row.error_ns = p->error;
        if (account->fitted_ns != NULL) {
            row.fitted_ns = account->fitted_ns[i];
            /* from the times as written, so readers compute the same */
            row.residual_ns = (round(1000 * row.ns) - round(1000 * row.fitted_ns)) / 1000;
        }
        table_put_row(explain_columns, 0, &row);
    }
}

/* A kind as a word: lru/8, random/full, lru/12-exclusive. */
static const char *kind_text(const struct miss_curve *kind, char text[KIND_BYTES])
{
    static const char *const orders[] = {
        [ORDER_FIXED] = "", [ORDER_NEW] = "new-order-", [ORDER_RANDOM] = "random-order-"};
    int used = snprintf(text, KIND_BYTES, "%s%s/", orders[kind->order], rule_names[kind->rule]);
    used += kind->ways > 0 ? snprintf(text + used, KIND_BYTES - (size_t)used, "%.0f", kind->ways)
                           : snprintf(text + used, KIND_BYTES - (size_t)used, "full");
    if (kind->gap > 0)
        snprintf(text + used, KIND_BYTES - (size_t)used, "-gap%d", kind->gap);
    else if (kind->hashed || kind->before > 0)
        snprintf(text + used, KIND_BYTES - (size_t)used, kind->hashed ? "-hashed" : "-exclusive");
    return text;
}

static void write_kind(int level, const struct attempt *a, bool chosen)
{
    char text[KIND_BYTES];
    struct explain_row row;
    row_clear(explain_columns, &row);
    row.what = WHAT_KIND;
    row.level = level;
    row.kind = kind_text(&a->shape, text);
    row.entries = a->entries;
    row.step_ns = a->step_ns;
    row.squares = a->squares;
    row.penalty = a->handicap;
    row.score = a->score;
    row.least = a->least;
    row.most = a->most;
    row.chosen = chosen;
    table_put_row(explain_columns, 0, &row);
}

static int by_score(const void *a, const void *b)
{
    const struct attempt *const *left = a, *const *right = b;
    double x = (*left)->score, y = (*right)->score;
    return (x > y) - (x < y);
}

static void write_kinds(int level, const struct attempts *tried)
{
    const void *sorted[KINDS_MOST]; /* of struct attempt */
    const struct attempt *best = &tried->kinds[tried->best];
    for (size_t i = 0; i < tried->count; i++)
        sorted[i] = &tried->kinds[i];
    qsort(sorted, tried->count, sizeof sorted[0], by_score);
    for (size_t i = 0; i < tried->count; i++) {
        const struct attempt *a = sorted[i];
        if (i < SHOWN_LEAST || a->score <= best->score + far)
            write_kind(level, a, a == best);
    }
}

size_t explain_write(const struct control *control)
{
    struct fit_account account = {0};
    struct fitted_level levels[FIT_LEVELS_MOST];
    size_t count = control_fit(control, levels, &account);
    write_points(&control->fitted_to, &account);
    for (size_t k = 0; k < account.rises; k++)
        write_kinds(account.level[k], &account.tried[k]);
    free(account.fitted_ns);
    return count;
}
