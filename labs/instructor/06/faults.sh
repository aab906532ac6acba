# Planted mistakes in exercise 06 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

cycle='random: one cycle through all nodes, in random order'
seed='random: the seed reproduces it' other='random: another seed, another chain'
loads='as many loads as were asked for' ns='ns_per_load: nanoseconds of one load'
kept='the load is in the loop, with -O2 too'
tables=('linear.dat: your measurement' 'random.dat: your measurement' 'random is slower than linear')

faulty 06 'two cycles' 's/below\(&state, i\)/below(\&state, i + 1)/'
loses 06 'a shuffle of several cycles' "$cycle" "${tables[@]}"
faulty 06 'small nodes' '/char fill/d'
loses 06 'nodes of 8 bytes' 'a node is as large as a cache line' "${tables[@]}"
faulty 06 'no volatile' 's/\*\(struct node \*volatile \*\)&node->next/node->next/'
sed -i '/    clock_t end = clock/i\    (void)node;' "$work/solution.c"
loses 06 'no volatile' "$kept" "$loads" "$ns" "${tables[@]}"
faulty 06 'half' 's/l < loads/l < loads \/ 2/'
loses 06 'half the loads' "$loads"
faulty 06 'one more' 's/l < loads/l <= loads/'
loses 06 'one load too many' "$loads"
faulty 06 'some less' 's/l < loads/l < loads - 50/'
loses 06 'fifty loads too few' "$loads"
faulty 06 'one less' 's/long l = 0; l < loads/long l = 1; l < loads/'
loses 06 'one load too few' "$loads"
faulty 06 'not divided' 's/ \* 1e9 \/ \(double\)loads/ * 1e9/'
loses 06 'the time of all loads' "$ns" "${tables[@]}"
faulty 06 'seconds' 's/ \* 1e9 \/ \(double\)loads/ \/ (double)loads/'
loses 06 'seconds for nanoseconds' "$ns" "${tables[@]}"
rewritten 06 'late' ns_per_load <<'C'
double ns_per_load(struct node *start, long loads)
{
    struct node *node = start;

    for (long l = 0; l < loads; l++)
        node = *(struct node *volatile *)&node->next;
    clock_t begin = clock();
    clock_t end = clock();
    return (double)(end - begin) / CLOCKS_PER_SEC * 1e9 / (double)loads;
}
C
loses 06 'a clock that is started after the loop' "$kept" "$loads" "$ns" "${tables[@]}"
faulty 06 'in order' 's/^    uint64_t state = seed;/    (void)seed, link_linear(nodes, n);\n    return;\n&/'
loses 06 'linear order for random' "$cycle" "$seed" "$other" "${tables[@]}"
rewritten 06 'a stride' link_random <<'C'
void link_random(struct node *nodes, long n, uint64_t seed)
{
    long stride = (n / 3 + (long)(seed % 7)) | 1, a = stride, b = n;

    while (b != 0) {
        long rest = a % b;
        a = b;
        b = rest;
    }
    stride = a == 1 ? stride : 1;
    for (long i = 0; i < n; i++)
        nodes[i].next = &nodes[(i + stride) % n];
    (void)below;
}
C
loses 06 'a constant stride for random order' "$cycle" "$seed" "$other" "${tables[@]}"
rewritten 06 'pairs' link_random <<'C'
void link_random(struct node *nodes, long n, uint64_t seed)
{
    uint64_t state = seed;

    link_linear(nodes, n);
    for (long i = 0; i + 3 < n; i += 4)
        if (below(&state, 2)) {
            nodes[i].next = &nodes[i + 2];
            nodes[i + 2].next = &nodes[i + 1];
            nodes[i + 1].next = &nodes[i + 3];
        }
}
C
loses 06 'an order that hardly differs from that of memory' "$cycle" "$seed" "$other" "${tables[@]}"
faulty 06 'clock seed' 's/uint64_t state = seed;/uint64_t state = seed + (uint64_t)clock() * 1000 + (uint64_t)\&seed;/'
loses 06 'chance from elsewhere' "$seed"
faulty 06 'one seed' 's/uint64_t state = seed;/uint64_t state = 1 + 0 * seed;/'
loses 06 'the same chain always' "$other"
faulty 06 'zeros' ''
for table in linear random; do
    awk -F '\t' -v OFS='\t' '/^[0-9]/ { $4 = 0 } 1' "$full/$table.dat" >"$work/$table.dat"
done
loses 06 'loads that take no time' "${tables[@]}"
faulty 06 'borrowed' ''
{ grep '^# pred' "$full/random.dat" && cat "$labs/06-chase/data/random.dat"; } >"$work/random.dat"
awk -F '\t' -v OFS='\t' '/^[0-9]/ { $4 = 1e4 + $4 } 1' "$full/linear.dat" >"$work/linear.dat"
loses 06 'a copy of the data, times of no machine' "${tables[@]:0:2}"

rewritten 06 'shuffled' link_random <<'C'
/* Shuffles all nodes but the first, and links them in the new order. */
void link_random(struct node *nodes, long n, uint64_t seed)
{
    long *order = malloc((size_t)n * sizeof *order);

    if (order == NULL)
        exit(2);
    for (long i = 0; i < n; i++)
        order[i] = i;
    for (long i = 1; i + 1 < n; i++) {
        long k = i + below(&seed, n - i), keep = order[k];

        order[k] = order[i];
        order[i] = keep;
    }
    for (long i = 0; i < n; i++)
        nodes[order[i]].next = &nodes[order[(i + 1) % n]];
    free(order);
}
C
keeps 06 'an order that is shuffled first'
rewritten 06 'helper' ns_per_load <<'C'
static struct node *after(const volatile struct node *node)
{
    return node->next;
}

double ns_per_load(struct node *start, long loads)
{
    struct timespec begin, end;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (loads >= 4) {
        start = after(after(after(after(start))));
        loads -= 4;
        if (loads < 4)
            break;
    }
    for (; loads > 0; loads--)
        start = after(start);
    clock_gettime(CLOCK_MONOTONIC, &end);
    (void)start;
    return 0;
}
C
# The loads are counted down, so they are kept for the division.
sed -i -E '/^double ns_per_load/,/^}/{s/struct timespec begin, end;/&\n    double all = (double)loads;/; s/return 0;/return ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) \/ all;/}' "$work/solution.c"
keeps 06 'loads in a function of its own, four in a step, the wall clock'
rewritten 06 'warm' ns_per_load <<'C'
static struct node *volatile last;

double ns_per_load(struct node *start, long loads)
{
    double best = 0;

    for (int again = 0; again < 2; again++) {
        struct node *node = start;
        clock_t begin = clock();
        long left = loads;

        do
            node = node->next;
        while (--left > 0);
        last = node;
        double ns = (double)(clock() - begin) * (1e9 / CLOCKS_PER_SEC) / (double)loads;
        best = again == 0 || ns < best ? ns : best;
    }
    return best;
}
C
keeps 06 'the better of two rounds, a sink for volatile'
faulty 06 'aligned' 's/^    struct node \*next;/    _Alignas(64) struct node *next;/; /char fill/d'
sed -i 's/calloc((size_t)n, sizeof \*nodes)/aligned_alloc(64, (size_t)n * sizeof *nodes)/; s/calloc(NODES, sizeof \*nodes)/aligned_alloc(64, NODES * sizeof *nodes)/' "$work/solution.c"
keeps 06 'nodes that are aligned to a line'

after='[.]dat: your measurement|random is slower'
endless 06 link_linear '^linear: one'
endless 06 link_random "^random: |$after"
endless 06 ns_per_load "load|$after"
