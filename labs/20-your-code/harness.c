/* Calls the functions of program.c and prints their results.
 *
 *   time CASE NS           ns_per_item() with simulated clocks and simulated work. The clocks have
 *                          steps of 1 us. The work is 100 items of NS (short), of NS but 90 the
 * first time (cold), of NS with interruptions of 5 ms (disturbed), of 3 ms (long). Prints the
 * result; for `long` whether the number of calls was right. array|list N A B       the sums of N
 * items, of which item i has (A i + B) % 1009; the list goes through every second one, backwards
 *   all N A B              the sum of the look-ups of N keys; that of key i is (A i + B) % 100003
 *   chained N A B          N look-ups; that of key i is key (A i + B) % N
 *   tally                  whether two of them can share 64 bytes
 */
#include "program.c"
#include "support.h"

static long harness_calls;
static const char *harness_kind;
static double harness_each_ns;

static long harness_work(void *data)
{
    double each = harness_calls == 0 && strcmp(harness_kind, "cold") == 0 ? 90 : harness_each_ns;

    harness_pass(100 * each, 100 * each);
    /* An interruption of 5 ms every 30 ms: with short tries, in the second or third try. */
    if (strcmp(harness_kind, "disturbed") == 0 && harness_calls % 100000 == 20000)
        harness_pass(5e6, 5e6);
    harness_calls++;
    return *(long *)data;
}

static void harness_ask_time(double ns)
{
    long data = 1;

    harness_each_ns = strcmp(harness_kind, "long") == 0 ? 3e6 : ns;
    harness_simulate(20, 1000);
    double found = ns_per_item(harness_work, &data, 100);
    if (strcmp(harness_kind, "long") == 0)
        printf("%s\n",
               harness_calls >= 2 && harness_calls <= 30 ? "few calls" : "too many calls, or one");
    else
        printf("%.1f\n", found);
}

static void harness_ask_items(const char *what, long n, long a, long b)
{
    struct items items = {.at = calloc((size_t)n + 1, sizeof *items.at), .count = n};

    for (long i = 0; i <= n; i++)
        items.at[i].value = i == n ? 1000000 : (a * i + b) % 1009;
    for (long i = 0; i < n; i += 2) {
        items.at[i].next = items.first;
        items.first = &items.at[i];
    }
    printf("%ld\n", what[0] == 'a' ? sum_array(&items) : sum_list(&items));
}

static void harness_ask_table(const char *what, long n, long a, long b)
{
    struct table t = {.mask = 4095, .count = n};

    t.slots = calloc(4096, sizeof *t.slots);
    t.keys = calloc((size_t)n + 1, sizeof *t.keys);
    for (long i = 0; i <= n; i++)
        t.keys[i] = (uint64_t)(i * 7919 % 10007) + 1;
    for (long i = 0; i < n; i++)
        *find(&t, t.keys[i]) = (struct slot){
            t.keys[i], what[0] == 'a' ? (uint64_t)((a * i + b) % 100003) : t.keys[(a * i + b) % n]};
    *find(&t, t.keys[n]) = (struct slot){t.keys[n], 1}; /* it is not looked up */
    printf("%ld\n", what[0] == 'a' ? look_up_all(&t) : look_up_chained(&t));
}

int harness_main(int argc, char *argv[])
{
    const char *what = argc > 1 ? argv[1] : "";
    long number[3] = {0};

    for (int i = 2; i < argc && i < 5; i++)
        number[i - 2] = atol(argv[i]);
    harness_kind = argc > 2 ? argv[2] : "";
    if (strcmp(what, "time") == 0 && argc == 4)
        harness_ask_time(atof(argv[3]));
    else if (strcmp(what, "array") == 0 || strcmp(what, "list") == 0)
        harness_ask_items(what, number[0], number[1], number[2]);
    else if (strcmp(what, "all") == 0 || strcmp(what, "chained") == 0)
        harness_ask_table(what, number[0], number[1], number[2]);
    else
        printf("%s\n", sizeof(struct tally) >= 64 &&
                               (uintptr_t)&apart[0] / 64 + 1 <= (uintptr_t)&apart[1] / 64
                           ? "apart"
                           : "together");
    return 0;
}
