/* test_trace_inline_check.c: accesses that are checked in the program's assembly.
 *
 *     bin/.obj/plain/tests/trace/test_trace_inline_check
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

/* The word of the slot that the n-th access looks at. */
static long site(int n)
{
    const char *at = text;
    for (; n > 0; n--)
        at = strstr(at, "(%r11), %r10") + 1;
    for (at--; at[-1] != '\t';)
        at--;
    return strtol(at, NULL, 10);
}

TEST(accesses_by_the_same_instruction_share_a_site)
{
    CU_ASSERT_EQUAL(checks("\tleaq\t8(%rbp,%rax), %rdi\n" READ "\taddq\t$1, %rbx\n"
                           "\tleaq\t8(%rbp,%rax), %rdi\n" WRITE "\tmovq\t%rbp, %rdi\n" WRITE),
                    3);
    CU_ASSERT_EQUAL(times("__tsan"), 0);
    CU_ASSERT_EQUAL(site(1), site(2));
    CU_ASSERT_NOT_EQUAL(site(1), site(3));
}

/* How many accesses the n-th addition to the slot or to a number counts; 0: there is none. */
static long counted(int n)
{
    const char *at = text;
    for (; n > 0 && at != NULL; n--)
        if ((at = strstr(at, "\taddq\t$")) != NULL)
            at += strlen("\taddq\t$");
    return at != NULL && strncmp(at, "8, %rsp", 7) != 0 ? strtol(at, NULL, 10) : 0;
}

TEST(accesses_without_a_jump_between_are_counted_together)
{
    static const char load[] = "\tmovq\ttlb_trace_slot@gottpoff(%rip), %r11\n";
    CU_ASSERT_EQUAL(checks("\tmovq\t%rbx, %rdi\n" READ
                           "\t.loc 1 2 3\n.LVL7:\n\tmovq\t%r8, %rdi\n" READ
                           "\tmovq\t%r9, %rdi\n" WRITE "\tjne\t.L2\n"),
                    3);
    CU_ASSERT_EQUAL(times(load), 1);
    CU_ASSERT_EQUAL(times(", %rcx\n\taddq\t$1, %rcx\n"), 1);
    CU_ASSERT_EQUAL(times(", %rcx\n\taddq\t$2, %rcx\n"), 1);
    CU_ASSERT_EQUAL(counted(3), 3);
    CU_ASSERT_EQUAL(counted(4), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "73520:\n\tjne\t.L2\n"));
    static const char *const ends[] = {".L3:\n",  "\tcall\tf\n", "\tjmp\t.L3\n",
                                       "\tret\n", "#APP\n",      "\t.text\n"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char assembly[128];
        snprintf(assembly, sizeof assembly, READ "%s" READ, ends[i]);
        CU_ASSERT_EQUAL(checks(assembly), 2);
        CU_ASSERT_EQUAL(times(load), 2);
        CU_ASSERT_EQUAL(counted(1), 1);
        CU_ASSERT_EQUAL(counted(2), 1);
    }
    CU_ASSERT_EQUAL(checks(READ "\tmovl\t%eax, %r11d\n" READ), 2);
    CU_ASSERT_EQUAL(times(load), 2);
    CU_ASSERT_EQUAL(counted(2), 2);
}

/* The checks of two accesses whose addresses come from `argument`, with lines between. */
static int pair(const char *argument, const char *between)
{
    char assembly[512];
    snprintf(assembly, sizeof assembly, "%s" READ "%s%s" WRITE, argument, between, argument);
    return checks(assembly);
}

TEST(a_read_and_a_write_of_one_place_are_one_check)
{
    static const char place[] = "\tleaq\t8(%rbx,%r12,8), %rdi\n";
    CU_ASSERT_EQUAL(pair(place, "\tmovq\t8(%rbx,%r12,8), %r15\n\tmovq\t%rax, 8(%rbx)\n"), 1);
    CU_ASSERT_EQUAL(counted(1), 2);
    CU_ASSERT_EQUAL(pair("\tmovq\t%r12, %rdi\n", "\tmovq\t(%r12), %r15\n"), 1);
    CU_ASSERT_EQUAL(pair(place, "\taddq\t$8, %rbx\n"), 2);
    CU_ASSERT_EQUAL(pair(place, "\tmovb\t$8, %bl\n"), 2);
    CU_ASSERT_EQUAL(pair(place, "\tnegq\t%r12\n"), 2);
    CU_ASSERT_EQUAL(pair(place, "\tmovl\t$8, %r12d\n"), 2);
    CU_ASSERT_EQUAL(pair(place, ".L3:\n"), 2);
    CU_ASSERT_EQUAL(pair("\tmovq\t%rax, %rdi\n", ""), 2);
    CU_ASSERT_EQUAL(pair("\tmovq\t(%rbx), %rdi\n", ""), 2);
    CU_ASSERT_EQUAL(pair("\taddq\t%rbx, %rdi\n", ""), 2);
    CU_ASSERT_EQUAL(checks("\tmovq\t%rbx, %rdi\n" READ "\tmovl\t$8, %edi\n" WRITE), 2);
    CU_ASSERT_EQUAL(checks("\tmovq\t%rbx, %rdi\n" READ WRITE), 2);
}

TEST(what_is_not_known_stays_as_it_is)
{
    static const char intel[] = "\t.intel_syntax noprefix\n\tmov\trdi, rbp\n\tcall\t__tsan_read8\n";
    CU_ASSERT_EQUAL(checks(intel), 0);
    CU_ASSERT_STRING_EQUAL(text, intel);
    CU_ASSERT_EQUAL(checks("\tcall\t__tsan_unaligned_read8@PLT\n"), 0);
    CU_ASSERT_EQUAL(checks("\tcall\t*__tsan_volatile_read8@GOTPCREL(%rip)\n"), 1);
}
