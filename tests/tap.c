/* tap.c: CUnit's results as TAP, through CUnit's message handlers. */
#include "tap.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned tests_seen;

/* "tests/tlb/detect/test_curve.c" as "curve". */
static const char *suite_name(const char *file, char text[64])
{
    const char *slash = strrchr(file, '/');
    const char *base = slash != NULL ? slash + 1 : file;
    base += strncmp(base, "test_", 5) == 0 ? 5 : 0;
    snprintf(text, 64, "%.*s", (int)strcspn(base, "."), base);
    return text;
}

void tap_add(const char *file, const char *name, void (*run)(void), const char *unless)
{
    static CU_pSuite suite;
    char of[64], sentence[160];
    snprintf(sentence, sizeof sentence, "%s", name);
    for (char *c = sentence; (c = strchr(c, '_')) != NULL;)
        *c = ' ';
    if (unless != NULL) {
        printf("ok %u - %s: %s # SKIP unless %s\n", ++tests_seen, suite_name(file, of), sentence,
               unless);
        return;
    }
    if (suite == NULL && (CU_initialize_registry() != CUE_SUCCESS ||
                          (suite = CU_add_suite(suite_name(file, of), NULL, NULL)) == NULL))
        exit(2);
    if (CU_add_test(suite, sentence, run) == NULL)
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

int main(void)
{
    CU_set_test_complete_handler(print_result);
    CU_run_all_tests();
    printf("1..%u\n", tests_seen);
    fflush(stdout); /* a leak checker may end the process before exit() does */
    bool failed = CU_get_number_of_tests_failed() > 0 || tests_seen == 0;
    CU_cleanup_registry();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
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

static char output[1 << 16];

static bool report(bool good, int status)
{
    if (!good)
        printf("# status %d: %s\n", status, output);
    return good;
}

bool tap_writes(void (*body)(void), const char *input, const char *text)
{
    int status = tap_fork(body, input, output, sizeof output);
    return report(status == 0 && strcmp(output, text) == 0, status);
}

bool tap_refuses(void (*body)(void), const char *input, const char *words)
{
    int status = tap_fork(body, input, output, sizeof output);
    return report(status == 2 && strstr(output, words) != NULL, status);
}
