/* textbook.c: two flawed methods for cache sizes.
 *
 *     textbook_jump(&series, curve_line(&series), &found);
 */
#include "tlb/detect/textbook.h"
#include "tlb/curve/curve.h"

/* Ratios that count as flat and as slower, and the window of an octave. They are part of the flaw.
 * [prior] */
static const double flat = 1.05, slower = 1.10, window = 2;

static void add_row(struct boundaries *found, const struct curve *c, size_t below,
                    const char *method, double spacing)
{
    struct boundary *b = boundary_add(found, STRUCTURE_CACHE, (int)found->count + 1, method);
    b->entries = c->at[below].pages;
    boundary_set_range(b, b->entries, c->at[below + 1].pages, spacing);
    boundary_set_step(b, c->at[below].ns, c->at[below + 1].ns - c->at[below].ns);
}

void textbook_jump(const struct series *series, const struct point *line, struct boundaries *found)
{
    struct curve c = curve_minima(series, line);
    size_t best = 0;
    for (size_t i = 1; i + 1 < c.count; i++)
        if (c.at[i + 1].ns * c.at[best].ns > c.at[best + 1].ns * c.at[i].ns)
            best = i;
    if (c.count >= 2 && c.at[best + 1].ns > c.at[best].ns)
        add_row(found, &c, best, "jump", (double)line->spacing);
    curve_free(&c);
}

/* Mean of the points in the octave after i, or of the next point if there are none. */
static double ahead(const struct curve *c, size_t i)
{
    double sum = 0;
    size_t k = i + 1;
    for (; k < c->count && (k == i + 1 || c->at[k].pages <= window * c->at[i].pages); k++)
        sum += c->at[k].ns;
    return sum / (double)(k - i - 1);
}

/* The last point of the plateau that starts at `start`, or the end of the curve. */
static size_t plateau_end(const struct curve *c, size_t start)
{
    double sum = 0;
    for (size_t i = start; i + 1 < c->count; i++) {
        sum += c->at[i].ns;
        if (ahead(c, i) > slower * sum / (double)(i - start + 1))
            return i;
    }
    return c->count - 1;
}

void textbook_plateau(const struct series *series, const struct point *line,
                      struct boundaries *found)
{
    struct curve c = curve_minima(series, line);
    size_t start = 0;
    while (start + 1 < c.count) {
        size_t end = plateau_end(&c, start);
        if (end + 1 < c.count)
            add_row(found, &c, end, "plateau", (double)line->spacing);
        start = end + 1;
        while (start + 1 < c.count && c.at[start + 1].ns > flat * c.at[start].ns)
            start++;
    }
    curve_free(&c);
}
