/* tap.h: runs CUnit suites and prints TAP.
 *
 *     int main(void)
 *     {
 *         TAP_SUITE("table", {"reads", test_reads}, {"writes", test_writes});
 *         return tap_run();
 *     }
 */
#ifndef TLBLAB_TAP_H
#define TLBLAB_TAP_H

#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stddef.h>

struct tap_case {
    const char *name;
    void (*run)(void);
};

void tap_suite(const char *name, const struct tap_case *cases, size_t count);

#define TAP_SUITE(name, ...)                                                                       \
    do {                                                                                           \
        static const struct tap_case cases_[] = {__VA_ARGS__};                                     \
        tap_suite(name, cases_, sizeof cases_ / sizeof *cases_);                                   \
    } while (0)

/* Runs every suite; the exit status is not 0 when a check failed, a suite could not be set up, or
 * no test ran. */
int tap_run(void);

/* In place of tap_run() where nothing can run: one skipped test with the reason. */
int tap_skip_all(const char *reason);

/* Whether a few cases are enough: with sanitizers, which make them many times slower and look at
 * code, not at numbers. Not where LONG or WHOLE is in the environment (scripts/test --all). */
bool tap_brief(void);

/* Runs `body` in a child process with `input` on its stdin; returns the exit status, and what it
 * wrote on stdout and stderr together, NUL-terminated, in `output`. For functions that die. */
int tap_fork(void (*body)(void), const char *input, char *output, size_t room);

#endif
