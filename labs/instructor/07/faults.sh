# Planted mistakes in exercise 07 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash disable=SC2154 # $work is the folder with the mistake

faulty 07 'no volatile' 's/\(const volatile long \*\)&next/(const long *)\&next/'
loses 07 'no volatile' 'volatile: the read is in the loop, with -O2 too' \
    'volatile: it is volatile that keeps it' 'volatile.dat: your measurement' 'a read that is kept costs more'
faulty 07 'volatile variable' '/^void walk_volatile/,/^}/{s/long at = 0;/volatile long at = 0;/; s/\*\(const volatile long \*\)&next/next/}'
loses 07 'the variable is volatile' 'volatile: the read is in the loop, with -O2 too' 'volatile: it is volatile that keeps it' \
    'volatile.dat: your measurement' 'a read that is kept costs more'
faulty 07 'volatile everywhere' 's/at = next\[at\]/at = *(const volatile long *)\&next[at]/'
loses 07 'volatile everywhere' 'plain: with -O2 no read is left' 'half: with -O2 the loop is left, and no read' \
    'plain.dat: your measurement' 'half.dat: your measurement'
faulty 07 'an empty barrier' 's/"" : "\+r"\(at\)/"" : : : "memory"/'
sed -i '/"memory");/a\    (void)at;' "$work/solution.c"
sed -i -E 's/(    at = next\[at\];)$/\1/' "$work/solution.c"
loses 07 'an empty barrier' 'barrier: the read is in the loop, with -O2 too' 'barrier.dat: your measurement'
faulty 07 'off by one' '/^void walk_sink/,/^}/s/r < reads/r <= reads/'
loses 07 'one read too many' 'sink: as many reads as were asked for'
faulty 07 'all is possible' 's/return ns >= 0.9 \* cycle;/return ns >= 0 * cycle;/'
loses 07 'all is possible' 'possible: none at 0 ns' 'possible: below a cycle' \
    'possible: a measured cycle is one, however measured'
faulty 07 'to the last digit' 's/return ns >= 0.9 \* cycle;/return ns >= cycle;/'
loses 07 'a cycle to the last digit' 'possible: a measured cycle is one, however measured'
faulty 07 'prediction' ''
sed -i 's/^plain_cycles = .*/plain_cycles = 0.0001/' "$work/predict.txt"
loses 07 'prediction changed afterwards' 'prediction made before measuring'

rewritten 07 'pointers' walk_volatile walk_sink walk_barrier <<'C'
void walk_volatile(const long *next, long reads)
{
    const volatile long *table = next;
    long at = 0;

    while (reads-- > 0)
        at = table[at];
}

void walk_sink(const long *next, long reads)
{
    const long *at = next;

    for (; reads > 0; reads--)
        at = next + *at;
    sink = (long)(at - next);
}

static long through(long index)
{
    __asm__ volatile("" : "+r"(index) : : "memory");
    return index;
}

void walk_barrier(const long *next, long reads)
{
    long at = 0;

    for (long r = reads; r != 0; --r)
        at = through(next[at]);
    (void)at;
}
C
keeps 07 'a table that is volatile, a pointer, a barrier in a function of its own'
faulty 07 'spelling' 's/__asm__ volatile\(""\)/__asm __volatile__ ("nop" : : )/; s/return ns >= 0.9 \* cycle;/return !(ns < 0.8 * cycle);/'
keeps 07 'a statement that is not empty, another tolerance'
faulty 07 'before' 's/^        at = next\[at\];$/{ const long *element = next + at; at = *element; }/'
keeps 07 'a pointer to each element'

endless 07 walk_half '^half'
endless 07 walk_sink '^sink'
