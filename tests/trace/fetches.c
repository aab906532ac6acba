/* fetches.c: calls PAGES functions, each on a page of its own, ROUNDS times in one order, from a
 * function on another page. For fetches.t. */
#include <stdio.h>

enum { ROUNDS = 1000 };

#define FUNCTION(n)                                                                                \
    __attribute__((noinline, aligned(4096))) static void page_##n(void)                            \
    {                                                                                              \
        counts[n]++;                                                                               \
    }
#define TEN(of, n)                                                                                 \
    of(n##0) of(n##1) of(n##2) of(n##3) of(n##4) of(n##5) of(n##6) of(n##7) of(n##8) of(n##9)
#define ALL(of)                                                                                    \
    TEN(of, 1) TEN(of, 2) TEN(of, 3) TEN(of, 4) TEN(of, 5) TEN(of, 6) TEN(of, 7) TEN(of, 8)
#define CALL(n) page_##n();

static volatile unsigned counts[100];
ALL(FUNCTION)

__attribute__((noinline, aligned(4096))) static void caller(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        ALL(CALL)
    }
}

__attribute__((aligned(4096))) int main(void)
{
    caller();
    printf("%u\n", counts[10] + counts[89]);
    return 0;
}
