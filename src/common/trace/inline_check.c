/* inline_check.c: makes the calls that gcc leaves in assembly rare.
 *
 *     inline_checks("prog.s", out);
 *
 * A call with the address in %rdi becomes
 *
 *     add   $3, accesses of this thread      once for the three accesses of a stretch
 *     if (mask & %rdi) != page of the last access:
 *         take back those of the stretch that are still to come
 *         call  tlb_trace_read8
 *         add them again
 *
 * An addition waits for the one before it; one for each access would cost more than the check. The
 * registers that this takes are free there, since a call would change them. */
#include "trace/inline_check.h"
#include "base/error.h"
#include "base/lines.h"
#include "trace/ring.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* [bound] lines that are held back until the accesses among them are counted */
enum { STRETCH_MOST = 4096 };

struct stretch {
    char *lines[STRETCH_MOST];
    size_t count;
    unsigned accesses, seen;
};

/* Whether the line calls an entry point for an aligned access; its name without `__tsan_`, and
 * `volatile_`, such as "read8", goes to `name`. */
static bool is_access(const char *line, char *name, size_t room)
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
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && strncmp(at, names[i], length) == 0) {
            snprintf(name, room, "%s", names[i]);
            return true;
        }
    return false;
}

/* Whether control may come here from elsewhere, or go elsewhere: labels but those for debuggers
 * (.LVL3:), jumps, calls, returns, assembly of the programmer's, and other sections. */
static bool ends_stretch(const char *line)
{
    static const char *const ends[] = {"j",   "call", "ret",    "rep",    "loop", "notrack", "bnd",
                                       "sys", "ud2",  "xbegin", "xabort", "xend", NULL};
    static const char *const sections[] = {".text",       ".section",     ".pushsection",
                                           ".popsection", ".cfi_endproc", NULL};
    if (strncmp(line, "#APP", 4) == 0)
        return true;
    if (!isspace((unsigned char)*line) && *line != '\0' && *line != '#')
        return strncmp(line, ".L", 2) != 0 || !isupper((unsigned char)line[2]);
    line += strspn(line, " \t");
    for (int i = 0; *line != '.' && ends[i] != NULL; i++)
        if (strncmp(line, ends[i], strlen(ends[i])) == 0)
            return true;
    for (int i = 0; sections[i] != NULL; i++)
        if (strncmp(line, sections[i], strlen(sections[i])) == 0)
            return true;
    return false;
}

static void put_slot(FILE *out, const char *into)
{
    fprintf(out, "\tmovq\ttlb_trace_slot@gottpoff(%%rip), %s\n\tmovq\t%%fs:(%s), %s\n", into, into,
            into);
}

static void put_check(FILE *out, const char *name, unsigned all, unsigned to_come)
{
    size_t mask = offsetof(struct ring_slot, mask), page = offsetof(struct ring_slot, page);
    size_t accesses = offsetof(struct ring_slot, accesses);
    put_slot(out, "%rax");
    if (to_come + 1 == all)
        fprintf(out, "\taddq\t$%u, %zu(%%rax)\n", all, accesses);
    fprintf(out, "\tmovq\t%%rdi, %%rcx\n\tandq\t%zu(%%rax), %%rcx\n\tcmpq\t%zu(%%rax), %%rcx\n",
            mask, page);
    fputs("\tje\t73519f\n", out);
    if (to_come > 0)
        fprintf(out, "\tsubq\t$%u, %zu(%%rax)\n", to_come, accesses);
    fprintf(out, "\tcall\ttlb_trace_%s@PLT\n", name);
    if (to_come > 0) {
        put_slot(out, "%rax");
        fprintf(out, "\taddq\t$%u, %zu(%%rax)\n", to_come, accesses);
    }
    fputs("73519:\n", out);
}

static void put_stretch(struct stretch *s, FILE *out)
{
    char name[16];
    for (size_t i = 0; i < s->count; i++) {
        if (s->seen < s->accesses && is_access(s->lines[i], name, sizeof name))
            put_check(out, name, s->accesses, s->accesses - ++s->seen);
        else
            fprintf(out, "%s\n", s->lines[i]);
        free(s->lines[i]);
    }
    *s = (struct stretch){.count = 0};
}

void inline_checks(const char *file, FILE *out)
{
    struct lines lines = lines_open(file);
    struct stretch *stretch = allocate(1, sizeof *stretch);
    char *line, name[16];
    size_t length;
    bool cut, known = true; /* the syntax */
    while ((line = lines_next(&lines, &length, &cut)) != NULL) {
        known = known && strstr(line, ".intel_syntax") == NULL;
        bool access = known && is_access(line, name, sizeof name);
        if (stretch->count == STRETCH_MOST || (!access && ends_stretch(line)))
            put_stretch(stretch, out);
        stretch->accesses += access;
        stretch->lines[stretch->count++] = memcpy(allocate(length + 1, 1), line, length + 1);
    }
    put_stretch(stretch, out);
    free(stretch);
    lines_close(&lines);
}
