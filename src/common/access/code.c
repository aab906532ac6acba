/* code.c: nodes of machine code.
 *
 *     code_link(memory, &point, 64, next, &work);
 *     work.enter(10);                              ten laps over all nodes
 */
#include "access/code.h"
#include "access/layout.h"
#include "base/error.h"
#include "platform.h"
#include <string.h>

/* Code that jumps by so many bytes, counted from its own start; and that of the last node, a
 * function of the C calling convention that has the number of laps in its first argument. No
 * landing pad is needed: nodes are entered by jumps, and the first one by a call to memory that was
 * not mapped with PROT_BTI. */
struct jump {
    unsigned char code[CODE_NODE_BYTES];
    size_t bytes;
};

#if defined(__x86_64__)
static const int64_t reach = INT32_MAX - CODE_NODE_BYTES;

static void append(struct jump *jump, const void *code, size_t bytes)
{
    memcpy(jump->code + jump->bytes, code, bytes);
    jump->bytes += bytes;
}

/* The distance of a jump counts from the end of its instruction. */
static void append_distance(struct jump *jump, int64_t bytes)
{
    int32_t distance = (int32_t)(bytes - (int64_t)jump->bytes - 4);
    append(jump, &distance, sizeof distance);
}

static struct jump jump_by(int64_t bytes)
{
    struct jump jump = {.bytes = 0};
    append(&jump, "\xe9", 1); /* jmp */
    append_distance(&jump, bytes);
    return jump;
}

static struct jump last_by(int64_t bytes)
{
    struct jump jump = {.bytes = 0};
    append(&jump, "\x48\xff\xcf\x0f\x85", 5); /* dec rdi; jnz */
    append_distance(&jump, bytes);
    append(&jump, "\xc3", 1); /* ret */
    return jump;
}
#else
static void append(struct jump *jump, uint32_t instruction)
{
    memcpy(jump->code + jump->bytes, &instruction, sizeof instruction);
    jump->bytes += sizeof instruction;
}

#if defined(__riscv)
static const int64_t reach = INT32_MAX - 4096;

static void append_jump(struct jump *jump, int64_t bytes)
{
    uint32_t distance = (uint32_t)(bytes - (int64_t)jump->bytes);
    append(jump, ((distance + 0x800) & 0xfffff000) | 0x317); /* auipc t1, high */
    append(jump, distance << 20 | 0x30067);                  /* jalr zero, low(t1) */
}

static struct jump last_by(int64_t bytes)
{
    struct jump jump = {.bytes = 0};
    append(&jump, 0xfff50513); /* addi a0, a0, -1 */
    append(&jump, 0x00050663); /* beqz a0, 12 bytes on */
    append_jump(&jump, bytes);
    append(&jump, 0x00008067); /* ret */
    return jump;
}
#else
static const int64_t reach = (1 << 27) - CODE_NODE_BYTES;

static void append_jump(struct jump *jump, int64_t bytes)
{
    uint32_t words = (uint32_t)((bytes - (int64_t)jump->bytes) / 4);
    append(jump, 0x14000000 | (words & 0x03ffffff)); /* b */
}

static struct jump last_by(int64_t bytes)
{
    struct jump jump = {.bytes = 0};
    append(&jump, 0xf1000400); /* subs x0, x0, #1 */
    append(&jump, 0x54000040); /* b.eq, 8 bytes on */
    append_jump(&jump, bytes);
    append(&jump, 0xd65f03c0); /* ret */
    return jump;
}
#endif

static struct jump jump_by(int64_t bytes)
{
    struct jump jump = {.bytes = 0};
    append_jump(&jump, bytes);
    return jump;
}
#endif

static void make_executable(char *memory, uint64_t bytes, bool executable)
{
    struct platform_outcome result = platform_execute(memory, bytes, executable);
    if (result.verdict == PLATFORM_NO)
        die("kernel code needs memory to execute, and the system refuses it (%s): SELinux's "
            "execmem or systemd's MemoryDenyWriteExecute may forbid it",
            result.why);
}

void code_check(void)
{
    struct platform_outcome result;
    char *page = platform_map(platform_page_bytes(), 0, &result);
    if (page == NULL)
        die("the system provides no page for code: %s", result.why);
    make_executable(page, platform_page_bytes(), true);
    platform_unmap(page, platform_page_bytes());
}

static void write_jump(char *place, const char *to, bool last)
{
    int64_t distance = to - place;
    if (distance > reach || distance < -reach)
        die("kernel code: nodes %lld bytes apart are farther than a jump reaches (%lld)",
            (long long)(distance < 0 ? -distance : distance), (long long)reach);
    struct jump jump = last ? last_by(distance) : jump_by(distance);
    memcpy(place, jump.code, jump.bytes);
    /* Nothing on x86-64, whose caches are coherent. Elsewhere it cleans the line and invalidates
     * its copy in the instruction cache, and the barriers after each keep a jump from running ahead
     * of them. */
    __builtin___clear_cache(place, place + jump.bytes);
}

void code_link(char *memory, const struct point *p, uint64_t line_bytes, const uint32_t *next,
               struct kernel_work *work)
{
    uint64_t nodes = layout_nodes(p), page = platform_page_bytes(), low = UINT64_MAX, high = 0;
    char *first = memory + p->layout->offset(p, line_bytes, 0);
    for (uint64_t i = 0; i < nodes; i++) {
        uint64_t place = p->layout->offset(p, line_bytes, i);
        low = place < low ? place : low;
        high = place > high ? place : high;
    }
    low -= low % page;
    high += page - high % page;
    make_executable(memory + low, high - low, false);
    for (uint64_t i = 0; i < nodes; i++)
        write_jump(memory + p->layout->offset(p, line_bytes, i),
                   memory + p->layout->offset(p, line_bytes, next[i]), next[i] == 0);
    make_executable(memory + low, high - low, true);
    work->nodes = nodes;
    memcpy(&work->enter, &first, sizeof work->enter); /* C has no cast for this */
}
