# Planted mistakes in exercise 21 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash
# shellcheck disable=SC2154 # the test sets work

faulty 21 'launch' 's/return \(loads - steps\) .*/return (l->many_ns - l->empty_many_ns + 0 * (loads - steps)) \/ l->loads_many + 100;/'
loses 21 'one kernel alone' 'load_ns: the launch is not in it' 'load_ns: kernels of nearly the same length'
faulty 21 'steps' 's/loads - steps/loads + 0 * steps/'
loses 21 'the arithmetic not subtracted' 'load_ns: the launch is not in it' 'load_ns: kernels of nearly the same length'
faulty 21 'all loads' 's/\/ \(l->loads_many - l->loads_few\)/\/ l->loads_many/'
loses 21 'divided by all loads' 'load_ns: the launch is not in it' 'load_ns: kernels of nearly the same length'
faulty 21 'no border' 's/last = \(i \* stride \+ bytes - 1\) \/ sector/last = first + 0 * bytes/'
loses 21 'the first byte alone' 'sectors: a number on the border of two' \
    'stride.dat: what your program makes of it'
faulty 21 'twice' '/^long sectors/,/^}/s/first = first < next \? next : first;//'
loses 21 'sectors counted twice' 'sectors: neighbours share them' 'sectors: all items read the same' \
    'stride.dat: what your program makes of it'
faulty 21 'bytes' '/^long sectors/,/^}/s/return count;/return count * 0 + items * bytes \/ sector;/'
loses 21 'bytes by sectors' 'sectors: each item has its own' 'sectors: a number on the border of two' \
    'sectors: all items read the same' 'stride.dat: what your program makes of it'
faulty 21 'window' '/^double flatness/,/^}/s/bytes\[i\] > to/bytes[i] > to + 1e300/'
loses 21 'no end of the window' 'flatness: the longest and the shortest of the window' 'flatness: no size in the window' \
    'flat.dat: what your program makes of it'
faulty 21 'late' ''
echo '# I knew it' >>"$work/predict.txt"
sed -i 's/^seen_level.*/seen_level = memory/' "$work/answers.txt"
sed -i 's/^4\t4\t.*/4\t5\t80.00/' "$work/stride.dat"
loses 21 'a late prediction, a wrong answer, a row of somebody else' 'prediction made before measuring' \
    'answer seen_level' 'stride.dat: what your program makes of it'

rewritten 21 'flags' sectors <<'C'
long sectors(long items, long stride, long bytes, long sector)
{
    long end = (items - 1) * stride + bytes, count = 0;

    for (long s = 0; s * sector < end; s++) {
        int used = 0;

        for (long i = 0; i < items && !used; i++)
            used = i * stride < (s + 1) * sector && i * stride + bytes > s * sector;
        count += used;
    }
    return count;
}
C
keeps 21 'each sector asks all items'
rewritten 21 'each' load_ns <<'C'
static double difference(double many, double few, double count)
{
    return (many - few) / count;
}

double load_ns(const struct launch *l)
{
    double count = l->loads_many - l->loads_few;

    return difference(l->many_ns, l->few_ns, count) - difference(l->empty_many_ns, l->empty_few_ns, count);
}
C
keeps 21 'a step with a load less a step without'
rewritten 21 'ends' flatness under_way <<'C'
double flatness(const double *bytes, const double *ns, long n, double from, double to)
{
    double least = 1e300, most = -1;

    while (n-- > 0)
        if (bytes[n] >= from && bytes[n] <= to) {
            if (ns[n] < least)
                least = ns[n];
            if (ns[n] > most)
                most = ns[n];
        }
    return most < 0 ? 0 : most / least;
}

double under_way(double gb_per_s, double latency_ns, double bytes)
{
    return gb_per_s * 1e9 * latency_ns * 1e-9 / bytes;
}
C
keeps 21 'the last size first'
