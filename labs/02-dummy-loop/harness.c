/* Prints what dummy(PAGES, REFS) of program.c returns. */
#define main student_main
#include "program.c"
#undef main
#include <stdlib.h>

int main(int argc, char *argv[])
{
    if (argc != 3)
        return 2;
    printf("%ld\n", dummy(atoi(argv[1]), atol(argv[2])));
    return 0;
}
