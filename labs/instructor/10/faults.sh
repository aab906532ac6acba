# Planted mistakes in exercise 10 and the points that they cost; tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash disable=SC2154 # $work is the folder with the mistake

faulty 10 'multiplied' 's/^ *ONE_MORE ONE_MORE.*/        sum += 8 * step;/; s/^ *__asm__ volatile\(.*step.*//'
loses 10 'one multiplication' 'add: a loop of additions in a register, with -O2 too'
faulty 10 'in memory' 's/uint64_t sum = 0;/volatile uint64_t sum = 0;/; s/"\+r"\(sum\)/"+m"(sum)/'
loses 10 'a sum in memory' 'add: a loop of additions in a register, with -O2 too'
faulty 10 'joined' 's/^ *ONE_MORE ONE_MORE.*/        sum += 7 * step; ONE_MORE/'
loses 10 'joined additions' 'add: a loop of additions in a register, with -O2 too'
faulty 10 'one too many' 's/a < adds; a/a <= adds; a/'
loses 10 'eight too many' 'add: as many additions as were asked for'
faulty 10 'two alike' 's/#define LATELY 20/#define LATELY 2/'
loses 10 'a rule that waits for two' 'is_warm: a clock that goes up slowly' \
    'is_warm: a clock that goes up in steps'
faulty 10 'fixed' '/^int is_warm/,/^}/s/return .*/return n > 20 \&\& lately + best > 0;/'
loses 10 'a fixed time' 'is_warm: a clock that goes up slowly' 'is_warm: a clock that goes up in steps'
faulty 10 'at once' 's/at_s\[k\] = before - start;/at_s[k] = (before - start) \/ 2;/'
sed -i 's/^mean_percent.*/mean_percent = 0.6/' "$work/answers.txt"
echo '# I knew it' >>"$work/predict.txt"
loses 10 'pieces at the same time, a wrong answer, a late prediction' \
    'observe: one piece after the other' 'answer mean_percent' 'prediction made before measuring'
