/* tap.h: runs CUnit tests and prints TAP. A file of tests has no main(), and no list of them:
 *
 *     TEST(reads_a_header)
 *     {
 *         CU_ASSERT_EQUAL(...);
 *     }
 */
#ifndef TLBLAB_TAP_H
#define TLBLAB_TAP_H

#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stddef.h>

/* Begins a test; its name in the output has spaces for the underscores. TEST_IF() skips it unless
 * the condition holds. */
#define TEST(name) TEST_IF(true, name)
#define TEST_IF(condition, name)                                                                   \
    static void name(void);                                                                        \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        tap_add(__FILE__, #name, name, (condition) ? NULL : #condition);                           \
    }                                                                                              \
    static void name(void)

/* `unless`: the condition that does not hold; NULL: the test runs. */
void tap_add(const char *file, const char *name, void (*run)(void), const char *unless);

/* Whether a few cases are enough: with sanitizers, which make them many times slower and look at
 * code, not at numbers. Not where LONG or WHOLE is in the environment (scripts/test --all). */
bool tap_brief(void);

/* Runs `body` in a child process with `input` on its stdin; returns the exit status, and what it
 * wrote on stdout and stderr together, NUL-terminated, in `output`. For functions that die. */
int tap_fork(void (*body)(void), const char *input, char *output, size_t room);

/* Whether `body`, run like that, exits 0 and has written exactly `text`; or exits 2 and has written
 * these words. If not, it prints what came. */
bool tap_writes(void (*body)(void), const char *input, const char *text);
bool tap_refuses(void (*body)(void), const char *input, const char *words);

#endif
