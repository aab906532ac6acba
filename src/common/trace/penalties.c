/* penalties.c: misses in seconds.
 *
 *     penalties_read(&penalties, "penalties.tsv");
 *     double seconds = penalties_seconds(&penalties, record->level, 2);
 */
#include "trace/penalties.h"
#include "base/error.h"
#include "table/table.h"
#include <math.h>
#include <string.h>

static bool is_text(struct field field, const char *text)
{
    return field.text != NULL && field.length == strlen(text) &&
           memcmp(field.text, text, field.length) == 0;
}

static void take(double *known, double ns, bool better)
{
    if (isnan(*known) || better)
        *known = ns;
}

void penalties_read(struct penalties *p, const char *file)
{
    struct table *t = table_open((char *[]){(char *)file}, 1);
    int method = table_column(t, "method"), level = table_column(t, "level");
    int penalty = table_column(t, "penalty_ns");
    double ns;
    *p = (struct penalties){.walk_ns = NAN};
    for (int i = 0; i <= MODEL_LEVELS; i++)
        p->level_ns[i] = NAN;
    table_require(t, level);
    table_require(t, penalty);
    while (table_next(t)) {
        struct field of = table_field(t, level);
        bool control = !is_text(table_field(t, method), "raw");
        if (!table_number(t, penalty, &ns))
            continue;
        p->known = true;
        if (is_text(of, "walk"))
            take(&p->walk_ns, ns, control);
        else if (of.length == 1 && *of.text >= '1' && *of.text <= '0' + MODEL_LEVELS)
            take(&p->level_ns[*of.text - '0'], ns, control);
    }
    table_close(t);
    if (!p->known)
        die("%s: no penalty was measured: every row is '-'", file);
}

double penalties_seconds(const struct penalties *p, int missed, int levels)
{
    if (!p->known)
        return NAN;
    return (missed < levels ? p->level_ns[missed] : p->walk_ns) / 1e9;
}
