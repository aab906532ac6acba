/* cunit.c: registers tests and runs them, as CUnit does. */
#include <CUnit/CUnit.h>
#include <setjmp.h>
#include <stdlib.h>

enum { MOST = 256 };
static struct CU_Suite suites[MOST];
static struct CU_Test tests[MOST];
static size_t suite_count, test_count;
static unsigned tests_failed;
static CU_completed completed;

static struct CU_FailureRecord failures[MOST];
static size_t failure_count;
static jmp_buf after_test;

void CU_check(bool passed, unsigned line, const char *file, const char *condition, bool fatal)
{
    if (passed)
        return;
    if (failure_count < MOST) {
        failures[failure_count] = (struct CU_FailureRecord){line, file, condition, NULL};
        if (failure_count > 0)
            failures[failure_count - 1].pNext = &failures[failure_count];
        failure_count++;
    }
    if (fatal)
        longjmp(after_test, 1);
}

int CU_initialize_registry(void)
{
    return CUE_SUCCESS;
}

void CU_cleanup_registry(void)
{
    suite_count = test_count = 0;
}

CU_pSuite CU_add_suite(const char *name, int (*begin)(void), int (*end)(void))
{
    if (suite_count == MOST || begin != NULL || end != NULL)
        return NULL;
    suites[suite_count] = (struct CU_Suite){name};
    return &suites[suite_count++];
}

CU_pTest CU_add_test(CU_pSuite suite, const char *name, void (*run)(void))
{
    if (test_count == MOST)
        return NULL;
    tests[test_count] = (struct CU_Test){name, suite, run};
    return &tests[test_count++];
}

void CU_set_test_complete_handler(CU_completed handler)
{
    completed = handler;
}

static void run(void (*test)(void))
{
    failure_count = 0;
    if (setjmp(after_test) == 0)
        test();
    tests_failed += failure_count > 0;
}

int CU_run_all_tests(void)
{
    for (size_t i = 0; i < test_count; i++) {
        run(tests[i].run);
        completed(&tests[i], tests[i].suite, failure_count > 0 ? failures : NULL);
    }
    return CUE_SUCCESS;
}

unsigned CU_get_number_of_tests_failed(void)
{
    return tests_failed;
}
