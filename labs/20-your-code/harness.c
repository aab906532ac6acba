/* Calls the functions of program.c and prints their results.
 *
 *   time CASE      ns_per_item() with a simulated clock and simulated work. The clock has steps of
 *                  1 us. The work is 100 items of 3 ns (short), of 3 ns but 90 the first time
 *                  (cold), of 3 ns with interruptions of 5 ms (disturbed), of 3 ms (long). Prints
 *                  the result; for `long` whether the number of calls was right.
 *   array N, list N        the sums of N items; the list goes through every second one, backwards
 *   all N, chained N       the look-ups in a table of N keys
 *   tally                  whether two of them can share 64 bytes
 */
#include <time.h>

static double fake_ns;
static int fake_clock(clockid_t id, struct timespec *now)
{
    double shown = (double)(long)(fake_ns / 1000) * 1000;
    (void)id;
    fake_ns += 20;
    now->tv_sec = (time_t)(shown / 1e9);
    now->tv_nsec = (long)(shown - (double)now->tv_sec * 1e9);
    return 0;
}
static clock_t fake_process_clock(void)
{
    return (clock_t)(fake_ns / 1000);
}
#define clock_gettime fake_clock
#define clock         fake_process_clock
#include "program.c"
#include "support.h"

static long calls;
static const char *kind;

static long work(void *data)
{
    double each = strcmp(kind, "long") == 0 ? 3e6 : 3;
    if (strcmp(kind, "cold") == 0 && calls == 0)
        each = 90;
    fake_ns += 100 * each;
    /* An interruption of 5 ms every 30 ms: with short tries, in the second or third try. */
    if (strcmp(kind, "disturbed") == 0 && calls % 100000 == 20000)
        fake_ns += 5e6;
    calls++;
    return *(long *)data;
}

static void ask_time(void)
{
    long data = 1;
    double ns = ns_per_item(work, &data, 100);
    if (strcmp(kind, "long") == 0)
        printf("%s\n", calls >= 2 && calls <= 30 ? "few calls" : "too many calls, or one");
    else
        printf("%.1f\n", ns);
}

static void ask_items(const char *what, long n)
{
    struct items items = {.at = calloc((size_t)n + 1, sizeof *items.at), .count = n};
    for (long i = 0; i <= n; i++)
        items.at[i].value = i == n ? 1000000 : 3 * i + 1;
    for (long i = 0; i < n; i += 2) {
        items.at[i].next = items.first;
        items.first = &items.at[i];
    }
    printf("%ld\n", what[0] == 'a' ? sum_array(&items) : sum_list(&items));
}

static void ask_table(const char *what, long n)
{
    struct table t = {.mask = 4095, .count = n};
    t.slots = calloc(4096, sizeof *t.slots);
    t.keys = calloc((size_t)n + 1, sizeof *t.keys);
    for (long i = 0; i <= n; i++)
        t.keys[i] = (uint64_t)(i * 7919 % 10007) + 1;
    for (long i = 0; i < n; i++)
        *find(&t, t.keys[i]) = (struct slot){t.keys[i], t.keys[(i + 3) % n]};
    *find(&t, t.keys[n]) = (struct slot){t.keys[n], 1}; /* it is not looked up */
    printf("%ld\n", what[0] == 'a' ? look_up_all(&t) : look_up_chained(&t));
}

int harness_main(int argc, char *argv[])
{
    if (argc != 3)
        return 2;
    (void)fake_process_clock;
    kind = argv[2];
    if (strcmp(argv[1], "time") == 0)
        ask_time();
    else if (strcmp(argv[1], "array") == 0 || strcmp(argv[1], "list") == 0)
        ask_items(argv[1], atol(argv[2]));
    else if (strcmp(argv[1], "all") == 0 || strcmp(argv[1], "chained") == 0)
        ask_table(argv[1], atol(argv[2]));
    else
        printf("%s\n", sizeof(struct tally) >= 64 &&
                               (uintptr_t)&apart[0] / 64 + 1 <= (uintptr_t)&apart[1] / 64
                           ? "apart"
                           : "together");
    return 0;
}
