# Planted mistakes in exercise 19 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

own='found.dat: your program solves your hash'

faulty 19 'first line' '/^int find_shift/,/^}/s/while \(same < n \&\&/while (same < 1 \&\&/; /^int find_shift/,/^}/s/if \(same == n\)/if (same > 0)/'
costs 19 'a shift by the first line alone' 'find_shift: no shift fits' "$own"
faulty 19 'equal runs' '/^int repeat_length/,/^}/s/>= 0/== 0/'
loses 19 'runs that must be equal' 'repeat_length: the shortest run' \
    'repeat_length: one run is not the first' "$own"
faulty 19 'one mask' '/^void add_bit/,/^}/s/\|= 1UL/= 1UL/'
loses 19 'a mask that forgets' 'add_bit: the masks of those index bits' "$own"
faulty 19 'sum' '/^int slice_of/,/^}/s/index \^= odd/index += odd/; s/return base\[index\]/return base[index % (unsigned long)lines]/'
loses 19 'a sum in place of XOR' 'slice_of: base and masks' "$own"
faulty 19 'late' ''
echo '# I knew it' >>"$work/predict.txt"
sed -i 's/^base\t3\t.*/base\t3\t9/' "$work/found.dat"
sed -i 's/^map_lines.*/map_lines = 4096/' "$work/answers.txt"
loses 19 'a prediction made afterwards, a hash made better, a map that never repeats' \
    'prediction made before measuring' 'found.dat: your program solves your hash' 'answer map_lines'
faulty 19 'from one' '/^int find_shift/,/^}/s/int s = 0; s < n/int s = 1; s < n/'
loses 19 'no shift of nothing' 'find_shift: the smallest of several' 'repeat_length: the shortest run' \
    'repeat_length: one run is not the first' "$own"

rewritten 19 'parity' slice_of <<'C'
static unsigned long parity(unsigned long bits)
{
    unsigned long odd = 0;

    for (; bits != 0; bits >>= 1)
        odd ^= bits & 1;
    return odd;
}

int slice_of(const int *base, int lines, const unsigned long *mask, unsigned long paddr)
{
    unsigned long index = (paddr >> 6) & ((unsigned long)lines - 1);

    for (int t = 0, bit = 1; bit < lines; t++, bit *= 2)
        if (parity(paddr & mask[t]))
            index ^= (unsigned long)bit;
    return base[index];
}
C
keeps 19 'a parity in a function of its own'
rewritten 19 'helper' find_shift add_bit <<'C'
static int fits(const int *a, const int *b, int n, int s)
{
    for (int k = n - 1; k >= 0; k--)
        if (a[k ^ s] != b[k])
            return 0;
    return 1;
}

int find_shift(const int *a, const int *b, int n)
{
    int s = 0;

    while (s < n && !fits(a, b, n, s))
        s++;
    return s < n ? s : -1;
}

void add_bit(unsigned long *mask, int bit, int shift)
{
    unsigned int left = (unsigned int)shift;

    for (unsigned long *at = mask; left != 0; at++, left >>= 1)
        if (left % 2 == 1)
            *at |= 1UL << bit;
}
C
keeps 19 'a comparison in a function of its own'
rewritten 19 'runs' repeat_length <<'C'
int find_shift(const int *a, const int *b, int n);

int repeat_length(const int *slice, int n)
{
    int length = 1;

    while (length < n) {
        int good = 0;

        for (int run = 0; run < n / length; run++)
            good += find_shift(slice, slice + run * length, length) >= 0;
        if (good == n / length)
            break;
        length *= 2;
    }
    return length;
}
C
keeps 19 'all runs counted'
