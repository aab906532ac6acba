/* penalties.c: misses in seconds.
 *
 *     penalties_read(&penalties, "penalties.tsv");
 *     double seconds = penalties_seconds(&penalties, record->level, 2);
 */
#include "trace/attribution/penalties.h"
#include "base/error.h"
#include "tlb/cost/penalty.h"
#include <math.h>
#include <string.h>

static void take(double *known, double ns, bool better)
{
    if (isnan(*known) || better)
        *known = ns;
}

void penalties_read(struct penalties *p, const char *file)
{
    struct table *t = table_open((char *[]){(char *)file}, 1);
    struct row_reader reader = row_reader_open(t, penalty_columns);
    struct penalty row;
    *p = (struct penalties){.walk_ns = NAN};
    for (int i = 0; i <= MODEL_LEVELS; i++)
        p->level_ns[i] = NAN;
    table_require(t, table_column(t, "level"));
    table_require(t, table_column(t, "penalty_ns"));
    while (table_next(t)) {
        row_read(&reader, &row);
        bool control = strcmp(row.method, "raw") != 0;
        if (isnan(row.ns))
            continue;
        p->known = true;
        if (row.level == 0)
            take(&p->walk_ns, row.ns, control);
        else if (row.level > 0 && row.level <= MODEL_LEVELS)
            take(&p->level_ns[row.level], row.ns, control);
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
