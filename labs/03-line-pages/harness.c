/* Calls the functions of program.c with memory whose bytes are known, and prints:
 *
 *   read PAGES REFS SEED   the sum, where page p begins with the byte 1 + (7 p + SEED) % 100
 *   touch PAGES            how many pages of prepare(PAGES) begin with a 1
 *   sparse PAGES REFS      the sum, where page p begins with the byte 1 + p and the rest is 0
 */
#include "program.c"
#include "support.h"
#include <stdlib.h>
#include <string.h>

/* Only the pages that are written here take memory. */
static char *harness_sparse(int pages)
{
    char *memory = harness_guarded((size_t)PAGESIZE * (size_t)pages);

    for (int p = 0; p < pages; p++)
        memory[(size_t)p * PAGESIZE] = (char)(1 + p);
    return memory;
}

int harness_main(int argc, char *argv[])
{
    int pages = argc > 2 ? atoi(argv[2]) : 0;

    if (argc == 5 && strcmp(argv[1], "read") == 0)
        printf("%ld\n",
               read_pages(harness_known(PAGESIZE, pages, atoi(argv[4])), pages, atol(argv[3])));
    else if (argc == 3 && strcmp(argv[1], "touch") == 0)
        printf("%d\n", harness_touched(prepare(pages), PAGESIZE, pages));
    else if (argc == 4 && strcmp(argv[1], "sparse") == 0)
        printf("%ld\n", read_pages(harness_sparse(pages), pages, atol(argv[3])));
    else
        return 2;
    return 0;
}
