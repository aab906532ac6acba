/* What the clocks of program.c show while simulated ones go on.
 *
 * Usage: ./harness PROCESS_MS WALL_MS    seconds by process_seconds(), then by wall_seconds() */
#include "program.c"
#include "support.h"
#include <stdlib.h>

int harness_main(int argc, char *argv[])
{
    if (argc != 3)
        return 2;
    harness_simulate(0, 0);
    double process = process_seconds(), wall = wall_seconds();

    harness_pass(atof(argv[1]) * 1e6, atof(argv[2]) * 1e6);
    printf("%.6f ", process_seconds() - process);
    printf("%.6f\n", wall_seconds() - wall);
    return 0;
}
