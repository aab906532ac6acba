# Planted mistakes in exercise 09 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash disable=SC2154 # $work is the folder with the mistake

# Wrong steps access other memory, too.
frees='store_freely: the store is in the loop, with -O2 too'
asks='store_and_ask: the load is in the loop, with -O2 too'
goes='store_and_go: store and load are in the loop, with -O2 too'
freely=("$frees" 'store_freely: the nodes that are drawn, in their order' 'store_freely: few steps')
ask=("$asks" 'store_and_ask: goes where it has stored to go' 'store_and_ask: a single step')
go=("$goes" 'store_and_go: a store to each node, and on' 'store_and_go: not one too many')
slower='a store that waits is slower than one that does not'

faulty 09 'no volatile' 's/volatile long \*word/long *word/'
loses 09 'no volatile' "$asks" 'ask.dat: your measurement'
faulty 09 'without optimisation' 's/volatile long \*word/long *word/; s/^long store_and_ask/__attribute__((optimize("O0"))) &/'
loses 09 'without optimisation the load is there, and slow' "$asks" 'ask.dat: your measurement'
faulty 09 'one more' 's/s < steps/s <= steps/'
loses 09 'one step too many' 'read_chain: as many loads as steps' 'read_chain: not one too many' "${freely[@]:1}" "${ask[@]:1}" \
    "${go[@]:1}" "$slower" {read,freely,ask,go}'.dat: your measurement'
faulty 09 'half' 's/nodes\[draw\(&seed, n\)\]/nodes[draw(\&seed, n) \/ 2]/'
sed -i 's/        node->word = s;/        (void)node;/' "$work/solution.c"
loses 09 'half of the nodes, and a chain without a store' "${freely[@]}" "${go[@]}" "$slower" \
    {freely,go}'.dat: your measurement'
faulty 09 'in order' 's/nodes\[draw\(&seed, n\)\]\.word = s;/nodes[(s + 0 * draw(\&seed, n)) % n].word = s;/'
loses 09 'one node after the other' "${freely[@]}" 'freely.dat: your measurement'
rewritten 09 'no store' store_and_ask <<'C'
long store_and_ask(struct node *nodes, long n, long steps, uint64_t seed)
{
    long at = 0;

    for (long s = 0; s < steps; s++)
        at = draw(&seed, n);
    (void)nodes;
    return at;
}
C
loses 09 'a number that is neither stored nor loaded' "${ask[@]}" 'ask.dat: your measurement'
faulty 09 'late store' 's/^        node->word = s;/        node->next->word = s;/'
loses 09 'the node after the right one' "${go[@]}" "$slower" 'go.dat: your measurement'
faulty 09 'other data' ''
sed -i 's/^# prediction_sha256: .*/# prediction_sha256: 0/' "$work/go.dat"
sed -i '/^524288\t/d' "$work/ask.dat"
loses 09 'the data of somebody else, a short table' 'prediction made before measuring' \
    'ask.dat: your measurement'

rewritten 09 'while' read_chain store_and_go <<'C'
struct node *read_chain(struct node *node, long steps)
{
    while (steps-- > 0)
        node = node->next;
    return node;
}

static struct node *mark(struct node *node, long number)
{
    node->word = number;
    return node->next;
}

struct node *store_and_go(struct node *node, long steps)
{
    for (long s = 0; s < steps; ++s)
        node = mark(node, s);
    return node;
}
C
keeps 09 'a store in a function of its own'
rewritten 09 'barrier' store_and_ask <<'C'
long store_and_ask(struct node *nodes, long n, long steps, uint64_t seed)
{
    struct node *node = nodes;

    while (steps-- > 0) {
        node->word = draw(&seed, n);
        __asm__ volatile("" : : : "memory");
        node = &nodes[node->word];
    }
    return (long)(node - nodes);
}
C
keeps 09 'a barrier in place of volatile'
rewritten 09 'pointer' store_freely <<'C'
void store_freely(struct node *nodes, long n, long steps, uint64_t seed)
{
    long done = 0;

    while (done < steps) {
        struct node *node = nodes + draw(&seed, n);

        *(volatile long *)&node->word = done++;
    }
}
C
keeps 09 'a pointer to each node, volatile'

endless 09 read_chain '^read'
endless 09 store_and_go '^store_and_go|^go|^a store that waits'
