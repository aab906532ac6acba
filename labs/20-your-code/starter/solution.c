/* Exercise 20: the time of data structures.
 *
 * Usage: ./program list > list.dat         an array and a linked list of the same items
 *        ./program hash > hash.dat         look-ups in hash tables of several sizes
 *        ./program sharing > sharing.dat   two threads, each with a counter of its own
 * A row for each method and size: nanoseconds for an item, a look-up or a count. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef QUICK /* for tests of this exercise; labs/run */
#define MOST (1024L * 1024)
#else
#define MOST (64L * 1024 * 1024)
#endif
#define SEED 1

/* For `program call time`: what the clock shows then, in ns; 0: the clock is the machine's. */
static double rehearsed_ns;

static double now_ns(void)
{
    struct timespec now;

    if (rehearsed_ns > 0) {
        rehearsed_ns += 20; /* to ask takes time, and it has steps of 1 us */
        return (double)((long)rehearsed_ns / 1000 * 1000);
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static volatile long sink; /* results go there, so that they are used */

/* Nanoseconds per item; one call of work(data) processes `items` items. */
double ns_per_item(long (*work)(void *), void *data, long items)
{
    /* HOLE. One call, timed once, is no measurement. Warm the caches first; make a try last at
     * least 2 ms, with many calls if necessary; and ignore interrupted tries. */
    double begin = now_ns();
    sink = work(data);
    return (now_ns() - begin) / (double)items;
}

/* Mixes the bits of a number; different numbers stay different. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

/* A random number from 0 to limit - 1. The same state gives the same numbers. */
static long below(uint64_t *state, long limit)
{
    *state += 0x9E3779B97F4A7C15;
    return (long)(mix(*state) % (uint64_t)limit);
}

/* The numbers 0 to n - 1 in random order. */
static long *shuffled(long n)
{
    uint64_t state = SEED;
    long *order = malloc((size_t)n * sizeof *order);

    if (order == NULL)
        exit(2);
    for (long i = 0; i < n; i++) {
        long k = below(&state, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    return order;
}

static void put(const char *what, long bytes, long items, double ns)
{
    printf("%s\t%ld\t%ld\t%.3f\n", what, bytes, items, ns);
    fflush(stdout);
}

/* ---- an array and a list ---- */

struct item {
    struct item *next; /* NULL: the last one */
    long value;
    char name[48];
};

/* An array of items, and a list of all of them. */
struct items {
    struct item *at, *first;
    long count;
};

/* The sum of all values in the order of memory. data is a struct items. */
long sum_array(void *data)
{
    /* HOLE */
    (void)data;
    return 0;
}

/* The same sum along the list. */
long sum_list(void *data)
{
    /* HOLE */
    (void)data;
    return 0;
}

/* Links all items in this order: that of memory, or random as in a heap after some days. */
static void link_items(struct items *items, const long *order)
{
    struct item **end = &items->first;
    long count = items->count;

    for (long i = 0; i < count; i++) {
        struct item *item = &items->at[order != NULL ? order[i] : i];
        *end = item;
        end = &item->next;
    }
    *end = NULL;
}

static void measure_lists(long bytes)
{
    struct items items = {.count = bytes / (long)sizeof *items.at};
    long *order = shuffled(items.count);

    items.at = calloc((size_t)items.count, sizeof *items.at);
    if (items.at == NULL)
        exit(2);
    for (long i = 0; i < items.count; i++)
        items.at[i].value = i % 10;
    put("array", bytes, items.count, ns_per_item(sum_array, &items, items.count));
    link_items(&items, NULL);
    put("list", bytes, items.count, ns_per_item(sum_list, &items, items.count));
    link_items(&items, order);
    put("shuffled", bytes, items.count, ns_per_item(sum_list, &items, items.count));
    free(items.at);
    free(order);
}

/* ---- a hash table ---- */

struct slot {
    uint64_t key; /* 0: free */
    uint64_t value;
};

struct table {
    struct slot *slots;
    uint64_t mask;  /* number of slots, a power of two, less 1 */
    uint64_t *keys; /* all keys, in the order of the look-ups */
    long count;
};

/* The slot of a key, or the free slot for it. */
struct slot *find(const struct table *table, uint64_t key)
{
    uint64_t at = (key * 0x9E3779B97F4A7C15) >> 32;

    while (table->slots[at & table->mask].key != key && table->slots[at & table->mask].key != 0)
        at++;
    return &table->slots[at & table->mask];
}

/* Looks up all keys, in the order of table->keys; returns the sum of the values. data is a struct
 * table. No look-up needs the one before. */
long look_up_all(void *data)
{
    /* HOLE */
    (void)data;
    return 0;
}

/* As many look-ups, but each value is the next key. Begins with keys[0]; returns the last value. */
long look_up_chained(void *data)
{
    /* HOLE */
    (void)data;
    return 0;
}

/* Half of the slots are used. The value of each key is the next key to look up. */
static struct table open_table(long slots)
{
    struct table t = {.mask = (uint64_t)slots - 1, .count = slots / 2};
    long *order = shuffled(t.count);

    t.slots = calloc((size_t)slots, sizeof *t.slots);
    t.keys = malloc((size_t)t.count * sizeof *t.keys);
    if (t.slots == NULL || t.keys == NULL)
        exit(2);
    for (long i = 0; i < t.count; i++)
        t.keys[i] = mix((uint64_t)order[i] + 1);
    for (long i = 0; i < t.count; i++)
        *find(&t, t.keys[i]) = (struct slot){t.keys[i], t.keys[(i + 1) % t.count]};
    free(order);
    return t;
}

static void measure_tables(long bytes)
{
    struct table t = open_table(bytes / (long)sizeof *t.slots);

    put("independent", bytes, t.count, ns_per_item(look_up_all, &t, t.count));
    put("chained", bytes, t.count, ns_per_item(look_up_chained, &t, t.count));
    free(t.slots);
    free(t.keys);
}

/* ---- two threads ---- */

enum { COUNTS = 1000000 };

struct tally {
    /* HOLE: each thread has a tally of its own, but two neighbours share a line. Why is that slow,
     * and how can you separate them? (_Alignas) */
    _Atomic long count;
};

struct together {
    _Alignas(64) _Atomic long count[8];
};

static struct together together;
static struct tally apart[2];

static atomic_int ready;

static void *count_up(void *counter)
{
    _Atomic long *count = counter;

    /* Both begin at the same time, so that they compete for the line from the start. */
    atomic_fetch_add(&ready, 1);
    while (atomic_load(&ready) < 2)
        sched_yield();
    for (long i = 0; i < COUNTS; i++)
        atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    return NULL;
}

/* Two threads count, each in a counter of its own. */
static long count_both(void *data)
{
    _Atomic long **counters = data;
    pthread_t other;

    atomic_store(&ready, 0);
    if (pthread_create(&other, NULL, count_up, counters[1]) != 0)
        exit(2);
    count_up(counters[0]);
    pthread_join(other, NULL);
    return *counters[0];
}

static void measure_sharing(void)
{
    _Atomic long *near[2] = {&together.count[0], &together.count[1]};
    _Atomic long *far[2] = {&apart[0].count, &apart[1].count};

    put("together", 8, COUNTS, ns_per_item(count_both, near, COUNTS));
    put("apart", (long)sizeof(struct tally), COUNTS, ns_per_item(count_both, far, COUNTS));
}

static long calls, items_of_work;
static const char *kind;
static double each_ns;
static long disturbed_call;

static long work(void *data)
{
    double each = calls == 0 && strcmp(kind, "cold") == 0 ? 90 : each_ns;

    rehearsed_ns += (double)items_of_work * each;
    if (strcmp(kind, "disturbed") == 0 && calls == disturbed_call)
        rehearsed_ns += 5e6;
    calls++;
    return *(long *)data;
}

static void ask_time(long a, long b)
{
    long data = 1;

    each_ns = 0;
    for (long i = 0; i < 10; i++)
        each_ns += (double)((a * i + b) % 7 + 2) / 10;
    if (strcmp(kind, "long") == 0)
        each_ns = 3e6;
    disturbed_call = 6000 + 5000 * (b % 5); /* in the first try, or a later one */
    rehearsed_ns = 1e9;
    items_of_work = 132 + 8 * (a % 2);
    double found = ns_per_item(work, &data, items_of_work);
    printf("%ld calls\n%.3f\n", calls, found);
}

static void ask_items(const char *what, long n, long a, long b)
{
    struct items items = {.at = calloc((size_t)n + 1, sizeof *items.at), .count = n};

    for (long i = 0; i <= n; i++)
        items.at[i].value = i == n ? 1000000 : (a * i + b) % 1009 * 10000019;
    for (long i = 0; i < n; i += 2) {
        items.at[i].next = items.first;
        items.first = &items.at[i];
    }
    printf("%ld\n", what[0] == 'a' ? sum_array(&items) : sum_list(&items));
}

static void ask_table(const char *what, long n, long a, long b)
{
    struct table t = {.mask = 4095, .count = n};

    t.slots = calloc(4096, sizeof *t.slots);
    t.keys = calloc((size_t)n + 1, sizeof *t.keys);
    for (long i = 0; i <= n; i++)
        t.keys[i] = (uint64_t)(i * 7919 % 10007) * 10000019 + 1;
    for (long i = 0; i < n; i++)
        *find(&t, t.keys[i]) = (struct slot){
            t.keys[i],
            what[0] == 'a' ? (uint64_t)((a * i + b) % 100003) * 10000019 : t.keys[(a * i + b) % n]};
    *find(&t, t.keys[n]) = (struct slot){t.keys[n], 1}; /* it is not looked up */
    printf("%ld\n", what[0] == 'a' ? look_up_all(&t) : look_up_chained(&t));
}

/* Calls one function with the numbers that follow, and prints what it returns:
 *
 *   program call time KIND A B
 *       ns_per_item() with a clock and work that are rehearsed. The work is 132 + 8 (A % 2)
 *       items, each of the mean of (A i + B) % 7 + 2 ns for i = 0 to 9 (short), of 90 ns the
 *       first time (cold), or 3 ms (long); or call 6000 + 5000 (B % 5) is interrupted for 5 ms
 *       (disturbed)
 *   program call array|list N A B
 *       the sum of N items, of which item i has 10000019 times (A i + B) % 1009; the list goes
 *       through every second one, backwards
 *   program call all N A B
 *       the sum of the look-ups of N keys; that of key i is 10000019 times (A i + B) % 100003
 *   program call chained N A B
 *       N look-ups; that of key i is key (A i + B) % N
 *   program call tally
 *       where the two tallies are */
static int call(int argc, char *argv[])
{
    const char *what = argc > 1 ? argv[1] : "";
    long number[3] = {0};

    for (int i = 2; i < argc && i < 5; i++)
        number[i - 2] = atol(argv[i]);
    kind = argc > 2 ? argv[2] : "";
    if (strcmp(what, "time") == 0 && argc == 5)
        ask_time(number[1], number[2]);
    else if (strcmp(what, "array") == 0 || strcmp(what, "list") == 0)
        ask_items(what, number[0], number[1], number[2]);
    else if (strcmp(what, "all") == 0 || strcmp(what, "chained") == 0)
        ask_table(what, number[0], number[1], number[2]);
    else
        printf("%lu\n%lu\n", (unsigned long)(uintptr_t)&apart[0].count,
               (unsigned long)(uintptr_t)&apart[1].count);
    return 0;
}

int main(int argc, char *argv[])
{
    if (argc > 2 && strcmp(argv[1], "call") == 0)
        return call(argc - 1, argv + 1);
    const char *what = argc == 2 ? argv[1] : "";
    void (*measure)(long) = strcmp(what, "list") == 0   ? measure_lists
                            : strcmp(what, "hash") == 0 ? measure_tables
                                                        : NULL;

    if (measure == NULL && strcmp(what, "sharing") != 0) {
        fprintf(stderr, "Usage: program list|hash|sharing\n");
        return 2;
    }
    printf("# program: structures\n# seed: %d\nwhat\tbytes\titems\tns\n", SEED);
    if (measure == NULL)
        measure_sharing();
    for (long bytes = 16 * 1024; measure != NULL && bytes <= MOST; bytes *= 2)
        measure(bytes);
    return 0;
}
