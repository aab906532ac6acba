# Planted mistakes in exercise 12 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash disable=SC2154 # $work is the folder with the mistake; $TMP has the output

scale=('a machine ten times as slow: the same levels' 'a machine ten times as fast: the same levels')
own=('sweep.dat, found.dat, ours.dat: your measurement' 'your program and detect agree on the first level')
all=('a quiet machine: both levels' "${scale[@]}" "${own[@]}" 'one slow size is no level'
    'a cache that ends where the TLB does' 'no TLB: nothing is found')
faulty 12 'one too many' 's/return i - 1;/return i;/'
loses 12 'the first size after the plateau' "${all[@]}" \
    'a noisy machine: its first level, to the page' 'one level: no second one'
faulty 12 'page alone' 's/return s->page - s->packed;/return s->page;/'
loses 12 'no control' 'a quiet machine: both levels' "${scale[@]}" "${own[@]}" \
    'one slow size is no level' 'no TLB: nothing is found' 'a noisy machine: two levels and no more' \
    'a noisy machine: its second level, within 5 per cent' 'one level: no second one'
# Which other items these cost depends on the machines that the check draws.
for threshold in 0.3 2.2; do
    faulty 12 "$threshold ns" "s/> 0.06 \* s->page/> $threshold/"
    costs 12 "a threshold of $threshold ns" 'ten times as' 'found.dat'
done
faulty 12 'one in a row' 's/IN_A_ROW = 3/IN_A_ROW = 1/; s/0\.06/0.1/'
costs 12 'one slow size that ends a plateau' 'one slow size is no level'
faulty 12 'mean' '/^double typical/,/^}/s/return n % 2 \? ns.*/for (int i = 1; i < n; i++) ns[0] += ns[i]; return ns[0] \/ n;/'
costs 12 'the mean' 'typical: one bad sample'
faulty 12 'known by heart' '/^static void print_levels/,/^}/s/(dtlb.*) sizes\[end\]\.pages, sizes\[end\].pages,$/\1 from == 0 ? 188L : 3036L, 0L,/'
sed -i 's/^threshold_ns.*/threshold_ns = 5/; s/^spoilt.*/spoilt = 150/' "$work/answers.txt"
cp "$labs/12-detect/data/noisy.tsv" "$work/sweep.dat"
loses 12 'the truth of data/ for every machine' "${all[@]}" \
    'a noisy machine: its first level, to the page' \
    'a noisy machine: its second level, within 5 per cent' 'one level: no second one' \
    'answer threshold_ns' 'answer spoilt' 'prediction made before measuring'

rewritten 12 'least' typical <<'C'
double typical(double ns[], int n)
{
    double least = ns[--n];

    while (n-- > 0)
        if (ns[n] < least)
            least = ns[n];
    return least;
}
C
keeps 12 'the least of the samples'
rewritten 12 'sorted' typical risen <<'C'
static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double typical(double ns[], int n)
{
    qsort(ns, (size_t)n, sizeof *ns, ascending);
    return ns[n / 2];
}

double cost(const struct size *s);

int risen(const struct size *s, double plateau)
{
    return (cost(s) - plateau) / s->page > 0.07;
}
C
keeps 12 'qsort(), a share of the load'
rewritten 12 'four in a row' plateau_end <<'C'
/* How many sizes in a row from i on have risen. */
static int run(const struct size sizes[], int count, int i, double plateau)
{
    int length = 0;

    while (i + length < count && length < 4 && risen(&sizes[i + length], plateau))
        length++;
    return length;
}

int plateau_end(const struct size sizes[], int count, int from)
{
    double sum = cost(&sizes[from]);

    for (int i = from + 1; i + 4 <= count; i++) {
        if (run(sizes, count, i, sum / (i - from)) == 4)
            return i - 1;
        sum += cost(&sizes[i]);
    }
    return count - 1;
}
C
keeps 12 'four in a row, counted in a function of its own'
