# Planted mistakes in exercise 17 and the points that they cost, and right programs in another style;
# tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

faulty 17 'one sum' 's/part\[[1-3]\] \+=/part[0] +=/; s/part\[i % 4\]/part[0]/'
loses 17 'four sums that are one' 'sum_four: four sums side by side'
faulty 17 'one more' '/^double sum\(/,/^}/s/i < n/i <= n/; /^void triad/,/^}/s/i < n/i <= n/; s/; i < n; i\+\+\)$/; i < n - 1; i++)/'
loses 17 'off by one at all ends' 'sum: of what there is, and no more' 'sum: one after the other' \
    'triad: all numbers, and none beside them' 'sum_four: n that is no multiple of 4'
faulty 17 'bytes' 's/"triad", 3, 24, 32/"triad", 3, 24, 24/; s/"sum", 1, 8, 8/"sum", 1, 64, 64/'
loses 17 'a line counted for a number, no write-allocate' 'sum: its bytes' 'triad: its bytes'
faulty 17 'hard-coded' '/^double sum\(/,/^}/{s/total \+= a\[i\];/total += 1;/}'
loses 17 'a sum without a load' 'sum: of what there is, and no more' 'sum: one after the other' \
    'sum: the load is in the loop' 'compiles without a warning'
faulty 17 'late' ''
echo '# I knew it' >>"$work/predict.txt"
sed -i 's/^second_below_percent.*/second_below_percent = 26/' "$work/answers.txt"
sed -i 's/^\(triad\t65536\t[0-9]*\t[0-9.]*\)\t[0-9.]*/\1\t999/' "$work/rates.dat"
loses 17 'a prediction made afterwards, a rate made better, one machine for all' \
    'prediction made before measuring' 'answer second_below_percent' 'rates.dat: your measurement'
