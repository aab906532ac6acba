# Planted mistakes in exercise 01 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

seconds='process_seconds() counts seconds of work'
still='process_seconds() stands still in sleep'
wall='wall_seconds() goes on in sleep'
table='time.dat: your measurement'

faulty 01 'wall clock' 's/return \(double\)clock\(\) .*/return wall_seconds();/; s/^double process/double wall_seconds(void);\n&/'
loses 01 'the wall clock for that of the process' "$still" "$table"
faulty 01 'whole seconds' 's/\(double\)clock\(\) \/ /(double)(clock() \/ /; s/CLOCKS_PER_SEC;/CLOCKS_PER_SEC);/'
loses 01 'whole seconds' "$seconds" "$still" "$wall" "$table"
faulty 01 'ticks' 's/ \/ CLOCKS_PER_SEC;/;/'
loses 01 'ticks for seconds' "$seconds" "$table"
faulty 01 'nothing' 's/\(double\)clock\(\) \/ CLOCKS_PER_SEC/0.0 * (double)clock()/'
# The clock that was given is worth something beside the other one.
loses 01 'a clock that stands still' "$seconds" "$still" "$wall" "$table"
faulty 01 'real time' 's/CLOCK_MONOTONIC/CLOCK_PROCESS_CPUTIME_ID/'
loses 01 'the clock of the process for the wall clock' "$wall"
faulty 01 'zeros' ''
awk -F '\t' -v OFS='\t' '/^[0-9]/ { $4 = $5 = $2 / 1000 } 1' "$full/time.dat" >"$work/time.dat"
loses 01 'a table of no times' "$table"

rewritten 01 'in two parts' process_seconds <<'C'
double process_seconds(void)
{
    clock_t now = clock();

    return (double)(now / CLOCKS_PER_SEC) + (double)(now % CLOCKS_PER_SEC) / CLOCKS_PER_SEC;
}
C
keeps 01 'whole seconds and the rest, as in the other function'
rewritten 01 'process clock' process_seconds <<'C'
double process_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
C
keeps 01 'clock_gettime() for clock()'
rewritten 01 'usage' process_seconds <<'C'
#include <sys/resource.h>

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

double process_seconds(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}
C
sed -i 's/^why_wall_is_longer = /why_wall_is_longer =\n    /; s/^clocks_per_sec = .*/clocks_per_sec = 1,000,000/' "$work/answers.txt"
sed -i 's/$/\r/' "$work/answers.txt"
keeps 01 'getrusage() in a function of its own, a sentence below its key, an editor of another system'
