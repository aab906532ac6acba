# Planted mistakes in exercise 03 and the points that they cost; tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

faulty 03 'bytes' 's/memory\[\(long\)p \* PAGESIZE\];/memory[(long)p * 8];/'
loses 03 'steps of 8 bytes' 'read_pages: the first byte of each page, and no other' \
    'read_pages: whole rounds, none too many' 'read_pages: beyond 4 GiB' \
    'the program prints a legal table with whole rounds'
faulty 03 'one more' '/^long read_pages/,/^}/s/p < pages/p <= pages/'
loses 03 'one page too many' 'read_pages: the first byte of each page, and no other' \
    'read_pages: whole rounds, none too many' 'read_pages: beyond 4 GiB' \
    'the program prints a legal table with whole rounds'
faulty 03 'int' '/^long read_pages/,/^}/s/\(long\)p/p/; s/malloc\((.*)\);/calloc(\1, 1);/; s/= 1;$/+= 0;/'
sed -i -E '/^char \*prepare/,/^}/{/memory\[/d; /for /d}' "$work/solution.c"
loses 03 'no cast, nothing touched' 'read_pages: beyond 4 GiB' 'prepare: every page was touched' \
    'the program prints a legal table with whole rounds'
faulty 03 'nothing' '/^long read_pages/,/^}/s/return sum;/return 0 * sum;/'
loses 03 'a sum of zero' 'read_pages: the first byte of each page, and no other' \
    'read_pages: whole rounds, none too many' 'read_pages: beyond 4 GiB' 'the load is in the loop' \
    'the program prints a legal table with whole rounds'
