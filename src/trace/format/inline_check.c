/* inline_check.c: makes the calls that gcc leaves in assembly rare.
 *
 *     inline_checks("prog.s", out);
 *
 * A call with the address in %rdi becomes
 *
 *     accesses of this thread += 1
 *     use = what this site found last
 *     if (mask & %rdi) != use->page:
 *         use = what this site found last = a visit that begins
 *     use->last = accesses
 *
 * Calls that follow one another without a jump, a call or a label between are a group. The last of
 * it adds them all to the accesses, since an addition in memory waits for the one before; the
 * others know how many come before them. Within a group the slot stays in %r11 where the program
 * leaves that alone.
 *
 * In `p[i] += x` one check does for the read and the write, as the address is the same.
 *
 * A check for each call alone would be half of this file, and programs 8 to 16 per cent slower
 * (measured).
 *
 * Each check is a site of its own, but for one whose address comes from the same instruction as
 * that of the check before. Any site would do: it is where the page is looked for first. The
 * registers that this takes are free there, since a call would change them. */
#define _GNU_SOURCE
#include "trace/format/inline_check.h"
#include "base/error.h"
#include "base/lines.h"
#include "trace/format/record.h"
#include "trace/format/ring.h"
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Local labels, which the next of their number replace: those that no code of the program has. */
#define HIT_LABEL  "73519"
#define DONE_LABEL "73520"

/* A function at the end of the file that begins a visit. */
#define BEGIN_VISIT "tlb_trace_visit.begin"

/* Whether the line calls an entry point for an aligned access; its size and operation then go to
 * `what`, as ring.h has them. */
static bool is_access(const char *line, unsigned *what)
{
    static const char *const names[] = {"read1",  "read2",  "read4",  "read8",  "read16",
                                        "write1", "write2", "write4", "write8", "write16"};
    char called[64];
    const char *at = called;
    if (sscanf(line, " call %63s", called) != 1)
        return false;
    if (*at == '*') /* through the table of addresses */
        at++;
    if (strncmp(at, "__tsan_", 7) != 0)
        return false;
    at += strncmp(at + 7, "volatile_", 9) == 0 ? 16 : 7;
    size_t length = strcspn(at, "@");
    for (unsigned i = 0; i < 10; i++)
        if (strlen(names[i]) == length && strncmp(at, names[i], length) == 0) {
            *what = ring_low(i % 5 << 4 | (unsigned)(i < 5 ? TRACE_READ : TRACE_WRITE));
            return true;
        }
    return false;
}

/* A call, which is written when the next one or the end of its group is known, and the lines after
 * it. */
struct check {
    unsigned site, what;
    unsigned ahead; /* its place in the group, from 1; 0: there is none */
    bool slot;      /* %r11 has the slot before it, */
    bool kept;      /* and still has it behind `lines` */
    char *lines;
    size_t length;
};

/* `last`: of its group. */
static void put_check(FILE *out, struct check *c, bool last)
{
    size_t remembered = offsetof(struct ring_slot, site) + c->site * sizeof(uint64_t);
    size_t accesses = offsetof(struct ring_slot, accesses);
    unsigned ahead = last ? 0 : c->ahead;
    if (c->ahead == 0)
        return;
    if (!c->slot)
        fputs("\tmovq\ttlb_trace_slot@gottpoff(%rip), %r11\n\tmovq\t%fs:(%r11), %r11\n", out);
    if (last)
        fprintf(out, "\taddq\t$%u, %zu(%%r11)\n", c->ahead, accesses);
    fprintf(out, "\tmovq\t%zu(%%r11), %%r10\n\tmovq\t%%rdi, %%rcx\n\tandq\t%zu(%%r11), %%rcx\n",
            remembered, offsetof(struct ring_slot, mask));
    fprintf(out, "\tcmpq\t%%rcx, %zu(%%r11,%%r10)\n\tje\t" HIT_LABEL "f\n",
            offsetof(struct page_use, page));
    fprintf(out, "\tmovabsq\t$%" PRIu64 ", %%rsi\n\tcall\t" BEGIN_VISIT "\n",
            ((uint64_t)c->what << RING_WHAT_SHIFT) + ahead);
    fprintf(out, "\tmovq\t%%r10, %zu(%%r11)\n\tjmp\t" DONE_LABEL "f\n" HIT_LABEL ":\n", remembered);
    fprintf(out, "\tmovq\t%zu(%%r11), %%rcx\n", accesses);
    if (ahead > 0)
        fprintf(out, "\taddq\t$%u, %%rcx\n", ahead);
    fprintf(out, "\tmovq\t%%rcx, %zu(%%r11,%%r10)\n" DONE_LABEL ":\n",
            offsetof(struct page_use, last));
    if (c->length > 0)
        fwrite(c->lines, 1, c->length, out);
    c->length = 0;
}

/* Whether control comes to the line from the one before alone, and goes on to the next one; so it
 * is with lines and labels for debuggers. */
static bool is_straight(const char *line)
{
    static const char *const others[] = {"j", "call", "ret", "rep", "notrack", "ud2", "sys"};
    if (strncmp(line, "\t.loc", 5) == 0 || strncmp(line, ".LVL", 4) == 0 ||
        strncmp(line, ".LB", 3) == 0)
        return true;
    if (line[0] != '\t' || line[1] < 'a' || line[1] > 'z')
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(line + 1, others[i], strlen(others[i])) == 0)
            return false;
    return true;
}

/* Whether the last operand of a line is a register with this in its name. */
static bool writes(const char *line, const char *end, const char *name)
{
    const char *operand = end;
    while (operand > line && operand[-1] != ',' && operand[-1] != '\t')
        operand--;
    return end[-1] != ')' && memmem(operand, (size_t)(end - operand), name, strlen(name)) != NULL;
}

/* Whether the lines since the check may have changed what `argument`, the last of them that writes
 * %rdi, is made of. A call spares %rbx, %rbp and %r12 to %r15; their parts have a `b` or the number
 * in their names. */
static bool is_changed(const struct check *c, const char *argument)
{
    bool found = false, spared = true, changed = false;
    char name[] = "b";
    const char *last, *end;
    if (strncmp(argument, "\tleaq\t", 6) != 0 && strncmp(argument, "\tmovq\t%", 7) != 0)
        return true;
    last = argument + strlen(argument) - strlen("%rdi");
    for (const char *line = c->lines; line < c->lines + c->length; line = end + 1) {
        end = strchr(line, '\n');
        bool is_argument = strncmp(line, argument, (size_t)(end - line)) == 0;
        found = found || is_argument;
        changed = changed || (!is_argument && writes(line, end, "di"));
        for (const char *at = strchr(argument, '%'); at < last; at = strchr(at + 1, '%')) {
            spared = spared && at[1] == 'r' && (at[2] == 'b' || (at[2] == '1' && at[3] >= '2'));
            name[0] = at[2] == 'b' ? 'b' : at[3];
            changed = changed || writes(line, end, name);
        }
    }
    return changed || !found || !spared;
}

static void put_after(FILE *out, struct check *c, const char *line, size_t length)
{
    if (is_straight(line) && c->ahead > 0) {
        c->lines = reallocate(c->lines, c->length + length + 1, 1);
        memcpy(c->lines + c->length, line, length);
        c->lines[c->length + length] = '\n';
        c->length += length + 1;
        c->kept = c->kept && strstr(line, "%r11") == NULL;
        return;
    }
    put_check(out, c, true);
    c->ahead = 0;
    fprintf(out, "%s\n", line);
}

/* Begins a visit to the page in %rcx, where that needs nothing but a place; else the runtime does.
 * Each instruction and each store counts: the reorder buffer and the store queue limit how many
 * misses of the program overlap. `begun` comes last: with it the visit is whole. */
_Static_assert(offsetof(struct page_use, address) == offsetof(struct page_use, page) + 8 &&
                   offsetof(struct visit, site) == offsetof(struct visit, begun) + 8 &&
                   sizeof(struct visit) % 16 == 0 && offsetof(struct visit, begun) % 16 == 0,
               "two words are written at once");

static void put_begin_visit(FILE *out)
{
    size_t visited = offsetof(struct ring_slot, visited), limit = offsetof(struct ring_slot, limit);
    fputs("\t.text\n\t.type\t" BEGIN_VISIT ", @function\n" BEGIN_VISIT ":\n\t.cfi_startproc\n",
          out);
    fprintf(out, "\tcmpq\t$0, %zu(%%r11)\n\tje\t2f\n", limit);
    fprintf(out, "\tmovl\t$%zu, %%r10d\n\txaddq\t%%r10, %zu(%%r11)\n", sizeof(struct visit),
            visited);
    fprintf(out, "\tcmpq\t%%r10, %zu(%%r11)\n\tjbe\t1f\n", limit);
    fprintf(out, "\tmovq\t%%rcx, %%xmm0\n\tmovq\t%%rdi, %%xmm1\n\tpunpcklqdq\t%%xmm1, %%xmm0\n");
    fprintf(out, "\tmovaps\t%%xmm0, %zu(%%r11,%%r10)\n", offsetof(struct visit, use.page));
    fprintf(out, "\taddq\t%zu(%%r11), %%rsi\n\tmovq\t%%rsi, %%xmm0\n\tmovhps\t(%%rsp), %%xmm0\n",
            offsetof(struct ring_slot, accesses));
    fprintf(out, "\tmovaps\t%%xmm0, %zu(%%r11,%%r10)\n\tret\n", offsetof(struct visit, begun));
    fprintf(out, "1:\tsubq\t$%zu, %zu(%%r11)\n", sizeof(struct visit), visited);
    fputs("2:\tmovq\t(%rsp), %rdx\n\tmovq\t%r11, %rcx\n\tsubq\t$8, %rsp\n\t.cfi_def_cfa_offset 16\n"
          "\tcall\ttlb_trace_visit@PLT\n\taddq\t$8, %rsp\n\t.cfi_def_cfa_offset 8\n"
          "\tmovq\t%rax, %r10\n\tmovq\t%rdx, %r11\n\tret\n\t.cfi_endproc\n"
          "\t.size\t" BEGIN_VISIT ", .-" BEGIN_VISIT "\n",
          out);
}

/* Keeps the instruction that writes %rdi. */
static void follow(char argument[64], const char *line)
{
    static const char target[] = ", %rdi";
    size_t length = strlen(line), tail = sizeof target - 1;
    if (length > tail && length < 64 && strcmp(line + length - tail, target) == 0)
        memcpy(argument, line, length + 1);
}

void inline_checks(const char *file, FILE *out)
{
    struct lines lines = lines_open(file);
    char *line, argument[64] = "", last[64] = "";
    size_t length;
    unsigned site = 0, what = 0;
    bool cut, known = true; /* the syntax */
    struct check check = {0};
    while ((line = lines_next(&lines, &length, &cut)) != NULL) {
        known = known && strstr(line, ".intel_syntax") == NULL;
        if (known && is_access(line, &what)) {
            bool same = site > 0 && strcmp(argument, last) == 0;
            site += !same;
            if (same && check.ahead > 0 && !is_changed(&check, argument)) {
                check.ahead++;
                continue;
            }
            put_check(out, &check, false);
            check.site = site % RING_SITES;
            check.what = what;
            check.slot = check.ahead++ > 0 && check.kept;
            check.kept = true;
            memcpy(last, argument, sizeof last);
        } else {
            follow(argument, line);
            put_after(out, &check, line, length);
        }
    }
    put_check(out, &check, true);
    free(check.lines);
    if (site > 0)
        put_begin_visit(out);
    lines_close(&lines);
}
