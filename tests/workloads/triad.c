/* triad.c: a[i] = b[i] + s * c[i] over three arrays, as in STREAM.
 *
 * usage: triad [LOG2_ELEMENTS [ROUNDS]]   (25 4)
 */
#include "workload.h"

ARRAY(a, double)
ARRAY(b, double)
ARRAY(c, double)

static __attribute__((noinline)) void triad(double *a, const double *b, const double *c, double s,
                                            size_t count)
{
    for (size_t i = 0; i < count; i++)
        a[i] = b[i] + s * c[i];
}

int main(int argc, char **argv)
{
    size_t count = (size_t)1 << argument(argc, argv, 1, 25);
    long rounds = argument(argc, argv, 2, 4);
    double *a = new_a(count), *b = new_b(count), *c = new_c(count);
    for (size_t i = 0; i < count; i++) {
        b[i] = (double)i;
        c[i] = 1;
    }
    begin_work();
    for (long round = 0; round < rounds; round++)
        triad(a, b, c, 3, count);
    end_work((double)rounds * (double)count);
    check(a[0] == 3 && a[count - 1] == (double)count + 2, "a[i]");
    return 0;
}
