# Planted mistakes in exercise 13 and the points that they cost, and right programs in another style;
# tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash
# shellcheck disable=SC2154 # the test sets work

penalty='penalty.dat: what your program makes of walk.dat'
pairs='differences: page minus packed of the same pages and pass'
range='differences: at one distance, from first to last'

faulty 13 'no pairs' '/samples\[k\]\.number == page->number\)/s/.*/                1)/'
loses 13 'samples of other passes' "$pairs" "$range" "$penalty"
faulty 13 'one less' 's/page->pages > last\)/page->pages >= last)/'
loses 13 'the last size left out' "$pairs" "$range" "$penalty"
faulty 13 'unsorted' 's/^    qsort/    if (n < 0)\n        qsort/'
loses 13 'a quantile of what is not sorted' 'quantile: a median between two values' \
    'quantile: a quarter, and the last' "$penalty"
faulty 13 'from zero' 's/\(start \+ /(0 * start + /g'
loses 13 'pages always at address 0' 'distinct: the first page in the middle of an entry'
faulty 13 'late' ''
echo '# I knew it' >>"$work/predict.txt"
sed -i '/packed/d' "$work/walk.dat"
sed -i '$s/[0-9.]*$/1.000/' "$work/penalty.dat"
loses 13 'a late prediction, a table without control, a penalty by hand' 'walk.dat: your measurement' \
    'prediction made before measuring' "$penalty"
