/* CUnit.h: the part of CUnit that the tests use, for a processor or a C library without a CUnit. */
#ifndef TLBLAB_SMALL_CUNIT_H
#define TLBLAB_SMALL_CUNIT_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct CU_FailureRecord {
    unsigned uiLineNumber;
    const char *strFileName, *strCondition;
    struct CU_FailureRecord *pNext;
} * CU_pFailureRecord;

/* ---- by which tap.c runs the tests ---- */

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

int CU_initialize_registry(void);
void CU_cleanup_registry(void);
CU_pSuite CU_add_suite(const char *name, int (*begin)(void), int (*end)(void));
CU_pTest CU_add_test(CU_pSuite suite, const char *name, void (*run)(void));
void CU_set_test_complete_handler(CU_completed handler);
int CU_run_all_tests(void);
unsigned CU_get_number_of_tests_failed(void);

/* ---- checks ---- */

/* Notes a check; a fatal one that fails ends its test. */
void CU_check(bool passed, unsigned line, const char *file, const char *condition, bool fatal);

#define CU_CHECK_(passed, text) CU_check((passed), __LINE__, __FILE__, text, false)
#define CU_FATAL_(passed, text) CU_check((passed), __LINE__, __FILE__, text, true)

#define CU_PASS(text)                    CU_CHECK_(true, text)
#define CU_FAIL(text)                    CU_CHECK_(false, text)
#define CU_ASSERT(x)                     CU_CHECK_((x), #x)
#define CU_ASSERT_TRUE(x)                CU_CHECK_((x), #x)
#define CU_ASSERT_FALSE(x)               CU_CHECK_(!(x), "not " #x)
#define CU_ASSERT_EQUAL(a, b)            CU_CHECK_((a) == (b), #a " == " #b)
#define CU_ASSERT_NOT_EQUAL(a, b)        CU_CHECK_((a) != (b), #a " != " #b)
#define CU_ASSERT_PTR_EQUAL(a, b)        CU_ASSERT_EQUAL(a, b)
#define CU_ASSERT_PTR_NOT_EQUAL(a, b)    CU_ASSERT_NOT_EQUAL(a, b)
#define CU_ASSERT_PTR_NULL(a)            CU_CHECK_((a) == NULL, #a " == NULL")
#define CU_ASSERT_PTR_NOT_NULL(a)        CU_CHECK_((a) != NULL, #a " != NULL")
#define CU_ASSERT_STRING_EQUAL(a, b)     CU_CHECK_(strcmp((a), (b)) == 0, #a " is " #b)
#define CU_ASSERT_STRING_NOT_EQUAL(a, b) CU_CHECK_(strcmp((a), (b)) != 0, #a " is not " #b)
#define CU_ASSERT_DOUBLE_EQUAL(a, b, by)                                                           \
    CU_CHECK_(fabs((double)(a) - (double)(b)) <= fabs((double)(by)), #a " is about " #b)
#define CU_ASSERT_FATAL(x)              CU_FATAL_((x), #x)
#define CU_ASSERT_TRUE_FATAL(x)         CU_FATAL_((x), #x)
#define CU_ASSERT_EQUAL_FATAL(a, b)     CU_FATAL_((a) == (b), #a " == " #b)
#define CU_ASSERT_PTR_NULL_FATAL(a)     CU_FATAL_((a) == NULL, #a " == NULL")
#define CU_ASSERT_PTR_NOT_NULL_FATAL(a) CU_FATAL_((a) != NULL, #a " != NULL")

#endif
