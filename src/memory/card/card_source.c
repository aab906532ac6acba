/* card_source.c: the kernels of a card, in OpenCL C 1.2.
 *
 * Positions are 32-bit numbers of UNIT words: scaling them takes no instruction of its own on most
 * cards, as long as UNIT is a constant. */
#include "base/error.h"
#include "memory/card/card.h"
#include <stdio.h>
#include <string.h>

static const char *const names[CARD_KERNELS] = {
    "link_nodes",  "chase",        "chase_volatile", "chase_constant", "chase_local", "arithmetic",
    "stream_read", "stream_write", "stream_copy",    "stream_triad",   "read_spaced"};

const char *card_kernel_name(enum card_kernel kernel)
{
    return names[kernel];
}

/* LOADS is a hop of every chain; BEGIN and END carry the chains' positions. An address takes one
 * integer operation, which the load depends on. `arithmetic` alternates addition and exclusive or,
 * because compilers merge consecutive additions. */
static const char fixed[] =
    "#define AT(p) a[(ulong)(p) * UNIT]\n"
    "#define TIMES_4(X) X X X X\n"
    "#define TIMES_8(X) TIMES_4(X X)\n"
    "#define TIMES_16(X) TIMES_4(TIMES_4(X))\n"
    "kernel void link_nodes(global uint *a, global const uint *b, ulong count)\n"
    "{\n"
    "    ulong i = get_global_id(0);\n"
    "    if (i < count)\n"
    "        AT(b[2 * i]) = b[2 * i + 1];\n"
    "}\n"
    "kernel void chase(global const uint *a, global uint *state, uint rounds)\n"
    "{\n"
    "    BEGIN\n"
    "    for (uint i = 0; i < rounds; i++) {\n"
    "        TIMES_16(LOADS)\n"
    "    }\n"
    "    END\n"
    "}\n"
    "kernel void arithmetic(global uint *state, uint rounds, uint base)\n"
    "{\n"
    "    BEGIN\n"
    "    for (uint i = 0; i < rounds; i++) {\n"
    "        TIMES_8(ADDITIONS EXCLUSIVE_ORS)\n"
    "    }\n"
    "    state[CHAINS] = SUM;\n" /* unused results would be optimised away */
    "}\n"
    "#define ONE_CHAIN uint p = state[0]; \\\n"
    "    for (uint i = 0; i < rounds; i++) { TIMES_16(p = AT(p);) } \\\n"
    "    state[0] = p;\n"
    "kernel void chase_volatile(global const volatile uint *a, global uint *state, uint rounds)\n"
    "{ ONE_CHAIN }\n"
    "kernel void chase_constant(constant uint *a, global uint *state, uint rounds)\n"
    "{ ONE_CHAIN }\n"
    "kernel void chase_local(global const uint *a, global uint *state, uint rounds,\n"
    "                        local uint *here, uint count)\n"
    "{\n"
    "    uint lane = get_local_id(0), p = state[lane];\n"
    "    for (uint i = lane; i < count; i += get_local_size(0))\n"
    "        here[i] = a[i];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint i = 0; i < rounds; i++) {\n"
    "        TIMES_16(p = here[p];)\n"
    "    }\n"
    "    state[lane] = p;\n"
    "}\n"
    "#define EACH for (ulong i = get_global_id(0); i < count; i += get_global_size(0))\n"
    "kernel void stream_read(global const uint4 *a, global uint *state, ulong count)\n"
    "{\n"
    "    uint4 sum = (uint4)(0);\n"
    "    EACH\n"
    "        sum ^= a[i];\n"
    "    if ((sum.x ^ sum.y ^ sum.z ^ sum.w) == 0x9e3779b9)\n"
    "        state[0] = sum.x;\n"
    "}\n"
    "kernel void stream_write(global uint4 *a, uint value, ulong count)\n"
    "{\n"
    "    EACH\n"
    "        a[i] = (uint4)(value);\n"
    "}\n"
    "kernel void stream_copy(global uint4 *a, global const uint4 *b, ulong count)\n"
    "{\n"
    "    EACH\n"
    "        a[i] = b[i];\n"
    "}\n"
    "kernel void stream_triad(global float4 *a, global const float4 *b, global const float4 *c,\n"
    "                         ulong count)\n"
    "{\n"
    "    EACH\n"
    "        a[i] = b[i] + 3.0f * c[i];\n"
    "}\n"
    "kernel void read_spaced(global const uint *a, global uint *state, ulong count, ulong step)\n"
    "{\n"
    "    uint sum = 0;\n"
    "    EACH\n"
    "        sum ^= a[i * step];\n"
    "    if (sum == 0x9e3779b9)\n"
    "        state[0] = sum;\n"
    "}\n";

/* For each chain, appends a text with every `@` replaced by the chain's number. */
static size_t define(char *text, size_t used, const char *name, unsigned chains, const char *each)
{
    used += (size_t)sprintf(text + used, "#define %s", name);
    for (unsigned k = 0; k < chains; k++) {
        text[used++] = ' ';
        for (const char *at = each; *at != '\0'; at++)
            if (*at == '@')
                used += (size_t)sprintf(text + used, "%u", k);
            else
                text[used++] = *at;
    }
    text[used++] = '\n';
    text[used] = '\0';
    return used;
}

char *card_source(unsigned chains, bool far)
{
    char *text = allocate(sizeof fixed + 256 + 256 * (size_t)chains, 1);
    size_t used = (size_t)sprintf(text, "#define CHAINS %u\n#define UNIT %u\n", chains,
                                  far ? CARD_FAR_UNIT / (unsigned)sizeof(uint32_t) : 1);
    used = define(text, used, "BEGIN", chains, "uint p@ = state[@];");
    used = define(text, used, "LOADS", chains, "p@ = AT(p@);");
    used = define(text, used, "ADDITIONS", chains, "p@ += base;");
    used = define(text, used, "EXCLUSIVE_ORS", chains, "p@ ^= base;");
    used = define(text, used, "END", chains, "state[@] = p@;");
    used = define(text, used, "SUM", chains, "+ p@");
    memcpy(text + used, fixed, sizeof fixed);
    return text;
}
