# Planted mistakes in exercise 14 and the points that they cost, and right programs in another style;
# tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash
# shellcheck disable=SC2154 # the test sets work

faulty 14 'never touched' 's/^        memory\[i\] = 1;/        (void)i;/'
loses 14 'memory that nobody touched' 'allocate: touches every page'
faulty 14 'read' 's/^        memory\[i\] = 1;/        (void)*(volatile char *)(memory + i);/'
loses 14 'memory that was only read' 'allocate: touches every page'
faulty 14 'too late' '/^char \*allocate/,/^}/{/madvise/d; s/^    return memory;/    madvise(memory, (size_t)bytes, advice);\n&/;}'
loses 14 'advised when it was touched' 'allocate: asks for huge pages, and touches them after that'
faulty 14 'unaligned' 's/^    memory = next_huge\(memory\);/    memory = next_huge(memory) + 4096;/'
loses 14 'a page beside' 'allocate: begins where a huge page can'
faulty 14 'sum' 's/here = from .*;/here = to > 0 * address;/'
loses 14 'any mapping' 'huge_kib: of that mapping, and of no other' \
    'huge_kib: -1 for an address that is in none'
faulty 14 'beyond' 's/address < to;/address <= to;/; s/kib = n;/kib = kib < 0 ? n : kib;/'
loses 14 'one address too many' 'huge_kib: its end belongs to the next one'
faulty 14 'late' ''
echo '# I knew it' >>"$work/predict.txt"
sed -i 's/^splintered.*/splintered = a/' "$work/answers.txt"
sed -i '/^late/d' "$work/pages.dat"
loses 14 'a late prediction, a wrong answer, a row left out' 'prediction made before measuring' \
    'answer splintered' 'pages.dat: your measurement' 'pages.dat: huge pages came'
