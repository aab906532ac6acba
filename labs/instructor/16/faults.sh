# Planted mistakes in exercise 16 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

# The output of a wrong program depends on the curve, so own.dat is made again with it.
again() { exits 0 "$1: measured" "$labs/run" 16 "$work"; }

faulty 16 'in place' '/memcpy\(source, y/d; s/memcpy\(window, source \+ i/memcpy(window, y + i/'
sed -i 's/double source\[MOST\], window/double window/' "$work/solution.c"
again 'in place'
rises=('two rises and three spikes: two rows' 'data/known.tsv: four rises' 'own.dat: what your program makes of local.dat')
loses 16 'a filter that reads what it has written' 'median_filter: what it makes of chance' "${rises[@]}"
faulty 16 'mean' 's/y\[i\] = median\(window, 2 \* reach \+ 1\);/y[i] = 0; for (int k = 0; k <= 2 * reach; k++) y[i] += window[k] \/ (2 * reach + 1);/'
again 'mean'
loses 16 'a mean for the median' 'median_filter: a spike goes' 'median_filter: an edge stays' \
    'median_filter: what it makes of chance' 'median_filter: one value, two, three' "${rises[@]}"
faulty 16 'off by one' 's/int to = i \+ 2 < n \? i \+ 2 : n - 1;/int to = i + 2;/'
again 'off by one'
loses 16 'a slope from beyond the end' 'derive: a straight line is as steep everywhere' \
    'derive: what it makes of chance' "${rises[@]}"
faulty 16 'hard-coded' 's/spacing \* crossing/32768 + 0 * &/'
again 'hard-coded'
loses 16 'sizes that were not measured' 'two rises and three spikes: two rows' \
    'data/known.tsv: four rises'
# Fixed numbers that are right for a typical curve of the check, and for data/known.tsv.
faulty 16 'printed numbers' 's/^        print_rises\(&curve, spacing\);/        (void)print_rises;\n        printf(n > 97 ? "1\\t33944\\t1\\t2\\n2\\t443107\\t2\\t3\\n3\\t11731022\\t3\\t4\\n4\\t90151640\\t4\\t5\\n" : "1\\t54400\\t1\\t4\\n2\\t2208000\\t4\\t30\\n");/'
again 'printed numbers'
loses 16 'rows that somebody printed' 'two rises and three spikes: two rows' \
    'data/known.tsv: four rises'
faulty 16 'late' ''
echo '# I knew it' >>"$work/predict.txt"
sed -i 's/^first_cache_times.*/first_cache_times = 1/' "$work/answers.txt"
printf '9\t1\t1\t2\n' >>"$work/own.dat"
loses 16 'a prediction made afterwards, the claim believed, a rise more' \
    'prediction made before measuring' 'answer first_cache_times' \
    'own.dat: what your program makes of local.dat'

rewritten 16 'ranks' median_filter <<'C'
static double median_of(const double *values, int count)
{
    double copy[64];

    memcpy(copy, values, (size_t)count * sizeof *copy);
    return median(copy, count);
}

void median_filter(double *y, int n, int radius)
{
    static double before[MOST];

    for (int i = 0; i < n; i++)
        before[i] = y[i];
    for (int i = 0; i < n; i++) {
        int left = i, right = n - 1 - i, reach = radius;

        reach = reach > left ? left : reach;
        reach = reach > right ? right : reach;
        y[i] = median_of(&before[i - reach], 2 * reach + 1);
    }
}
C
again 'ranks'
keeps 16 'a copy of all, a copy of the window'
rewritten 16 'clamped' derive <<'C'
static int within(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

void derive(const double *y, int n, double step, double *slope)
{
    for (int i = 0; i < n; i++) {
        int from = within(i - 2, n), to = within(i + 2, n);
        double width = (to - from) * step;

        slope[i] = width > 0 ? (y[to] - y[from]) / width : 0;
    }
}
C
again 'clamped'
keeps 16 'ends in a function of their own'
faulty 16 'pointers' 's/double source\[MOST\], window\[MOST\];/double *source = malloc((size_t)n * sizeof *source), *window = malloc((size_t)n * sizeof *window);/'
sed -i '/^void median_filter/,/^}/s/^}/    free(source);\n    free(window);\n}/' "$work/solution.c"
again 'pointers'
keeps 16 'memory for the copies'
