/* TestRun.h: the part of CUnit by which tap.c runs the tests. */
#ifndef TLBLAB_SMALL_TEST_RUN_H
#define TLBLAB_SMALL_TEST_RUN_H

#include <CUnit/CUnit.h>

enum { CUE_SUCCESS };
typedef struct CU_Suite {
    const char *pName;
} * CU_pSuite;
typedef struct CU_Test {
    const char *pName;
    CU_pSuite suite;
    void (*run)(void);
} * CU_pTest;
typedef void (*CU_completed)(CU_pTest test, CU_pSuite suite, CU_pFailureRecord failures);

void *CU_get_registry(void);
int CU_initialize_registry(void);
void CU_cleanup_registry(void);
CU_pSuite CU_add_suite(const char *name, int (*begin)(void), int (*end)(void));
CU_pTest CU_add_test(CU_pSuite suite, const char *name, void (*run)(void));
void CU_set_test_complete_handler(CU_completed handler);
void CU_set_suite_init_failure_handler(void (*handler)(CU_pSuite suite));
int CU_run_all_tests(void);
unsigned CU_get_number_of_tests_failed(void);
unsigned CU_get_number_of_suites_failed(void);

#endif
