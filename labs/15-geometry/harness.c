/* Calls functions of the program one at a time, for a TLB of ENTRIES, WAYS and FOLD.
 *
 * Usage: ./harness set ENTRIES WAYS FOLD PAGE
 *        ./harness lookup ENTRIES WAYS FOLD PAGE...    prints h and m for hits and misses
 *        ./harness misses ENTRIES WAYS FOLD TARGETS SPACING */
#include "program.c"
#include "support.h"

int harness_main(int argc, char *argv[])
{
    static struct tlb tlb;

    if (argc < 6)
        return 2;
    tlb.ways = atol(argv[3]);
    tlb.sets = atol(argv[2]) / tlb.ways;
    tlb.fold = atol(argv[4]);
    make_empty(&tlb);
    if (strcmp(argv[1], "set") == 0) {
        printf("%ld", set_of(&tlb, atol(argv[5])));
    } else if (strcmp(argv[1], "lookup") == 0) {
        for (int i = 5; i < argc; i++)
            putchar(lookup(&tlb, atol(argv[i])) ? 'h' : 'm');
    } else {
        printf("%ld", misses(&tlb, atol(argv[5]), argc > 6 ? atol(argv[6]) : 1));
    }
    putchar('\n');
    return 0;
}
