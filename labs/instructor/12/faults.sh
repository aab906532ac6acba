# Planted mistakes in exercise 12 and the points that they cost; tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash disable=SC2154 # $work is the folder with the mistake; $TMP has the output

all=('a quiet machine: both levels' 'a machine three times as slow' 'one dear size is no level'
    'a cache that ends where the TLB does' 'no TLB: nothing is found')
faulty 12 'one too many' 's/return i - 1;/return i;/'
loses 12 'the first size behind the plateau' "${all[@]}" \
    'a noisy machine: its first level, to the page' 'one level: no second one'
faulty 12 'page alone' 's/return s->page - s->packed;/return s->page;/'
loses 12 'no control' 'a quiet machine: both levels' 'a machine three times as slow' \
    'one dear size is no level' 'no TLB: nothing is found' 'a noisy machine: two levels and no more' \
    'a noisy machine: its second level, within 5 per cent' 'one level: no second one'
faulty 12 'nanoseconds' 's/> 0.06 \* s->page/> 2.2/'
loses 12 'a threshold in nanoseconds' 'a quiet machine: both levels' 'one dear size is no level' \
    'a cache that ends where the TLB does' 'no TLB: nothing is found' \
    'a noisy machine: its first level, to the page' 'a noisy machine: two levels and no more' \
    'a noisy machine: its second level, within 5 per cent'
faulty 12 'one in a row' 's/IN_A_ROW = 3/IN_A_ROW = 1/; s/0\.06/0.1/'
# Which other items this and the mean cost depends on where the bad samples of new machines lie.
exits 1 'one dear size that ends a plateau costs points' "$labs/grade" 12 "$work"
matches 'one dear size that ends a plateau costs its own' '^not ok .*one dear size is no level' "$TMP/out"
faulty 12 'mean' '/^double typical/,/^}/s/return n % 2 \? ns.*/for (int i = 1; i < n; i++) ns[0] += ns[i]; return ns[0] \/ n;/'
exits 1 'the mean costs points' "$labs/grade" 12 "$work"
matches 'that of typical too' '^not ok .*typical: one bad sample' "$TMP/out"
faulty 12 'known by heart' '/^static void print_levels/,/^}/s/(dtlb.*) sizes\[end\]\.pages, sizes\[end\].pages,$/\1 from == 0 ? 188L : 3036L, 0L,/'
sed -i 's/^threshold_ns.*/threshold_ns = 5/; s/^spoilt.*/spoilt = 150/' "$work/answers.txt"
cp "$labs/12-detect/data/noisy.tsv" "$work/sweep.dat"
loses 12 'the truth of data/ for every machine' "${all[@]}" \
    'a noisy machine: its first level, to the page' \
    'a noisy machine: its second level, within 5 per cent' 'one level: no second one' \
    'answer threshold_ns' 'answer spoilt' 'prediction made before measuring'
