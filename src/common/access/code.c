/* code.c: nodes of machine code.
 *
 *     code_place(memory, bytes, &point, 64);
 *     code_sequence(&code, &work, &point, memory, 64, next, &random);
 *     work.enter(work.start[0]);                 every node, in the order of the sequence
 */
#include "access/code.h"
#include "access/layout.h"
#include "base/error.h"
#include "platform.h"
#include <stdlib.h>
#include <string.h>

/* Longer than a branch predictor's history, and small compared with the second cache level; the
 * last piece is padded. [prior] */
enum { SEQUENCE_MOST = 1 << 16, ROUNDS_LEAST = 2 };

/* A node is a function of the C calling convention: it takes the sequence and tail-calls the first
 * word with the rest. A call therefore enters it, and a return ends the walk. It changes no
 * callee-saved register. It has no landing pad: only memory mapped with PROT_BTI needs one on
 * aarch64, and user programs on x86-64 need none. */
#if defined(__x86_64__)
static const unsigned char node_code[] = {
    0x48, 0x8b, 0x07,       /* mov rax, [rdi] */
    0x48, 0x83, 0xc7, 0x08, /* add rdi, 8 */
    0xff, 0xe0,             /* jmp rax */
};
static const unsigned char exit_code[] = {0xc3}; /* ret */
#elif defined(__riscv)
static const unsigned char node_code[] = {
    0x83, 0x37, 0x05, 0x00, /* ld a5, 0(a0) */
    0x13, 0x05, 0x85, 0x00, /* addi a0, a0, 8 */
    0x67, 0x80, 0x07, 0x00, /* jr a5 */
};
static const unsigned char exit_code[] = {0x67, 0x80, 0x00, 0x00}; /* ret */
#else
static const unsigned char node_code[] = {
    0x10, 0x84, 0x40, 0xf8, /* ldr x16, [x0], #8 */
    0x00, 0x02, 0x1f, 0xd6, /* br x16 */
};
static const unsigned char exit_code[] = {0xc0, 0x03, 0x5f, 0xd6}; /* ret */
#endif

_Static_assert(sizeof node_code <= CODE_NODE_BYTES, "a node fits into its room");

struct code {
    char *gate; /* a page with the node that is entered first, and the exit */
    uint64_t gate_bytes;
    void **sequence;
    uint64_t room;
};

enum { EXIT = 256 }; /* bytes from the start of the gate: another line */

static void make_executable(char *memory, uint64_t bytes, bool executable)
{
    struct platform_outcome result = platform_execute(memory, bytes, executable);
    if (result.verdict == PLATFORM_NO)
        die("kernel code needs memory to execute, and the system refuses it (%s): SELinux's "
            "execmem or systemd's MemoryDenyWriteExecute may forbid it",
            result.why);
}

static void write_code(char *place, const unsigned char *code, size_t bytes)
{
    memcpy(place, code, bytes);
    /* Nothing on x86-64, whose caches are coherent. Elsewhere it cleans the line and invalidates
     * its copy in the instruction cache, and the barriers after each keep a jump behind them. */
    __builtin___clear_cache(place, place + bytes);
}

void code_place(char *memory, uint64_t bytes, const struct point *p, uint64_t line_bytes)
{
    uint64_t nodes = layout_nodes(p);
    make_executable(memory, bytes, false);
    for (uint64_t i = 0; i < nodes; i++)
        write_code(memory + p->layout->offset(p, line_bytes, i), node_code, sizeof node_code);
    make_executable(memory, bytes, true);
}

static struct code *open_code(void)
{
    struct code *code = allocate(1, sizeof *code);
    struct platform_outcome result;
    code->gate_bytes = platform_page_bytes();
    code->gate = platform_map(code->gate_bytes, 0, &result);
    if (code->gate == NULL)
        die("the system provides no page for code: %s", result.why);
    write_code(code->gate, node_code, sizeof node_code);
    write_code(code->gate + EXIT, exit_code, sizeof exit_code);
    make_executable(code->gate, code->gate_bytes, true);
    return code;
}

void code_check(void)
{
    code_free(open_code());
}

void code_sequence(struct code **opened, struct kernel_work *work, const struct point *p,
                   char *memory, uint64_t line_bytes, uint32_t *next, struct random *random)
{
    struct code *code = *opened != NULL ? *opened : (*opened = open_code());
    uint64_t nodes = layout_nodes(p);
    uint64_t rounds = (work->loads < SEQUENCE_MOST ? work->loads : SEQUENCE_MOST) / nodes;
    if (rounds < ROUNDS_LEAST)
        rounds = ROUNDS_LEAST;
    uint64_t each = work->piece >= nodes ? work->piece / nodes : 1;
    if (work->piece == 0 || each > rounds)
        each = rounds;
    rounds = (rounds + each - 1) / each * each;
    if (rounds * nodes + rounds / each > code->room) {
        code->room = rounds * nodes + rounds / each;
        code->sequence = reallocate(code->sequence, code->room, sizeof *code->sequence);
    }
    void **place = code->sequence;
    for (uint64_t round = 1; round <= rounds; round++) {
        p->layout->chain(next, p, random);
        uint64_t node = random_below(random, nodes);
        for (uint64_t i = 0; i < nodes; i++, node = next[node])
            *place++ = memory + p->layout->offset(p, line_bytes, node);
        if (round % each == 0)
            *place++ = code->gate + EXIT;
    }
    work->start[0] = work->start[1] = code->sequence;
    work->start[2] = place;
    work->piece = each * nodes;
    memcpy(&work->enter, &code->gate, sizeof work->enter); /* C has no cast for this */
}

void code_free(struct code *code)
{
    if (code == NULL)
        return;
    platform_unmap(code->gate, code->gate_bytes);
    free(code->sequence);
    free(code);
}
