/* support.h: what support.c has for every harness. A harness includes it behind the student's
 * program and has harness_main() in place of main(): the program is as its author compiles it. */
int harness_main(int argc, char *argv[]);

/* Memory that begins `bytes` before a page that may not be read or written. */
void *harness_guarded(unsigned long bytes);

/* Such memory of pages of page_bytes: page p begins with the byte 1 + (7 p + seed) % 100, and all
 * other bytes are 101. */
char *harness_known(unsigned long page_bytes, int pages, int seed);

/* How many of the pages begin with a 1, as only those do that prepare() wrote to. */
int harness_touched(const char *memory, unsigned long page_bytes, int pages);

/* Stops all clocks that the student's program can ask. To ask one takes ask_ns, and each shows
 * whole steps of step_ns (0: all there is). */
void harness_simulate(double ask_ns, double step_ns);

/* Lets the simulated clocks go on. */
void harness_pass(double process_ns, double wall_ns);

/* The real clocks, in seconds. */
double harness_process_s(void), harness_wall_s(void);

/* Prints what measure() returns, in nanoseconds, for so many loads, and the process time and wall
 * time in seconds that passed meanwhile. A tenth of the loads come before, to warm up. */
void harness_tell_time(double (*measure)(long loads), long loads);
