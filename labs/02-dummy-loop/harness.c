/* Prints what dummy(PAGES, REFS) of program.c returns. */
#include "program.c"
#include "support.h"
#include <stdlib.h>

int harness_main(int argc, char *argv[])
{
    if (argc != 3)
        return 2;
    printf("%ld\n", dummy(atoi(argv[1]), atol(argv[2])));
    return 0;
}
