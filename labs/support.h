/* support.h: what support.c has for every harness. A harness includes it behind the student's
 * program and has harness_main() in place of main(): the program is as its author compiles it. */
int harness_main(int argc, char *argv[]);

/* Memory that begins `bytes` before a page that may not be read or written. */
void *harness_fenced(unsigned long bytes);

/* Stops all clocks that the student's program can ask. To ask one takes ask_ns, and each shows
 * whole steps of step_ns (0: all there is). */
void harness_simulate(double ask_ns, double step_ns);

/* Lets the simulated clocks go on. */
void harness_pass(double process_ns, double wall_ns);

/* The real clocks, in seconds. */
double harness_process_s(void), harness_wall_s(void);
