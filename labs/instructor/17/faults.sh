# Planted mistakes in exercise 17 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

faulty 17 'one sum' 's/part\[[1-3]\] \+=/part[0] +=/; s/part\[i % 4\]/part[0]/'
loses 17 'four sums that are one' 'sum_four: four sums side by side'
faulty 17 'one more' '/^double sum\(/,/^}/s/i < n/i <= n/; /^void triad/,/^}/s/i < n/i <= n/; s/; i < n; i\+\+\)$/; i < n - 1; i++)/'
own=('rates.dat: your measurement' 'rates.dat: four sums are faster than one')
loses 17 'off by one at all ends' 'sum: of what there is, and no more' 'sum: one after the other' \
    'triad: all numbers, and nothing outside the array' 'sum_four: n that is no multiple of 4' "${own[@]}"
faulty 17 'bytes' 's/"triad", 3, 24, 32/"triad", 3, 24, 24/; s/"sum", 1, 8, 8/"sum", 1, 64, 64/'
loses 17 'a line counted for a number, no write-allocate' 'sum: its bytes' 'triad: its bytes'
faulty 17 'hard-coded' '/^double sum\(/,/^}/{s/total \+= a\[i\];/total += 1;/}'
loses 17 'a sum without a load' 'sum: of what there is, and no more' 'sum: one after the other' \
    'sum: the load is in the loop' "${own[@]}"
faulty 17 'late' ''
echo '# I knew it' >>"$work/predict.txt"
sed -i 's/^second_below_percent.*/second_below_percent = 26/' "$work/answers.txt"
sed -i 's/^\(triad\t65536\t[0-9]*\t[0-9.]*\)\t[0-9.]*/\1\t999/' "$work/rates.dat"
loses 17 'a prediction made afterwards, a rate made better, one machine for all' \
    'prediction made before measuring' 'answer second_below_percent' 'rates.dat: your measurement'
faulty 17 'one array' 's/a\[i\] = b\[i\] \+ s \* c\[i\];/a[i] = b[i] + s * b[i];/'
sed -i '/^void triad/,/^}/s/^{/{\n    (void)c;/' "$work/solution.c"
loses 17 'one array for two' 'triad: all numbers, and nothing outside the array' 'triad: two loads are in the loop' "${own[@]}"

rewritten 17 'unrolled' sum_four <<'C'
double sum_four(const double *a, long n)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    const double *end = a + n - n % 4;

    while (a < end) {
        s0 += *a++;
        s1 += *a++;
        s2 += *a++;
        s3 += *a++;
    }
    switch (n % 4) {
    case 3:
        s2 += a[2]; /* fall through */
    case 2:
        s1 += a[1]; /* fall through */
    case 1:
        s0 += a[0];
    }
    return s0 + s1 + s2 + s3;
}
C
keeps 17 'four variables, a switch for the rest'
rewritten 17 'pointers' sum triad <<'C'
static double value(const double *at)
{
    return *at;
}

double sum(const double *a, long n)
{
    double total = 0;

    while (n-- > 0)
        total += value(a++);
    return total;
}

void triad(double *a, const double *b, const double *c, double s, long n)
{
    double *end = a + n;

    for (; a != end; a++, b++, c++)
        *a = s * *c + *b;
}
C
keeps 17 'pointers for numbers'
faulty 17 'sizes' 's/"sum", 1, 8, 8/"sum", 1, sizeof(double), sizeof(double)/; s/"triad", 3, 24, 32/"triad", 3, 3 * 8, 4 * 8/'
keeps 17 'bytes by their names'

endless 17 sum '^sum:|^rates'
endless 17 triad '^triad|^rates'
