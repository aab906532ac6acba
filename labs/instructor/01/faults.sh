# Planted mistakes in exercise 01 and the points that they cost; tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

faulty 01 'wall clock' 's/return \(double\)clock\(\) .*/struct timespec now; clock_gettime(CLOCK_MONOTONIC, \&now); return (double)now.tv_sec + (double)now.tv_nsec \/ 1e9;/'
loses 01 'the wall clock for that of the process' 'process_seconds() stands still in sleep'
