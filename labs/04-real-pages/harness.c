/* Calls the functions of program.c with memory whose bytes are known, and prints:
 *
 *   read PAGES REFS SEED   the sum, where page p begins with the byte 1 + (7 p + SEED) % 100
 *   sizes                  the sizes from 4 to 256
 *   touch PAGES            how many pages of prepare(PAGES) begin with a 1
 *   real PAGES OFFSET REAL real_pages() of memory that begins OFFSET bytes behind the start of a
 *                          real page of REAL bytes
 */
#include "program.c"
#include "support.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int harness_main(int argc, char *argv[])
{
    int pages = argc > 2 ? atoi(argv[2]) : 0;

    if (argc == 5 && strcmp(argv[1], "read") == 0)
        printf("%ld\n",
               read_pages(harness_known(PAGESIZE, pages, atoi(argv[4])), pages, atol(argv[3])));
    else if (argc == 3 && strcmp(argv[1], "touch") == 0)
        printf("%d\n", harness_touched(prepare(pages), PAGESIZE, pages));
    else if (argc == 2 && strcmp(argv[1], "sizes") == 0)
        for (int n = 4, rows = 0; n <= 256 && rows < 100; n = next_size(n), rows++)
            printf("%d\n", n);
    else if (argc == 5 && strcmp(argv[1], "real") == 0) /* addresses only; nothing is read */
        printf("%ld\n", real_pages((char *)0x10000000 + atoi(argv[3]), pages, atol(argv[4])));
    else
        return 2;
    return 0;
}
