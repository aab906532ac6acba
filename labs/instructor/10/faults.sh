# Planted mistakes in exercise 10 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash disable=SC2154 # $work is the folder with the mistake

own=('observe: one piece after the other' 'ramp.dat: your measurement' 'ramp.dat: a cold start shows')

faulty 10 'multiplied' 's/^ *ONE_MORE ONE_MORE.*/        sum += 8 * step;/; s/^ *__asm__ volatile\(.*step.*//'
loses 10 'one multiplication' 'add: a loop of additions in a register, with -O2 too' "${own[@]}"
faulty 10 'in memory' 's/uint64_t sum = 0;/volatile uint64_t sum = 0;/; s/"\+r"\(sum\)/"+m"(sum)/'
loses 10 'a sum in memory' 'add: a loop of additions in a register, with -O2 too' "${own[@]}"
faulty 10 'joined' 's/^ *ONE_MORE ONE_MORE.*/        sum += 7 * step; ONE_MORE/'
loses 10 'joined additions' 'add: a loop of additions in a register, with -O2 too' "${own[@]}"
faulty 10 'one too many' 's/a < adds; a/a <= adds; a/'
loses 10 'eight too many' 'add: as many additions as were asked for' "${own[@]}"
faulty 10 'two alike' 's/LATELY = 20/LATELY = 2/'
loses 10 'a rule that waits for two' 'is_warm: a clock that goes up slowly' \
    'is_warm: a clock that goes up in steps'
faulty 10 'fixed' '/^int is_warm/,/^}/s/return .*/return n > 20 \&\& lately + best > 0;/'
loses 10 'a fixed time' 'is_warm: a clock that goes up slowly' 'is_warm: a clock that goes up in steps'
faulty 10 'at once' 's/at_s\[k\] = before - start;/at_s[k] = (before - start) \/ 2;/'
sed -i 's/^mean_percent.*/mean_percent = 0.6/' "$work/answers.txt"
echo '# I knew it' >>"$work/predict.txt"
loses 10 'pieces at the same time, a wrong answer, a late prediction' \
    'observe: one piece after the other' 'answer mean_percent' 'prediction made before measuring'

rewritten 10 'eight' add <<'C'
uint64_t add(uint64_t step, long adds)
{
    register uint64_t sum = 0;

    __asm__("" : "=r"(step) : "0"(step));
    while (adds > 0) {
        for (int k = 0; k < 8; k++) {
            sum += step;
            __asm__ volatile("" : "+r"(sum) : : "memory");
        }
        adds -= 8;
    }
    return sum;
}
C
keeps 10 'eight additions in an inner loop'
rewritten 10 'windows' is_warm <<'C'
static double least(const double *ns, int count)
{
    double best = ns[0];

    while (--count > 0)
        if (ns[count] < best)
            best = ns[count];
    return best;
}

/* Warm when the best of the last thirty is no better than the best of the thirty before. */
int is_warm(const double ns[], int n)
{
    return n >= 60 && least(ns + n - 30, 30) >= 0.99 * least(ns + n - 60, 30);
}
C
keeps 10 'two windows side by side'
rewritten 10 'clock' observe <<'C'
void observe(double at_s[], double ns[])
{
    static double ends[SAMPLES + 1];

    ends[0] = now_s();
    for (int k = 0; k < SAMPLES; k++) {
        volatile uint64_t sum = add(1, ADDS);

        (void)sum;
        ends[k + 1] = now_s();
    }
    for (int k = 0; k < SAMPLES; k++) {
        at_s[k] = ends[k] - ends[0];
        ns[k] = (ends[k + 1] - ends[k]) / ADDS * 1e9;
    }
}
C
keeps 10 'times that are computed afterwards'
