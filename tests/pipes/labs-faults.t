#!/usr/bin/env bash
# labs-faults.t: a fault in a solution of the lab course costs the points that it should, and no
# others.
# shellcheck disable=SC2016 # $ in single quotes is for sed
. "${0%/*}/tap.sh"

if [ "$VARIANT" != plain ] || [ "$PLATFORM" != linux ]; then
    skip 'faults in labs' 'the plain build on Linux stands for all'
    finish_tests
fi
if [ -z "${LONG-}" ]; then
    skip 'faults in labs' 'it takes half a minute: scripts/test --all'
    finish_tests
fi
labs=$ROOT/labs
export LABS_SECONDS=15 # a machine that tests may be slow
full=$TMP/full
mkdir "$full"
for lab in "$labs"/[0-9]*; do
    name=${lab##*/}
    cp -R "$labs/instructor/${name%%-*}" "$full/$name"
    exits 0 "$name: measured" "$labs/run" "${name%%-*}" "$full"
done


# faulty NN NAME SED: a copy of the full work in $work, with its solution.c changed by SED.
faulty() {
    work=$TMP/$2
    cp -R "$full/$1"-* "$work"
    sed -E "$3" "$full/$1"-*/solution.c >"$work/solution.c"
    [ -z "$3" ] || ! cmp -s "$work/solution.c" "$full/$1"-*/solution.c || fail "$2: the fault is in it"
}

# loses NN NAME ITEM...: the work in $work loses these items and no others.
loses() {
    local number=$1 name=$2
    shift 2
    "$labs/grade" "$number" "$work" >"$TMP/out" 2>&1
    same "$name: status" 1 $?
    same "$name: loses what it should" "$(printf '%s\n' "$@" | sort)" \
        "$(sed -n 's/^not ok [0-9]* - [^:]*: \(.*\) ([0-9]* of [0-9]*)$/\1/p' "$TMP/out" | sort)"
}

faulty 01 'wall clock' 's/return \(double\)clock\(\) .*/struct timespec now; clock_gettime(CLOCK_MONOTONIC, \&now); return (double)now.tv_sec + (double)now.tv_nsec \/ 1e9;/'
loses 01 'the wall clock for that of the process' 'process_seconds() stands still in sleep'
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
faulty 03 'bytes' 's/memory\[\(long\)p \* PAGESIZE\];/memory[(long)p * 8];/'
loses 03 'steps of 8 bytes' 'read_pages: the first byte of each page, and no other' \
    'read_pages: whole rounds, none too many' 'the program prints a legal table with whole rounds'
faulty 03 'one more' '/^long read_pages/,/^}/s/p < pages/p <= pages/'
loses 03 'one page too many' 'read_pages: the first byte of each page, and no other' \
    'read_pages: whole rounds, none too many' 'read_pages: beyond 4 GiB' \
    'the program prints a legal table with whole rounds'
faulty 03 'int' '/^long read_pages/,/^}/s/\(long\)p/p/; s/malloc\((.*)\);/calloc(\1, 1);/; s/= 1;$/+= 0;/'
sed -i -E '/^char \*prepare/,/^}/{/memory\[/d; /for /d}' "$work/solution.c"
loses 03 'no cast, nothing touched' 'read_pages: beyond 4 GiB' 'prepare: every page was touched' \
    'the program prints a legal table with whole rounds'
faulty 04 'bytes only' 's/return 2 \* pages;/return pages + 4;/; s/return count;/return (long)pages * PAGESIZE \/ real;/'
loses 04 'pages counted by bytes, steps of 4' 'doubles from 4' \
    'real_pages: the same, not at the start of a page' 'real_pages: 30 pages of 8192 bytes' \
    'real_pages: 30 pages of 1024 bytes'
faulty 04 flat ''
awk -F '\t' -v OFS='\t' '/^[0-9]/ { $2 = sprintf("%.6f", 0.01 + $1 / 1e7) } 1' "$work/tlb4K.dat" >"$TMP/flat.dat"
cp "$TMP/flat.dat" "$work/tlb4K.dat"
exits 0 'a flat curve costs nothing' "$labs/grade" 04 "$work"
matches 'it cannot be told, and why' '# CANNOT TELL: .*huge pages' "$TMP/out"
if command -v gnuplot >/dev/null; then
    faulty 05 'graph' 's/.*# max pages: .*/    (void)pages;/'
    sed -i '/logscale/d; /xlabel/d; /dummy.dat/d; s/, \\$/,\\/; s/bytes",\\$/bytes"/' "$work/tlb.p"
    sed -i 's/64 bytes"$/64 bytes"/; s/4K bytes"$/4K bytes", \\/' "$work/tlb.p"
    loses 05 'a graph of two series without a label' 'the header tells the most pages' \
        'tlb.p draws three series' 'tlb.p doubles on the x axis' \
        'tlb.p has a title and both axes have a label'
fi
faulty 06 'two cycles' 's/below\(&state, i\)/below(\&state, i + 1)/; s/char fill\[.*/char fill[1];/'
sed -i '/char fill/d' "$work/solution.c"
loses 06 'a shuffle of several cycles, nodes of 8 bytes' 'random: one cycle through all nodes' \
    'a node is as large as a cache line'
faulty 06 'no volatile' 's/\*\(struct node \*volatile \*\)&node->next/node->next/; s/l < loads/l < loads \/ 2/'
sed -i '/    clock_t end = clock/i\    (void)node;' "$work/solution.c"
loses 06 'no volatile, half the loads' 'the load is in the loop, with -O2 too' \
    'as many loads as were asked for'
faulty 06 'clock seed' 's/uint64_t state = seed;/uint64_t state = seed + (uint64_t)clock() * 1000 + (uint64_t)\&seed;/'
loses 06 'chance from elsewhere' 'random: the seed reproduces it'
finish_tests
