/* lists.c: caches, TLBs and pairs of cores, of other programs. */
#include "report/import/forms.h"
#include "table/table.h"
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

const char matrix_header[] = "core_a\tcore_b\tsample\tns";
const char lists_header[] = "structure\tlevel\tentries\tbytes_min\tbytes_max\tstep_ns\tmethod";

static void put_boundary(struct reading *in, const char *structure, double entries, double bytes,
                         double ns)
{
    put_text(structure, '\t');
    put_number(reading_number(in, in->word[0]), '\t');
    put_number(entries, '\t');
    put_number(bytes, '\t');
    put_number(bytes, '\t');
    put_number(ns, '\t');
    put_text("calibrator", '\n');
    in->rows++;
}

/* "32 KB" as bytes. */
static double sized(const struct reading *in, int k)
{
    static const char *const units[] = {"KB", "MB", "GB"};
    const char *unit = k + 1 < in->words ? in->word[k + 1] : "";
    for (int u = 0; u < 3; u++)
        if (strcasecmp(unit, units[u]) == 0)
            return reading_number(in, in->word[k]) * (double)(1024ULL << 10 * u);
    reading_die(in, "KB, MB or GB", unit);
}

/* The number before the first word "ns". */
static double ns_of_row(const struct reading *in)
{
    for (int k = 1; k < in->words; k++)
        if (reading_is(in, k, "ns"))
            return reading_number(in, in->word[k - 1]);
    return NAN;
}

/* Its two lists: "1 32 KB 64 bytes … 3.90 ns = 10 cy" and "1 64 4 KB 5.51 ns = 14 cy". */
void take_calibrator(struct reading *in, char *line)
{
    enum { CACHES = 1, TLBS };
    reading_split(in, line, " \t");
    if (reading_is(in, 0, "caches:") || reading_is(in, 0, "TLBs:"))
        in->section = reading_is(in, 0, "caches:") ? CACHES : TLBS;
    else if (in->words == 0)
        in->section = 0;
    else if (in->section == CACHES && in->words > 5 && reading_is(in, 4, "bytes"))
        put_boundary(in, "cache", sized(in, 1) / reading_number(in, in->word[3]), sized(in, 1),
                     ns_of_row(in));
    else if (in->section == TLBS && in->words > 5 && isdigit((unsigned char)*in->word[1]))
        put_boundary(in, "dtlb", reading_number(in, in->word[1]),
                     reading_number(in, in->word[1]) * sized(in, 2), ns_of_row(in));
}

/* A matrix of ns, or its lower half: the row is one core, the column the other. Other lines have
 * other characters, such as the name of the processor. */
void take_core_to_core(struct reading *in, char *line)
{
    if (strchr(line, ',') == NULL || line[strspn(line, "0123456789.,eE+- NaN")] != '\0')
        return;
    reading_split(in, line, ",");
    for (int k = 0; k < in->words && k < in->row; k++) {
        in->word[k] += strspn(in->word[k], " ");
        if (*in->word[k] == '\0' || strncmp(in->word[k], "NaN", 3) == 0)
            continue;
        put_count((uint64_t)k, '\t');
        put_count((uint64_t)in->row, '\t');
        put_count(0, '\t');
        put_number(reading_number(in, in->word[k]), '\n');
        in->rows++;
    }
    in->row++;
}
