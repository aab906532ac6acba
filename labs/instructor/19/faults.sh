# Planted mistakes in exercise 19 and the points that they cost; tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

faulty 19 'first line' '/^int find_shift/,/^}/s/while \(same < n \&\&/while (same < 1 \&\&/; /^int find_shift/,/^}/s/if \(same == n\)/if (same > 0)/'
loses 19 'a shift by the first line alone' 'find_shift: no shift fits'
faulty 19 'equal runs' '/^int repeat_length/,/^}/s/>= 0/== 0/'
loses 19 'runs that must be equal' 'repeat_length: runs of eight'
faulty 19 'one mask' '/^void add_bit/,/^}/s/\|= 1UL/= 1UL/'
loses 19 'a mask that forgets' 'add_bit: the masks of those index bits'
faulty 19 'sum' '/^int slice_of/,/^}/s/index \^= odd/index += odd/; s/return base\[index\]/return base[index % (unsigned long)lines]/'
loses 19 'a sum in place of XOR' 'slice_of: base and masks'
faulty 19 'late' ''
echo '# I knew it' >>"$work/predict.txt"
sed -i 's/^base\t3\t.*/base\t3\t9/' "$work/found.dat"
sed -i 's/^map_lines.*/map_lines = 4096/' "$work/answers.txt"
loses 19 'a prediction made afterwards, a hash made better, a map that never repeats' \
    'prediction made before measuring' 'found.dat: your program solves your hash' 'answer map_lines'
