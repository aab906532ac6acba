# Planted mistakes in exercise 23 and the points that they cost; tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash
# shellcheck disable=SC2154 # the test sets work

faulty 23 'same line' 's/return \(victim_at \+ PAGE \/ 2\) % PAGE;/return victim_at ^ 64;/'
loses 23 'the neighbour of the line' 'spy_at: another line than the victim, and not its neighbour'
faulty 23 'half of the pages' '/^void evict/,/^}/s/p < pages/p < pages \/ 2/'
loses 23 'half of the pages' 'evict: a byte of each page, and no others'
faulty 23 'median' '/^double typical/,/^}/s/return kept > 0 .*/return ns[n \/ 2];/'
loses 23 'the median' 'typical: the mean of the lower three quarters'
faulty 23 'mean' '/^double typical/,/^}/s/n \* 3 \/ 4/n/'
loses 23 'the mean of all' 'typical: the mean of the lower three quarters'
faulty 23 'careless' '/^char defended/,/^}/s/return .*/return memory->page[bit][VICTIM_AT + 0 * both[0]];/; /^char defended/,/^}/s/char both.*/char both[1] = {0};/'
loses 23 'no defence' 'defended: the byte of page 0, and both pages touched' \
    'defended: the byte of page 1, and both pages touched'
