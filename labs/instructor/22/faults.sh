# Planted mistakes in exercise 22 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash
# shellcheck disable=SC2154 # the test sets work, full and labs

tables=('misses.dat: what your program misses' 'block.dat: the blocks for your own machine'
    'times.dat: your measurement')
blocks=('block_for_tlb: hardly a block loses less time' 'block_for_cache: hardly a block loses less time')
few='multiply: a TLB that holds a tile and four pages more is enough'

faulty 22 'untiled' '/^void multiply/,/^}/s/^\{/{\n    block = n;/'
loses 22 'no tiles' "$few" "${blocks[@]}" "${tables[@]}"
faulty 22 'edge' 's/least\(k \+ block, n\)/k + block/'
loses 22 'a tile that goes on after the end' 'multiply: the last tiles are smaller' \
    'multiply: one tile, larger than the matrix' "${blocks[@]}" "${tables[@]}"
faulty 22 'whole only' 's/k < n; k \+= block/k + block <= n; k += block/'
loses 22 'the last tiles left out' 'multiply: the last tiles are smaller' \
    'multiply: one tile, larger than the matrix' "${blocks[@]}" "${tables[@]}"
faulty 22 'columns' '/^static void tile/,/^}/{s/for \(long i = .*/for (long j = from[2]; j < to[2]; j++)/; t; s/for \(long j = .*/for (long i = from[0]; i < to[0]; i++) {/}'
loses 22 'columns of all three' "$few" "${blocks[@]}" "${tables[@]}"
faulty 22 'forgets' '/^static void tile/,/^}/s/sum = c\[i \* row \+ j\]/sum = 0/'
loses 22 'the sums of other tiles forgotten' 'multiply: whole tiles' 'multiply: the last tiles are smaller' \
    'multiply: one tile, larger than the matrix' "${blocks[@]}" "${tables[@]}"
faulty 22 'all entries' 's/entries > 4 \? entries - 4 : 1/entries/'
loses 22 'as many rows as entries' "${blocks[0]}" "${tables[1]}"
faulty 22 'two' 's/entries > 4 \? entries - 4 : 1/entries > 2 ? entries - 2 : 1/'
loses 22 'no room for the old rows' "${blocks[0]}" "${tables[1]}"
faulty 22 'third' 's/entries > 4 \? entries - 4 : 1/entries \/ 3/'
loses 22 'three whole tiles of pages' "${blocks[0]}" "${tables[1]}"
faulty 22 'all lines' 's/next \* \(next \+ 4\) \* NUMBER/next * next * NUMBER/'
loses 22 'a tile of the whole cache' "${blocks[1]}" "${tables[1]}"
faulty 22 'lines third' 's/next \* \(next \+ 4\) \* NUMBER/3 * next * next * NUMBER/'
loses 22 'three whole tiles of lines' "${blocks[1]}" "${tables[1]}"
faulty 22 'odd' 's/next \+= LINE \/ NUMBER/next++/'
loses 22 'parts of lines' "${blocks[1]}" "${tables[1]}"
faulty 22 'unseen' 's/^static void tile/__attribute__((no_sanitize_thread)) static void tile/'
keeps 22 'an attribute for an instrument that is not used'
faulty 22 'late' ''
echo '# I knew it' >>"$work/predict.txt"
sed -i 's/^best_plain.*/best_plain = 8/' "$work/answers.txt"
sed -i 's/^28\t.*/28\t500/' "$work/misses.dat"
loses 22 'a late prediction, a wrong answer, a count that is not its own' 'prediction made before measuring' \
    'answer best_plain' "${tables[0]}"

# Its misses are its own.
counted_again() {
    {
        grep '^# prediction' "$full/misses.dat"
        bash "$labs/22-tiling/data/trace.sh" "$work/solution.c" 48
    } >"$work/misses.dat"
}

rewritten 22 'along' tile <<'C'
static void tile(const double *a, const double *b, double *c, long row, const long from[3],
                 const long to[3])
{
    for (long i = from[0]; i < to[0]; i++)
        for (long k = from[1]; k < to[1]; k++) {
            const double factor = a[i * row + k], *numbers = b + k * row;

            for (long j = from[2]; j < to[2]; j++)
                c[i * row + j] += factor * numbers[j];
        }
}
C
counted_again
keeps 22 'the inner loop along the rows'
rewritten 22 'six' tile multiply <<'C'
void multiply(const double *a, const double *b, double *c, long n, long row, long block)
{
    for (long k0 = 0; k0 < n; k0 += block)
        for (long i0 = 0; i0 < n; i0 += block)
            for (long j0 = 0; j0 < n; j0 += block)
                for (long i = i0; i < n && i < i0 + block; i++)
                    for (long j = j0; j < n && j < j0 + block; j++)
                        for (long k = k0; k < n && k < k0 + block; k++)
                            c[i * row + j] += a[i * row + k] * b[k * row + j];
    (void)least;
}
C
counted_again
keeps 22 'six loops in one function'
rewritten 22 'root' block_for_cache block_for_tlb <<'C'
long block_for_tlb(long entries)
{
    return entries - 4 < 1 ? 1 : entries - 4;
}

long block_for_cache(long bytes)
{
    long numbers = bytes / NUMBER, block = 8;

    for (long root = 1; root * root + 4 * root <= numbers; root++)
        block = root;
    return block < 8 ? 8 : block & -8L;
}
C
keeps 22 'the root, rounded down'
