/* Prints 100 ms of sleep by both clocks of program.c, then 50 ms of work by its process clock. */
#define main student_main
#include "program.c"
#undef main

static double used(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(void)
{
    double process = process_seconds(), wall = wall_seconds();
    struct timespec rest = {0, 100000000};

    nanosleep(&rest, NULL);
    printf("%.6f %.6f ", process_seconds() - process, wall_seconds() - wall);
    process = process_seconds();
    for (double until = used() + 0.05; used() < until;)
        ;
    printf("%.6f\n", process_seconds() - process);
    return 0;
}
