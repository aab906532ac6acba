/* test_trace_inline_check.c: which accesses are checked in the program's assembly, and which are
 * only counted.
 *
 *     bin/.obj/plain/unit/test_trace_inline_check
 */
#include "tap.h"
#include "trace/format/inline_check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READ  "\tcall\t__tsan_read8@PLT\n"
#define WRITE "\tcall\t__tsan_write8@PLT\n"

static char text[1 << 16];

static int times(const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
        count++;
    return count;
}

/* The assembly in `text` becomes what inline_checks() makes of it. */
static void rewrite(const char *assembly)
{
    char name[] = "/tmp/tlblab.XXXXXX";
    int descriptor = mkstemp(name);
    CU_ASSERT_FATAL(descriptor >= 0);
    FILE *in = fdopen(descriptor, "w"), *out = tmpfile();
    CU_ASSERT_FATAL(in != NULL && out != NULL);
    fputs(assembly, in);
    fclose(in);
    inline_checks(name, out);
    remove(name);
    rewind(out);
    size_t length = fread(text, 1, sizeof text - 1, out);
    text[length] = '\0';
    fclose(out);
}

/* How many accesses of the assembly are checked. */
static int checks(const char *assembly)
{
    rewrite(assembly);
    return times("call\ttlb_trace_visit.begin");
}

static void test_repeated(void)
{
    CU_ASSERT_EQUAL(checks("\tmovq\t%rbp, %rdi\n" READ "\tmovq\t0(%rbp), %r13\n"
                           "\tmovq\t%rbp, %rdi\n" WRITE),
                    1);
    CU_ASSERT_EQUAL(times("addq\t$2, "), 1);
    CU_ASSERT_EQUAL(checks("\tleaq\t16(%rbx), %rdi\n" READ "\tjns\t.L3\n"
                           "\tleaq\t16(%rbx), %rdi\n" WRITE),
                    1);
    CU_ASSERT_EQUAL(times("addq\t$1, "), 2);
}

/* What may change the register, or come from elsewhere. */
static void test_not_repeated(void)
{
    static const char *const between[] = {"\taddq\t$8, %rbp\n",
                                          "\tmovl\t%eax, %ebp\n",
                                          "\tpopq\t%rbp\n",
                                          "\txchgq\t%rbp, %rax\n",
                                          ".L5:\n",
                                          "\tcall\tf\n",
                                          "#APP\n#NO_APP\n",
                                          "\tleave\n",
                                          "\tmovsb\n",
                                          "\tmovb\t$1, %bpl # x\n",
                                          "\tmulxq\t%rax, %rbp, %rcx\n"};
    char assembly[512];
    for (size_t i = 0; i < sizeof between / sizeof *between; i++) {
        snprintf(assembly, sizeof assembly, "\tmovq\t%%rbp, %%rdi\n%s%s\tmovq\t%%rbp, %%rdi\n%s",
                 READ, between[i], WRITE);
        CU_ASSERT_EQUAL(checks(assembly), 2);
        snprintf(assembly, sizeof assembly, "\tmovq\t%%rbp, %%rdi\n%s%s\tmovq\t%%rbp, %%rdi\n%s",
                 between[i], READ, WRITE);
        CU_ASSERT_EQUAL(checks(assembly), 2);
    }
    CU_ASSERT_EQUAL(checks("\tmovq\t%rbp, %rdi\n" READ "\tleaq\t8(%rbp), %rdi\n" WRITE), 2);
    CU_ASSERT_EQUAL(checks("\tmovq\t%rbp, %rdi\n" READ WRITE), 2);
    CU_ASSERT_EQUAL(
        checks("\tmovq\t%rbp, %rdi\n\taddq\t$4, %rdi\n" READ "\tmovq\t%rbp, %rdi\n" WRITE), 2);
    CU_ASSERT_EQUAL(checks("\tmovq\t%rbp, %rdi\n" READ "\tmovq\t%rbp, %rdi\n"
                           "\txorl\t%edi, %edi\n" WRITE),
                    2);
}

/* Accesses near what one register points to share a site: the same word of the slot. */
static void test_sites(void)
{
    CU_ASSERT_EQUAL(checks("\tleaq\t8(%r12), %rdi\n" READ "\tleaq\t16(%r12), %rdi\n" READ
                           "\tleaq\t8192(%r12), %rdi\n" READ "\tleaq\t(%r12,%rbx,8), %rdi\n" READ),
                    4);
    CU_ASSERT_EQUAL(times("(%r11), %r10\n"), 4);
    CU_ASSERT_EQUAL(times("tlb_trace_slot@gottpoff"), 1);
    const char *first = strstr(text, "(%r11), %r10"), *second = strstr(first + 1, "(%r11), %r10");
    const char *third = strstr(second + 1, "(%r11), %r10");
    long places[3];
    const char *at[] = {first, second, third};
    for (int i = 0; i < 3; i++) {
        while (at[i][-1] != '\t')
            at[i]--;
        places[i] = strtol(at[i], NULL, 10);
    }
    CU_ASSERT_EQUAL(places[0], places[1]);
    CU_ASSERT_NOT_EQUAL(places[0], places[2]);
}

static void test_unknown(void)
{
    static const char intel[] = "\t.intel_syntax noprefix\n\tmov\trdi, rbp\n\tcall\t__tsan_read8\n";
    CU_ASSERT_EQUAL(checks(intel), 0);
    CU_ASSERT_STRING_EQUAL(text, intel);
    CU_ASSERT_EQUAL(checks("\tcall\t__tsan_unaligned_read8@PLT\n"), 0);
    CU_ASSERT_EQUAL(checks("\tcall\t*__tsan_volatile_read8@GOTPCREL(%rip)\n"), 1);
}

int main(void)
{
    TAP_SUITE("checks in the program's assembly",
              {"an access to the same address again is counted without a check", test_repeated},
              {"it is checked where its address may be another one", test_not_repeated},
              {"accesses near what one register points to share a site", test_sites},
              {"what is not known stays as it is", test_unknown});
    return tap_run();
}
