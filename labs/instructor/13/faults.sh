# Planted mistakes in exercise 13 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash
# shellcheck disable=SC2154 # the test sets work

penalty='penalty.dat: what your program makes of walk.dat'
own=("$penalty" 'penalty.dat: a walk through more tables is slower')
entries='entries.dat: what your program counts'
pairs='differences: page minus packed of the same pages and pass'
range='differences: at one distance, from first to last'

faulty 13 'no pairs' '/samples\[k\]\.number == page->number\)/s/.*/                1)/'
loses 13 'samples of other passes' "$pairs" "$range" "${own[@]}"
faulty 13 'one less' 's/page->pages > last\)/page->pages >= last)/'
loses 13 'the last size left out' "$pairs" "$range" "${own[@]}"
faulty 13 'unsorted' 's/^    qsort/    if (n < 0)\n        qsort/'
loses 13 'a quantile of what is not sorted' 'quantile: a median between two values' \
    'quantile: a quarter, and the last' "${own[@]}"
faulty 13 'from zero' 's/\(start \+ /(0 * start + /g'
loses 13 'pages always at address 0' 'distinct: the first page in the middle of an entry' "$entries"
faulty 13 'late' ''
echo '# I knew it' >>"$work/predict.txt"
sed -i '/packed/d' "$work/walk.dat"
sed -i '$s/[0-9.]*$/1.000/' "$work/penalty.dat"
loses 13 'a late prediction, a table without control, a penalty by hand' 'walk.dat: your measurement' \
    'prediction made before measuring' "$penalty"
faulty 13 'lower' 's/place = q \* \(double\)\(n - 1\);/place = (double)(long)(q * (double)(n - 1));/'
loses 13 'no interpolation' 'quantile: a median between two values' 'quantile: a quarter, and the last' "${own[@]}"
faulty 13 'bytes' 's/count \+= i == 0 \|\| .*/count += i == 0 || spacing * i % covers < spacing + 0 * start;/'
loses 13 'entries counted by their bytes' 'distinct: the first page in the middle of an entry' "$entries"

rewritten 13 'span' distinct quantile <<'C'
long distinct(long start, long pages, long spacing, long covers)
{
    if (spacing >= covers)
        return pages;
    return (start + (pages - 1) * spacing) / covers - start / covers + 1;
}

double quantile(double *values, long n, double q)
{
    double place = (double)(n - 1) * q, part = 0;
    long k = 0;

    qsort(values, (size_t)n, sizeof(double), ascending);
    while (k + 1 < n && (double)(k + 1) <= place)
        k++;
    part = place - (double)k;
    return k + 1 < n ? values[k] * (1 - part) + values[k + 1] * part : values[k];
}
C
keeps 13 'the first entry and the last'
rewritten 13 'packed first' differences <<'C'
static int pair(const struct sample *page, const struct sample *packed)
{
    return packed->packed && page->pages == packed->pages && page->number == packed->number;
}

long differences(const struct sample *samples, long n, long spacing, long first, long last,
                 double *out)
{
    long count = 0;

    for (const struct sample *packed = samples; packed < samples + n; packed++)
        for (const struct sample *page = samples; page < samples + n; page++)
            if (!page->packed && page->spacing == spacing && page->pages >= first &&
                page->pages <= last && pair(page, packed))
                out[count++] = page->ns - packed->ns;
    return count;
}
C
exits 0 'packed first: measured' "$labs/run" 13 "$work"
keeps 13 'packed first, then page'
rewritten 13 'while' distinct <<'C'
long distinct(long start, long pages, long spacing, long covers)
{
    long count = 0, before = -1;

    while (pages-- > 0) {
        if (start / covers != before)
            count++;
        before = start / covers;
        start += spacing;
    }
    return count;
}
C
keeps 13 'one address after the other'
