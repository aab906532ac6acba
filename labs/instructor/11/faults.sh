# Planted mistakes in exercise 11 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

sweep='sweep: passes, in each both layouts in turn'
tables=("$sweep" 'sweep.dat: your measurement' 'sweep.dat: translation shows' 'levels.dat: detect reads your table')
cycle='link_random: one cycle through all nodes, in random order' seed='link_random: the seed alone decides'
page='page: all lines of a page are used, one page each' packed='packed: one line after the other'
loads='as many loads as were asked for' ns='ns_per_load: nanoseconds of one load'

faulty 11 'start of each page' 's/ \+ i % \(page_bytes \/ LINE\) \* LINE//'
loses 11 'every node at the start of its page' "$page" "${tables[@]}"
faulty 11 'small page' 's/i % \(page_bytes \/ LINE\)/i % 64/'
loses 11 'lines of a small page on a large one' "$page" "${tables[@]}"
faulty 11 'nodes of 8 bytes' 's/return i \* LINE;/return i * 8;/'
loses 11 'eight nodes to a line' "$packed" "${tables[@]}"
faulty 11 'packed like page' '/layout == PACKED\)/,/return i \* LINE/d; s/^    \/\* The line moves on/    (void)layout;\n&/'
loses 11 'no packed layout' "$packed" "${tables[@]}"
faulty 11 'two cycles' 's/below\(&state, i\)/below(\&state, i + 1)/'
loses 11 'a shuffle of several cycles' "$cycle" "${tables[@]}"
faulty 11 'in order' '/^void link_random/,/^}/s/long k = below\(&state, i\);/long k = i - 1 + 0 * below(\&state, i);/'
loses 11 'an order that is none' "$cycle" "$seed" "${tables[@]}"
faulty 11 'no volatile' 's/\*\(struct node \*volatile \*\)&node->next/node->next/; s/l < loads/l < loads - 50/'
sed -i '/    clock_t end = clock/i\    (void)node;' "$work/solution.c"
loses 11 'no volatile, some loads too few' 'the load is in the loop, with -O2 too' "$loads" "$ns" "${tables[@]}"
faulty 11 'not divided' 's/ \* 1e9 \/ \(double\)loads/ * 1e9/'
loses 11 'the time of all loads' "$ns" "${tables[@]}"
faulty 11 'one layout first' 's/^( *)measure\(memory, n, PAGE, pass\);/\1measure(memory, n, pass ? PACKED : PAGE, pass);/'
loses 11 'a layout measured twice' "$sweep"
faulty 11 'doubling' 's/return n \+ n \/ 8;.*/return 2 * n;/; s/n <= MOST; n = next/n < MOST \/ 2; n = next/'
loses 11 'doubling, and an end too soon' 'next_size: 4 to 16 sizes to an octave' "$sweep"
faulty 11 'borrowed' ''
cp "$labs/11-two-knees/data/recorded.dat" "$work/sweep.dat"
sed -i 's/^first_tlb.*/first_tlb = 64/' "$work/answers.txt"
loses 11 'a table of somebody else, a familiar number' 'prediction made before measuring' \
    'answer first_tlb' 'sweep.dat: your measurement'

rewritten 11 'steps of five' place <<'C'
long place(long i, enum layout layout, long page_bytes)
{
    long lines = page_bytes / LINE;

    switch (layout) {
    case PACKED:
        return LINE * i;
    default:
        return i * page_bytes + 5 * i % lines * LINE;
    }
}
C
keeps 11 'five lines on from page to page'
rewritten 11 'shuffled' link_random next_size <<'C'
void link_random(struct node *nodes[], long n, uint64_t seed)
{
    struct node **order = malloc((size_t)n * sizeof *order);

    memcpy(order, nodes, (size_t)n * sizeof *order);
    for (long left = n; left > 1; left--) {
        long k = below(&seed, left);
        struct node *keep = order[k];

        order[k] = order[left - 1];
        order[left - 1] = keep;
    }
    for (long i = 1; i < n; i++)
        order[i - 1]->next = order[i];
    order[n - 1]->next = order[0];
    free(order);
}

long next_size(long n)
{
    return n * 119 / 100 > n ? n * 119 / 100 : n + 1;
}
C
keeps 11 'an order that is shuffled first'
rewritten 11 'both' sweep ns_per_load <<'C'
static struct node *volatile last_node;

static struct node *walk(struct node *node, long loads)
{
    while (loads-- > 0)
        node = node->next;
    return node;
}

double ns_per_load(struct node *start, long loads)
{
    clock_t begin = clock();

    last_node = walk(start, loads);
    return (double)(clock() - begin) * 1e9 / CLOCKS_PER_SEC / (double)loads;
}

long next_size(long n);
static void measure(char *memory, long n, enum layout layout, int pass);

static void measure_all(char *memory, int pass)
{
    long n = LEAST;

    while (n <= MOST) {
        measure(memory, n, PACKED, pass);
        measure(memory, n, PAGE, pass);
        n = next_size(n);
    }
}

static void sweep(char *memory)
{
    for (int pass = 0; pass < PASSES; pass++)
        measure_all(memory, pass);
}
C
keeps 11 'packed before page, a function for the loads and one for a pass'
