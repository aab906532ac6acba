# Planted mistakes in exercise 07 and the points that they cost; tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash disable=SC2154 # $work is the folder with the mistake

faulty 07 'no volatile' 's/\(const volatile long \*\)&next/(const long *)\&next/'
loses 07 'no volatile' 'volatile: the read is in the loop, with -O2 too' \
    'volatile: it is volatile that keeps it'
faulty 07 'volatile variable' '/^void walk_volatile/,/^}/{s/long at = 0;/volatile long at = 0;/; s/\*\(const volatile long \*\)&next/next/}'
loses 07 'the variable is volatile' 'volatile: it is volatile that keeps it'
faulty 07 'volatile everywhere' 's/at = next\[at\]/at = *(const volatile long *)\&next[at]/'
loses 07 'volatile everywhere' 'plain: with -O2 no read is left' 'half: with -O2 the loop is left, and no read'
faulty 07 'an empty barrier' 's/"" : "\+r"\(at\)/"" : : : "memory"/'
sed -i '/"memory");/a\    (void)at;' "$work/solution.c"
sed -i -E 's/(    at = next\[at\];)$/\1/' "$work/solution.c"
loses 07 'an empty barrier' 'barrier: the read is in the loop, with -O2 too'
faulty 07 'off by one' '/^void walk_sink/,/^}/s/r < reads/r <= reads/'
loses 07 'one read too many' 'sink: as many reads as were asked for'
faulty 07 'all is possible' 's/return ns >= cycle;/return ns >= 0 * cycle;/'
loses 07 'all is possible' 'possible: none at 0 ns' 'possible: below a cycle'
faulty 07 'prediction' ''
sed -i 's/^plain_cycles = .*/plain_cycles = 0.0001/' "$work/predict.txt"
loses 07 'prediction changed afterwards' 'prediction made before measuring'
