/* tap.c: CUnit's results as TAP, through CUnit's message handlers. */
#include "tap.h"
#include <CUnit/TestRun.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned tests_seen, suites_failed;

void tap_suite(const char *name, const struct tap_case *cases, size_t count)
{
    if (CU_get_registry() == NULL && CU_initialize_registry() != CUE_SUCCESS)
        exit(2);
    CU_pSuite suite = CU_add_suite(name, NULL, NULL);
    for (size_t i = 0; i < count; i++)
        if (suite == NULL || CU_add_test(suite, cases[i].name, cases[i].run) == NULL)
            exit(2);
}

static void print_result(const CU_pTest test, const CU_pSuite suite,
                         const CU_pFailureRecord failure)
{
    printf("%sok %u - %s: %s\n", failure ? "not " : "", ++tests_seen, suite->pName, test->pName);
    for (CU_pFailureRecord f = failure; f != NULL; f = f->pNext)
        printf("# %s:%u: %s\n", f->strFileName ? f->strFileName : "?", f->uiLineNumber,
               f->strCondition ? f->strCondition : "?");
    fflush(stdout);
}

static void count_failed_suite(const CU_pSuite suite)
{
    printf("# suite %s could not be set up\n", suite->pName);
    suites_failed++;
}

int tap_run(void)
{
    CU_set_test_complete_handler(print_result);
    CU_set_suite_init_failure_handler(count_failed_suite);
    CU_run_all_tests();
    printf("1..%u\n", tests_seen);
    fflush(stdout); /* a leak checker may end the process before exit() does */
    bool failed = CU_get_number_of_tests_failed() > 0 || CU_get_number_of_suites_failed() > 0 ||
                  suites_failed > 0 || tests_seen == 0;
    CU_cleanup_registry();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int tap_skip_all(const char *reason)
{
    printf("ok 1 - all # SKIP %s\n1..1\n", reason);
    return EXIT_SUCCESS;
}

bool tap_brief(void)
{
#ifdef __SANITIZE_ADDRESS__
    return getenv("LONG") == NULL && getenv("WHOLE") == NULL;
#else
    return false;
#endif
}

static void run_child(void (*body)(void), const int in[2], const int out[2])
{
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(out[1], STDERR_FILENO);
    close(in[0]);
    close(in[1]);
    close(out[0]);
    close(out[1]);
    body();
    exit(0);
}

int tap_fork(void (*body)(void), const char *input, char *output, size_t room)
{
    int in[2], out[2], status = 0;
    if (pipe(in) != 0 || pipe(out) != 0)
        return -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_child(body, in, out);
    close(in[0]);
    close(out[1]);
    if (write(in[1], input, strlen(input)) < 0) /* shorter than a pipe holds */
        perror("write");
    close(in[1]);
    size_t used = 0;
    ssize_t got;
    while (used + 1 < room && (got = read(out[0], output + used, room - 1 - used)) > 0)
        used += (size_t)got;
    output[used] = '\0';
    close(out[0]);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
