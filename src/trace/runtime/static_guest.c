/* static_guest.c: the blocks that a static program takes. No library can be put before it, so the
 * plugin itself looks where its functions that take memory begin and return.
 *
 * QEMU 7 and 8 keep the registers of an x86 program where %rbp points while the code runs that they
 * made of it, %rax first. They are there whenever a block of code begins, and when one accesses
 * memory. */
#define _GNU_SOURCE
#include "maps.h"
#include "plugin.h"
#include "runtime.h"
#include "trace/format/search.h"
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __x86_64__

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

/* Whether a function takes memory, and which arguments say how much. */
enum taker { NO_TAKER, FIRST, SECOND, PRODUCT, BY_POINTER, MAPS, FREES };

static const struct {
    const char *name;
    enum taker taker;
} takers[] = {{"malloc", FIRST},
              {"calloc", PRODUCT},
              {"realloc", SECOND},
              {"aligned_alloc", SECOND},
              {"memalign", SECOND},
              {"posix_memalign", BY_POINTER},
              {"mmap", MAPS},
              {"mmap64", MAPS},
              {"free", FREES},
              {"_Znwm", FIRST},
              {"_Znam", FIRST},
              {"_ZnwmSt11align_val_t", FIRST},
              {"_ZnamSt11align_val_t", FIRST},
              {"_ZnwmRKSt9nothrow_t", FIRST},
              {"_ZnamRKSt9nothrow_t", FIRST}};
enum { TAKERS = sizeof takers / sizeof *takers };

/* The functions of the program, by address. */
struct function {
    uintptr_t begin, end;
    enum taker taker;
};
static struct function *functions;
static size_t function_count;

/* ---- symbols ---- */

static enum taker taker_of(const char *name)
{
    for (int i = 0; i < TAKERS; i++)
        if (strcmp(takers[i].name, name) == 0)
            return takers[i].taker;
    return NO_TAKER;
}

/* Of several at one place a taker comes last, so that it is found. */
static int compare(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->taker > y->taker) - (x->taker < y->taker);
}

static const struct function *function_of(uintptr_t address)
{
    size_t before = search_begins(functions, function_count, sizeof *functions, address);
    return before > 0 && address < functions[before - 1].end ? &functions[before - 1] : NULL;
}

static void read_table(const char *file, size_t bytes, const Elf64_Shdr *table,
                       const Elf64_Shdr *names, uintptr_t bias)
{
    const Elf64_Sym *symbols = (const void *)(file + table->sh_offset);
    size_t count = table->sh_size / sizeof *symbols;
    if (table->sh_offset + table->sh_size > bytes || names->sh_offset + names->sh_size > bytes ||
        (functions = calloc(count + 1, sizeof *functions)) == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && symbols[i].st_shndx != SHN_UNDEF &&
            symbols[i].st_name < names->sh_size) {
            uintptr_t begin = symbols[i].st_value + bias;
            functions[function_count++] = (struct function){
                begin, begin + symbols[i].st_size,
                taker_of(file + names->sh_offset + symbols[i].st_name)};
        }
    qsort(functions, function_count, sizeof *functions, compare);
}

static void read_symbols(const char *file, size_t bytes, uintptr_t base)
{
    const Elf64_Ehdr *elf = (const void *)file;
    const Elf64_Shdr *sections = (const void *)(file + elf->e_shoff);
    if (bytes < sizeof *elf || memcmp(elf->e_ident, ELFMAG, SELFMAG) != 0 ||
        elf->e_machine != EM_X86_64 || elf->e_shoff + elf->e_shnum * sizeof *sections > bytes)
        return;
    for (int i = 0; i < elf->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < elf->e_shnum)
            read_table(file, bytes, &sections[i], &sections[sections[i].sh_link],
                       elf->e_type == ET_DYN ? base : 0);
}

void static_guest_begin(uintptr_t address)
{
    struct mapping code;
    struct stat is;
    int file = find_mapping(address, &code) ? open(code.path, O_RDONLY | O_CLOEXEC) : -1;
    void *memory = file >= 0 && fstat(file, &is) == 0
                       ? mmap(NULL, (size_t)is.st_size, PROT_READ, MAP_PRIVATE, file, 0)
                       : MAP_FAILED;
    if (memory != MAP_FAILED) {
        read_symbols(memory, (size_t)is.st_size, code.base);
        munmap(memory, (size_t)is.st_size);
    }
    if (file >= 0)
        close(file);
}

void static_guest_end(void)
{
    function_count = 0;
}

/* ---- callers ---- */

/* [bound] words of the stack in which a caller is looked for */
enum { FRAME_WORDS = 1024 };

/* Whether a word of the stack is the return address of a call of this function. */
static bool returns_from(uintptr_t word, const struct function *called)
{
    int32_t distance;
    if (called == NULL || function_of(word - 1) == NULL || *((const uint8_t *)word - 5) != 0xe8)
        return false;
    memcpy(&distance, (const uint8_t *)word - 4, sizeof distance);
    return word + (uintptr_t)(intptr_t)distance == called->begin;
}

/* Where on the stack the return address of the function that has called from `site` lies: behind
 * its frame pointer, or, of one that keeps none, anywhere above `frame`. NULL: not found. */
static const uintptr_t *find_caller(uintptr_t site, const uintptr_t *frame,
                                    const uintptr_t *pointer)
{
    const struct function *function = function_of(site - 1);
    const uintptr_t *end = (const uintptr_t *)stack_end - 1;
    if (pointer > frame && pointer < end && returns_from(pointer[1], function))
        return pointer + 1;
    for (const uintptr_t *at = frame + 1; at < end && at <= frame + FRAME_WORDS; at++)
        if (returns_from(*at, function))
            return at;
    return NULL;
}

/* Return addresses, the innermost first. Those of calls through a pointer cannot be told from other
 * words: they end the stack. */
static size_t find_callers(const uintptr_t *frame, const uintptr_t *pointer,
                           uintptr_t sites[STACK_MAX])
{
    size_t count = 0;
    for (; frame != NULL && count < STACK_MAX; count++) {
        bool kept = frame == pointer + 1;
        sites[count] = *frame;
        pointer = kept ? (const uintptr_t *)*pointer : pointer;
        frame = find_caller(sites[count], frame, pointer);
    }
    return count;
}

/* ---- calls ---- */

/* The call of this thread that takes memory; its return address lies at `frame`, 0: there is none.
 * Calls within it take the memory for it. */
static __thread struct {
    uintptr_t frame, pointer;
    uint64_t bytes;
} taking;

__attribute__((visibility("hidden"), used)) void static_guest_call(unsigned cpu, void *data,
                                                                   const uint64_t *registers);
__attribute__((visibility("hidden"), used)) void static_guest_return(unsigned cpu,
                                                                     qemu_plugin_meminfo_t info,
                                                                     uint64_t address, void *data,
                                                                     const uint64_t *registers);

void static_guest_call(unsigned cpu, void *data, const uint64_t *r)
{
    enum taker taker = ((const struct function *)data)->taker;
    (void)cpu;
    if (taker == FREES && r[RDI] != 0)
        record_event(TRACE_FREE, r[RDI], 0, 0);
    if (taker == FREES || (taker == MAPS && (r[RCX] & MAP_ANONYMOUS) == 0) ||
        (taking.frame != 0 && r[RSP] < taking.frame))
        return;
    taking.frame = r[RSP];
    taking.pointer = taker == BY_POINTER ? r[RDI] : 0;
    taking.bytes = taker == FIRST        ? r[RDI]
                   : taker == PRODUCT    ? r[RDI] * r[RSI]
                   : taker == BY_POINTER ? r[RDX]
                                         : r[RSI];
}

/* A return, which has read its address. */
void static_guest_return(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data,
                         const uint64_t *r)
{
    uintptr_t sites[STACK_MAX], frame = taking.frame;
    (void)cpu, (void)info, (void)data;
    if (LIKELY(address < frame || frame == 0))
        return;
    taking.frame = 0;
    if (address != frame || head_now() == NULL || inside)
        return;
    uintptr_t block = taking.pointer == 0 ? r[RAX] : r[RAX] == 0 ? *(uintptr_t *)taking.pointer : 0;
    inside = true;
    if (block != 0 && (void *)block != MAP_FAILED)
        record_block((const void *)block, taking.bytes, sites,
                     find_callers((const uintptr_t *)frame, (const uintptr_t *)r[RBP], sites));
    inside = false;
}

/* What QEMU calls: the registers become the last argument. */
void static_guest_called(unsigned cpu, void *data);
void static_guest_returned(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data);
__asm__(".text\n"
        "static_guest_called:\n\tmovq\t%rbp, %rdx\n\tjmp\tstatic_guest_call\n"
        "static_guest_returned:\n\tmovq\t%rbp, %r8\n\tjmp\tstatic_guest_return\n");

void static_guest_note(struct qemu_plugin_insn *instruction, bool first)
{
    uintptr_t address = (uintptr_t)qemu_plugin_insn_vaddr(instruction);
    const uint8_t *code = (const uint8_t *)address;
    const struct function *function = first && function_count > 0 ? function_of(address) : NULL;
    if (function != NULL && function->begin == address && function->taker != NO_TAKER)
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, static_guest_called,
                                               QEMU_PLUGIN_CB_NO_REGS, (void *)(uintptr_t)function);
    code += *code == 0xf2 || *code == 0xf3;
    if (function_count > 0 && (*code == 0xc2 || *code == 0xc3))
        qemu_plugin_register_vcpu_mem_cb(instruction, static_guest_returned, QEMU_PLUGIN_CB_NO_REGS,
                                         QEMU_PLUGIN_MEM_RW, NULL);
}

#else

void static_guest_begin(uintptr_t address)
{
    (void)address;
}

void static_guest_end(void)
{
}

void static_guest_note(struct qemu_plugin_insn *instruction, bool first)
{
    (void)instruction;
    (void)first;
}

#endif
