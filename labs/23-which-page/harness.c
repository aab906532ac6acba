/* Calls functions of the program one at a time.
 *
 * Usage: ./harness spy                     whether spy_at() keeps away from the victim's line,
 * wherever it is
 *        ./harness evict PAGES             how many pages evict() touches, of twice as many
 *        ./harness defended BIT A B        the byte that defended() returns, and how many pages it
 * touches
 *        ./harness typical N STEP LONG     typical() of N times, of which every fourth is LONG
 */
#include "program.c"
#include "support.h"
#include <sys/resource.h>

/* New pages: the first access to each is a page fault, which the system counts. */
static char *harness_fresh(long pages)
{
    char *memory = mmap(NULL, (size_t)(pages * PAGE), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        exit(2);
    madvise(memory, (size_t)(pages * PAGE), MADV_NOHUGEPAGE);
    return memory;
}

static long harness_faults(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

static void harness_ask_spy(void)
{
    for (long at = 0; at < PAGE; at += 8) {
        long spy = spy_at(at);
        if (spy < 0 || spy >= PAGE || spy / 128 == at / 128) {
            printf("%ld for %ld\n", spy, at);
            return;
        }
    }
    printf("another line\n");
}

static void harness_ask_evict(long pages)
{
    char *memory = harness_fresh(2 * pages);
    long before = (harness_faults(), harness_faults());

    evict(memory, pages);
    printf("%ld\n", harness_faults() - before);
}

/* Pages that were written before have no fault, so a process of its own asks for each of them. */
static void harness_ask_defended(int bit, int a, int b)
{
    struct memory memory = {{harness_fresh(1), harness_fresh(1)}, NULL};
    long before = (harness_faults(), harness_faults());
    char got = defended(&memory, bit);
    long touched = harness_faults() - before;

    memory.page[0][VICTIM_AT] = (char)a;
    memory.page[1][VICTIM_AT] = (char)b;
    got = (char)(got + defended(&memory, bit));
    printf("%d, %ld pages\n", got, touched);
}

static void harness_ask_typical(long n, double step, double interrupted)
{
    double *ns = malloc((size_t)n * sizeof *ns);

    if (ns == NULL)
        exit(2);
    /* Every fourth is interrupted; of the others every third is a step later. */
    for (long i = 0, k = 0; i < n; i++)
        ns[i] = i % 4 == 1 ? interrupted : k++ % 3 == 0 ? 2 * step : step;
    printf("%.3f\n", typical(ns, n));
}

int harness_main(int argc, char *argv[])
{
    if (argc == 2)
        harness_ask_spy();
    else if (argc == 3)
        harness_ask_evict(atol(argv[2]));
    else if (argc == 5 && strcmp(argv[1], "defended") == 0)
        harness_ask_defended(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
    else if (argc == 5)
        harness_ask_typical(atol(argv[2]), atof(argv[3]), atof(argv[4]));
    else
        return 2;
    return 0;
}
