# Planted mistakes in exercise 02 and the points that they cost; tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

faulty 02 'constant' '/^long dummy/,/^}/s/return sum;/return 10485759;/'
loses 02 'a hard-coded sum' 'dummy(1, 1000003)' 'dummy(some, 777777)' \
    'the program prints a legal table with whole rounds'
faulty 02 'formula' '/^long dummy/,/^}/{/rounds|for|sum/d; s/^\{/{ return refs - refs % pages;/;}'
loses 02 'a formula in place of the loops' 'a loop in a loop counts them'
faulty 02 'endless' '/^long dummy/,/^}/s/return sum;/for (volatile int i = 0;; i++);/'
began=$SECONDS
LABS_SECONDS=3
loses 02 'an endless loop' 'dummy(1, 1000003)' 'dummy(3, 10485760)' 'dummy(some, 777777)' \
    'a loop in a loop counts them' 'the program prints a legal table with whole rounds'
LABS_SECONDS=15
check 'an endless loop is soon given up' test $((SECONDS - began)) -lt 60
faulty 02 'warning' 's/^int main\(void\)/static int unused;\n&/'
sed -i 's/^sum_1000.*/sum_1000_pages = 10485760/' "$work/answers.txt"
echo '# I knew it' >>"$work/predict.txt"
sed -i '$s/\t[0-9]*$/\t7/' "$work/dummy.dat"
loses 02 'a warning, a wrong answer, a late prediction, a sum of no whole rounds' \
    'compiles without a warning' 'answer sum_1000_pages' 'prediction made before measuring' \
    'dummy.dat: your measurement'
