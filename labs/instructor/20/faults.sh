# Planted mistakes in exercise 20 and the points that they cost, and right programs in another style;
# tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

faulty 20 'cold' 's/^ *sink = work\(data\); \/\* warms.*//; s/tries < 5/tries < 1/; s/took < 2e6/took < 0/'
loses 20 'one call, timed once' 'ns_per_item: long enough for the clock' \
    'ns_per_item: the first call does not count' \
    'ns_per_item: an interrupted try does not count' 'ns_per_item: long work is not repeated for minutes'
faulty 20 'mean' 's/if \(tries\+\+ == 0 .*/tries++;/; s/best = took \/ \(double\)calls;/best += took \/ (double)calls \/ 5;/'
loses 20 'the mean of all tries' 'ns_per_item: an interrupted try does not count'
faulty 20 'one more' '/^long sum_array/,/^}/s/i < items->count/i <= items->count/; /^long look_up/,/^}/s/i < table->count/i <= table->count/'
loses 20 'one item too many' 'sum_array: all items, and no more' 'look_up_all: every key' \
    'look_up_chained: each value is the next key' 'look_up_chained: another round'
faulty 20 'array for list' '/^long sum_list/,/^}/{s/for \(.*/for (long i = 0; i < items->count; i++)/; s/item->value/items->at[i].value/}'
loses 20 'an array called a list' 'sum_list: along the list'
faulty 20 'one line' 's/_Alignas\(64\) _Atomic long count;/_Atomic long count;/'
loses 20 'two tallies on one line' 'tally: a line for each thread'
faulty 20 'late' ''
echo '# I knew it' >>"$work/predict.txt"
sed -i 's/^used_percent.*/used_percent = 100/' "$work/answers.txt"
sed -i '/^list\t/d' "$work/list.dat"
loses 20 'a prediction made afterwards, a way that was left out' 'prediction made before measuring' \
    'answer used_percent' 'list.dat: your measurement'
