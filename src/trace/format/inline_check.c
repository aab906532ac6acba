/* inline_check.c: makes the calls that gcc leaves in assembly rare.
 *
 *     inline_checks("prog.s", out);
 *
 * A call with the address in %rdi becomes
 *
 *     add   $3, accesses of this thread      once for the three accesses of a stretch
 *     use = what this site found last
 *     if (mask & %rdi) != use->page:
 *         use = what this site found last = a visit that begins
 *     use->last = accesses, less those of the stretch that are still to come
 *
 * An addition waits for the one before it; one for each access would cost more than the check. The
 * registers that this takes are free there, since a call would change them. An access to the
 * address of the access just before it is counted, no more: its page is the newest. */
#include "trace/format/inline_check.h"
#include "base/error.h"
#include "base/lines.h"
#include "trace/format/record.h"
#include "trace/format/ring.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* [bound] lines that are held back until the accesses among them are counted */
enum { STRETCH_MOST = 4000 };
_Static_assert((int)STRETCH_MOST <= (int)RING_TO_COME_MOST, "their number has its bits in `what`");

/* [bound] registers that calls leave alone; how far from one an access is likely in the page that
 * it points to */
enum { KEPT = 7, NEAR = 2048 };

/* Local labels, which the next of their number replace: those that no code of the program has. */
#define HIT_LABEL  "73519"
#define DONE_LABEL "73520"

/* A function at the end of the file that begins a visit. */
#define BEGIN_VISIT "tlb_trace_visit.begin"

/* Base and distance; base -1: another one. */
struct address {
    int base;
    long distance;
};

/* What is known of registers where a line begins. */
struct registers {
    bool slot;               /* %r11 has the slot */
    struct address last;     /* of the access just before, where the base is still the same */
    struct address argument; /* in %rdi */
    unsigned site[KEPT];     /* 1 + that of accesses near what a register points to; 0: none yet */
};

struct stretch {
    char *lines[STRETCH_MOST];
    size_t count;
    unsigned accesses, seen;
    unsigned site; /* of the next access */
    bool checks;   /* there was one in the file */
    struct registers known;
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

/* Size and operation as ring.h has them, from "read8". */
static unsigned what_of(const char *name)
{
    unsigned bytes = (unsigned)atoi(name + strcspn(name, "0123456789")), code = 0;
    while (1u << code < bytes)
        code++;
    return ring_low(code << 4 | (unsigned)(name[0] == 'w' ? TRACE_WRITE : TRACE_READ));
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

/* ---- registers ---- */

/* The register that calls leave alone with which a text begins (%rbx, %r12d): its number from 0, or
 * -1. */
static int kept_register(const char *text)
{
    static const char names[] = "bxbpsp12131415blbh";
    if (*text++ != '%')
        return -1;
    text += *text == 'r' || *text == 'e';
    for (int i = 0; names[2 * i] != '\0'; i++)
        if (strncmp(text, names + 2 * (size_t)i, 2) == 0)
            return i < KEPT ? i : 0;
    return -1;
}

/* The last operand of an instruction. */
static const char *target_of(const char *line)
{
    const char *target = line;
    for (int depth = 0; *line != '\0' && *line != '#'; line++) {
        depth += (*line == '(') - (*line == ')');
        if (depth == 0 && strchr("\t ,", *line) != NULL && line[1] != '#')
            target = line + 1;
    }
    return target;
}

/* Whether a line writes no register but its last operand. */
static bool is_simple(const char *line)
{
    static const char *const known[] = {"mov", "leaq", "leal", "add", "sub", "and", "or",
                                        "xor", "cmp",  "test", "neg", "not", "sal", "sar",
                                        "shl", "shr",  "cvt",  "j",   NULL};
    if (*line == '.' || *line == '#' || *line == '\0')
        return true;
    for (int i = 0; known[i] != NULL; i++)
        if (strncmp(line, known[i], strlen(known[i])) == 0)
            return target_of(line) != line; /* movsb has none */
    return false;
}

/* The address that an instruction puts into %rdi, where it is a register that calls leave alone, or
 * near what that points to; false of another instruction. */
static bool is_argument(const char *line, struct address *address)
{
    char *end;
    *address = (struct address){-1, 0};
    if (strncmp(target_of(line), "%rdi", 4) != 0 && strncmp(target_of(line), "%edi", 4) != 0)
        return false;
    if (strncmp(line, "movq\t", 5) == 0)
        *address = (struct address){kept_register(line + 5), 0};
    else if (strncmp(line, "leaq\t", 5) == 0) {
        address->distance = strtol(line + 5, &end, 10);
        if (*end == '(' && strcspn(end, ",") > strcspn(end, ")"))
            address->base = kept_register(end + 1);
    }
    return true;
}

static void forget(struct address *address, bool all, int written)
{
    if (all || address->base == written)
        address->base = -1;
}

/* What is known behind a line that is no access. */
static void follow(struct registers *known, const char *line)
{
    struct address argument;
    const char *at = line + strspn(line, " \t");
    bool ends = ends_stretch(line) && *at != 'j', call = strncmp(at, "call", 4) == 0;
    int written = kept_register(target_of(at));
    if (ends || strstr(at, "r11") != NULL)
        known->slot = false;
    forget(&known->last, ends || !is_simple(at), written);
    forget(&known->argument, ends || !is_simple(at), written);
    if (is_argument(at, &argument))
        known->argument = argument;
    if (written >= 0)
        known->site[written] = 0;
    if (ends && !call)
        memset(known->site, 0, sizeof known->site);
}

/* ---- accesses ---- */

/* Each place in the code is a site of its own, but for those near what one register points to: they
 * are mostly in the same page. */
static unsigned site_of(struct stretch *s)
{
    struct address at = s->known.argument;
    if (at.base < 0 || at.distance <= -NEAR || at.distance >= NEAR)
        return s->site++ % RING_SITES;
    unsigned *site = &s->known.site[at.base];
    if (*site == 0)
        *site = 1 + s->site++ % RING_SITES;
    return *site - 1;
}

/* The slot into %r11; counts the accesses of the stretch with the first of them. */
static void put_count(struct stretch *s, FILE *out)
{
    if (!s->known.slot)
        fputs("\tmovq\ttlb_trace_slot@gottpoff(%rip), %r11\n\tmovq\t%fs:(%r11), %r11\n", out);
    s->known.slot = true;
    if (s->seen == 0)
        fprintf(out, "\taddq\t$%u, %zu(%%r11)\n", s->accesses,
                offsetof(struct ring_slot, accesses));
}

static void put_check(FILE *out, unsigned site, unsigned to_come, unsigned what)
{
    fprintf(out, "\tmovq\t%zu(%%r11), %%r10\n\tmovq\t%%rdi, %%rcx\n\tandq\t%zu(%%r11), %%rcx\n",
            offsetof(struct ring_slot, site) + site * sizeof(uint64_t),
            offsetof(struct ring_slot, mask));
    fprintf(out, "\tcmpq\t%%rcx, %zu(%%r11,%%r10)\n\tje\t" HIT_LABEL "f\n",
            offsetof(struct page_use, page));
    fprintf(out, "\tmovabsq\t$%" PRIu64 ", %%rsi\n\tcall\t" BEGIN_VISIT "\n",
            (uint64_t)(to_come << RING_TO_COME_SHIFT | what) << RING_WHAT_SHIFT);
    fprintf(out, "\tmovq\t%%r10, %zu(%%r11)\n\tjmp\t" DONE_LABEL "f\n" HIT_LABEL ":\n",
            offsetof(struct ring_slot, site) + site * sizeof(uint64_t));
    fprintf(out, "\tmovq\t%zu(%%r11), %%rcx\n", offsetof(struct ring_slot, accesses));
    if (to_come > 0)
        fprintf(out, "\tsubq\t$%u, %%rcx\n", to_come);
    fprintf(out, "\tmovq\t%%rcx, %zu(%%r11,%%r10)\n" DONE_LABEL ":\n",
            offsetof(struct page_use, last));
}

static void put_access(struct stretch *s, const char *name, FILE *out)
{
    struct address *at = &s->known.argument, *last = &s->known.last;
    bool repeated = at->base >= 0 && at->base == last->base && at->distance == last->distance;
    if (!repeated || s->seen == 0)
        put_count(s, out);
    s->seen++;
    s->checks = true;
    if (!repeated)
        put_check(out, site_of(s), s->accesses - s->seen, what_of(name));
    *last = *at;
    at->base = -1;
}

static void put_stretch(struct stretch *s, FILE *out)
{
    char name[16];
    for (size_t i = 0; i < s->count; i++) {
        if (s->seen < s->accesses && is_access(s->lines[i], name, sizeof name))
            put_access(s, name, out);
        else {
            fprintf(out, "%s\n", s->lines[i]);
            follow(&s->known, s->lines[i]);
        }
        free(s->lines[i]);
    }
    *s = (struct stretch){.site = s->site, .checks = s->checks, .known = s->known};
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

void inline_checks(const char *file, FILE *out)
{
    struct lines lines = lines_open(file);
    struct stretch *stretch = allocate(1, sizeof *stretch);
    stretch->known.last.base = stretch->known.argument.base = -1;
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
    if (stretch->checks)
        put_begin_visit(out);
    free(stretch);
    lines_close(&lines);
}
