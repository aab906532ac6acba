# Planted mistakes in exercise 02 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

loops='a loop in a loop counts them'
one='dummy: one page' three='dummy: three pages, and two references left over' some='dummy: some pages, whole rounds'
prints='the program prints a legal table with whole rounds'
tables=('dummy-O0.dat: your measurement' 'dummy.dat: your measurement' 'dummy-O2.dat: your measurement'
    'dummy-O0.dat: the first row is slower than the fourth')

faulty 02 'constant' '/^long dummy/,/^}/s/return sum;/return 10485759;/'
loses 02 'a hard-coded sum' "$one" "$three" "$some" "$prints"
faulty 02 'formula' '/^long dummy/,/^}/{/rounds|for|sum/d; s/^\{/{ return refs - refs % pages;/;}'
loses 02 'a formula in place of the loops' "$loops" "$one" "$three" "$some" "$prints" "${tables[@]}"
rewritten 02 'one loop' dummy <<'C'
long dummy(int pages, long refs)
{
    long sum = 0;

    for (long r = 0; r < refs / pages * pages; r++)
        sum++;
    return sum;
}
C
loses 02 'one loop for two' "$loops" "$one" "$three" "$some" "$prints" "${tables[@]}"
faulty 02 'all rounds' 's/long rounds = refs \/ pages;/long rounds = (refs + pages - 1) \/ pages;/'
loses 02 'a last round that is not whole' "$three" "$some" "$prints"
faulty 02 'one more' '/^long dummy/,/^}/s/p < pages/p <= pages/'
loses 02 'a page too many' "$one" "$three" "$some" "$prints"
faulty 02 'endless' '/^long dummy/,/^}/s/return sum;/for (volatile int i = 0;; i++);/'
LABS_SECONDS=3
loses 02 'an endless loop' "$loops" "$one" "$three" "$some" "$prints" "${tables[@]}"
LABS_SECONDS=15
faulty 02 'warning' 's/^int main\(void\)/static int unused;\n&/'
sed -i 's/^sum_1000.*/sum_1000_pages = 10485760/' "$work/answers.txt"
echo '# I knew it' >>"$work/predict.txt"
sed -i '$s/\t[0-9]*$/\t7/' "$work/dummy.dat"
loses 02 'a warning, a wrong answer, a late prediction, a sum of no whole rounds' \
    'compiles without a warning' 'answer sum_1000_pages' 'prediction made before measuring' \
    'dummy.dat: your measurement'
faulty 02 'made up' ''
awk -F '\t' -v OFS='\t' '/^[0-9]/ { $2 = "0.006" } 1' "$full/dummy-O0.dat" >"$work/dummy-O0.dat"
loses 02 'a table of one time' 'dummy-O0.dat: your measurement'

rewritten 02 'helper' dummy <<'C'
static long round_over(int pages, long sum)
{
    int page = pages;

    while (page-- > 0)
        sum++;
    return sum;
}

long dummy(int pages, long refs)
{
    long left = refs, sum = 0;

    while (left >= pages) {
        sum = round_over(pages, sum);
        left -= pages;
    }
    return sum;
}
C
keeps 02 'the inner loop in a function of its own'
rewritten 02 'do' dummy <<'C'
/* The other way round, with an unsigned counter and do. */
long dummy(int pages, long refs)
{
    unsigned long sum = 0;
    long rounds = refs / pages;

    if (rounds > 0)
        do {
            int page = 0;

            do
                sum += 1;
            while (++page < pages);
        } while (--rounds > 0);
    return (long)sum;
}
C
keeps 02 'do and unsigned numbers'
rewritten 02 'round after round' dummy <<'C'
static void count(int pages, long *sum);

long dummy(int pages, long refs)
{
    long sum = 0;

    for (long done = 0; done + pages <= refs; done += pages)
        count(pages, &sum);
    return sum;
}

static void count(int pages, long *sum)
{
    for (int p = 1; p <= pages; ++p)
        ++*sum;
}
C
keeps 02 'a sum behind a pointer, a function that comes later'
