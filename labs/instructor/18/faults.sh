# Planted mistakes in exercise 18 and the points that they cost; tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash
# shellcheck disable=SC2154 # the test sets work

faulty 18 'rounded down' 's/if \(\(double\)i < wanted\)/if ((double)i + 1 <= wanted)/'
loses 18 'whole pages only' 'hottest_share: part of a page counts as a page' \
    'share.dat: what your program makes of pages.dat'
faulty 18 'coldest' 's/return \(x < y\) - \(x > y\);/return (x > y) - (x < y);/'
loses 18 'the coldest pages' 'hottest_share: a quarter of four pages' \
    'hottest_share: part of a page counts as a page' 'share.dat: what your program makes of pages.dat'
faulty 18 'fifo' 's/^        for \(; at > 0; at--\)/        if (at < used \&\& held[at] == pages[i])\n            continue;\n&/'
loses 18 'the oldest goes, not the least used' 'lru_misses: what is used again stays'
faulty 18 'late' ''
echo '# I knew it' >>"$work/predict.txt"
sed -i 's/^misses_left.*/misses_left = 1/' "$work/answers.txt"
sed -i '/new_column/d' "$work/objects.dat"
loses 18 'a late prediction, a wrong answer, a row left out' 'prediction made before measuring' \
    'answer misses_left' 'objects.dat: your objects'
