# Planted mistakes in exercise 15 and the points that they cost, and right programs in another style;
# tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash
# shellcheck disable=SC2154 # the test sets work

faulty 15 'fifo' '/if \(tlb->page\[i\] == page\)/,/return 1;/s/tlb->used\[i\] = tlb->now;/;/'
loses 15 'first in, first out' 'lookup: what was used longest ago leaves'
faulty 15 'no fold' 's/page \^= page >> tlb->fold;/page += 0;/'
loses 15 'a fold that is none' 'set_of: bits folded' 'folded.dat: what your program counts'
faulty 15 'mask' 's/return page % tlb->sets;/return page \& (tlb->sets - 1);/'
loses 15 'a mask for the modulo' 'set_of: a number of sets that is no power of two'
faulty 15 'first round' '/^long misses/,/^}/s/^        lookup\(/        count += !lookup(/'
loses 15 'the first round counted' 'misses: of a set with one page too many, all of them' \
    'misses: the first round does not count' 'knees: halves until one set is left' \
    'linear.dat: what your program counts' 'folded.dat: what your program counts'
faulty 15 'late' ''
echo '# I knew it' >>"$work/predict.txt"
sed -i 's/^known_fold.*/known_fold = 6/' "$work/answers.txt"
sed -i 's/^1024\t16$/1024\t32/' "$work/linear.dat"
sed -i 's/^# program: geometry/# program: me/' "$work/organisation.dat"
loses 15 'a late prediction, a wrong answer, tables by hand' 'prediction made before measuring' \
    'answer known_fold' 'linear.dat: what your program counts' 'organisation.dat: your measurement'
