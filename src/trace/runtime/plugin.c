/* plugin.c: the runtime in a process of qemu-user, where tlbrun puts it: QEMU calls it at each
 * access of the program that it runs, which is thus traced as it is, libraries included.
 *
 * Addresses of the program are those of the process, which has a 64-bit program at its own
 * addresses; each of its threads is a thread here. A signal handler of the program runs between two
 * of its instructions, so it never interrupts the runtime. */
#define _GNU_SOURCE
#include "plugin.h"
#include "guest.h"
#include "maps.h"
#include "qemu_plugin.h"
#include "runtime.h"
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

extern __attribute__((visibility("default"))) int qemu_plugin_version;
int qemu_plugin_version = QEMU_PLUGIN_INTERFACE;

const bool has_fetches = true;

/* The numbers of system calls: those by which mappings change or go away, madvise and execve; -1
 * where we do not know them. */
static int64_t mmap_call = -1, mremap_call = -1, munmap_call = -1, brk_call = -1, madvise_call = -1,
               execve_call = -1, exit_call = -1;

static bool has_mapped; /* memory, since the mappings were certainly read */

/* The calling thread as find_stack() knows it. */
static __thread uintptr_t first_address, first_site; /* of an access; of a fetch */
__thread uintptr_t stack_end;
static __thread bool was_asked; /* in a forked process the stack is the parent's */

/* A thread accesses its stack first of all: a call, or the start of a program, does. So the stack
 * is the mapping with that address. */
bool find_stack(uintptr_t *begin, size_t *bytes)
{
    struct mapping stack;
    bool found = !was_asked && find_mapping(first_address, &stack);
    was_asked = true;
    if (!found)
        return false;
    stack_end = stack.end;
    *begin = stack.begin;
    *bytes = stack.end - stack.begin;
    return true;
}

/* ---- what QEMU calls ---- */

static __attribute__((noinline)) void begin_thread(uintptr_t address)
{
    first_address = address;
    record_maps(false, 0); /* a program that has just been loaded */
    if (first_site != 0 && tlb_trace_slot != &no_slot)
        record_fetch(first_site - 1, first_site);
}

/* `data` is the site of the instruction, or of one whose end lies on this page. */
static void on_fetch(unsigned cpu, void *data)
{
    (void)cpu;
    if (LIKELY(tlb_trace_slot != &no_slot))
        record_fetch((uintptr_t)data - 1, (uintptr_t)data);
    else
        first_site = (uintptr_t)data;
}

static unsigned operation(qemu_plugin_meminfo_t info)
{
    return qemu_plugin_mem_is_store(info) ? TRACE_WRITE : TRACE_READ;
}

/* An access to another page, which has been counted. */
static __attribute__((noinline)) void on_other(qemu_plugin_meminfo_t info, uintptr_t address,
                                               uintptr_t site)
{
    record_other(address, qemu_plugin_mem_size_shift(info) << 4 | operation(info), site);
}

/* The first one of a thread, or one that may reach a second page. */
static __attribute__((noinline)) void on_rare(qemu_plugin_meminfo_t info, uintptr_t address,
                                              uintptr_t site)
{
    if (tlb_trace_slot == &no_slot)
        begin_thread(address);
    record_range(address, (uint64_t)1 << qemu_plugin_mem_size_shift(info), operation(info), site);
}

/* The most bytes of an access. [bound] */
enum { ACCESS_BYTES = 1 << (RING_SIZES - 1) };

/* Most accesses are made again to the same page, which needs neither their size nor a call. */
static void on_access(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    uint64_t page = (uint64_t)1 << RING_PAGE_SHIFT;
    (void)cpu;
    if (!LIKELY(tlb_trace_slot != &no_slot && (address & (page - 1)) <= page - ACCESS_BYTES))
        on_rare(info, (uintptr_t)address, (uintptr_t)data);
    else if (!LIKELY(record_repeated((uintptr_t)address, (uintptr_t)data)))
        on_other(info, (uintptr_t)address, (uintptr_t)data);
}

/* The start of a block, and the point where its code enters another page. */
static uintptr_t note_fetches(struct qemu_plugin_insn *instruction, uintptr_t page)
{
    uintptr_t begin = (uintptr_t)qemu_plugin_insn_vaddr(instruction);
    uintptr_t last = begin + qemu_plugin_insn_size(instruction) - 1;
    uintptr_t bounds[] = {begin, last};
    for (int i = 0; i < 2; i++) {
        if (bounds[i] >> RING_PAGE_SHIFT != page)
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_fetch, QEMU_PLUGIN_CB_NO_REGS,
                                                   (void *)(bounds[i] + 1));
        page = bounds[i] >> RING_PAGE_SHIFT;
    }
    return page;
}

/* Code of guest.c in the program, which is not traced. */
static uint64_t own_begin, own_bytes;

/* TLBLAB_FROM, TLBLAB_TO: the functions of the program with which tracing begins and ends. */
static const char *from_function, *to_function;

static void on_entry(unsigned cpu, void *data)
{
    (void)cpu;
    if (data == from_function && !tracing)
        tlb_trace_on();
    else if (data == to_function && tracing)
        tlb_trace_off();
}

/* A block of one of them. */
static void note_entry(struct qemu_plugin_insn *instruction)
{
    const char *symbol = qemu_plugin_insn_symbol(instruction);
    const char *names[] = {from_function, to_function};
    for (int i = 0; i < 2; i++)
        if (symbol != NULL && names[i] != NULL && strcmp(symbol, names[i]) == 0)
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_entry, QEMU_PLUGIN_CB_NO_REGS,
                                                   (void *)(uintptr_t)names[i]);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    static bool begun;
    uintptr_t page = 0;
    (void)id;
    if (!begun)
        static_guest_begin((uintptr_t)qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(block, 0)));
    begun = true;
    if (from_function != NULL || to_function != NULL)
        note_entry(qemu_plugin_tb_get_insn(block, 0));
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
        if (qemu_plugin_insn_vaddr(instruction) - own_begin < own_bytes)
            return;
        page = note_fetches(instruction, page);
        static_guest_note(instruction, i == 0);
        /* a site is a return address: behind the access, as in other traces */
        uintptr_t site = (uintptr_t)qemu_plugin_insn_vaddr(instruction) + 1;
        qemu_plugin_register_vcpu_mem_cb(instruction, on_access, QEMU_PLUGIN_CB_NO_REGS,
                                         QEMU_PLUGIN_MEM_RW, (void *)site);
    }
}

static void on_return(qemu_plugin_id_t id, unsigned cpu, int64_t call, int64_t result)
{
    (void)id;
    (void)cpu;
    static int64_t end; /* of the heap */
    bool grown = call == brk_call && result > end;
    if (grown)
        end = result;
    if (!grown && ((call != mmap_call && call != mremap_call) || result <= 0))
        return;
    has_mapped = true;
    record_maps(false, 0);
}

/* guest.h. Its memory is that of this process. */
static void on_call(qemu_plugin_id_t id, unsigned cpu, int64_t call, uint64_t what,
                    uint64_t address, uint64_t bytes, uint64_t sites, uint64_t count, uint64_t f,
                    uint64_t g, uint64_t h)
{
    (void)id, (void)cpu, (void)f, (void)g, (void)h;
    if (call == madvise_call && (bytes == MADV_HUGEPAGE || bytes == MADV_NOHUGEPAGE)) {
        madvise((void *)what, address, (int)bytes); /* QEMU itself takes no notice of it */
        record_maps(true, 0);                       /* its accesses from now on are of huge pages */
    }
    if (has_mapped && (call == munmap_call || call == exit_call)) {
        record_maps(true, 0); /* while they are there */
        has_mapped = false;
    }
    if (call == execve_call && head_now() != NULL && !inside)
        exec_traced((const char *)what, (char *const *)address, (char *const *)bytes);
    if (call == GUEST_CALL && what == GUEST_TRACED)
        (address ? tlb_trace_on : tlb_trace_off)();
    else if (call == GUEST_CALL && what == GUEST_PHASE)
        tlb_trace_phase((unsigned)address);
    else if (call == GUEST_CALL && what == GUEST_NAMED)
        tlb_trace_object((const void *)address, bytes, (const char *)sites);
    if (call != GUEST_CALL || head_now() == NULL || inside)
        return;
    inside = true;
    if (what == GUEST_TAKEN && count > 0 && count <= STACK_MAX)
        record_block((const void *)address, bytes, (const uintptr_t *)sites, count);
    else if (what == GUEST_FREED)
        put_event(TRACE_FREE, address, 0, 0);
    else if (what == GUEST_OWN) {
        own_begin = address;
        own_bytes = bytes;
        static_guest_end();
    }
    inside = false;
}

static void at_end(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    end_tracing();
}

static void set_target(const char *target)
{
    bool x86 = strcmp(target, "x86_64") == 0, arm = strcmp(target, "aarch64") == 0;
    if (!x86 && !arm && strcmp(target, "riscv64") != 0)
        return;
    program_machine = x86 ? EM_X86_64 : arm ? EM_AARCH64 : EM_RISCV;
    mmap_call = x86 ? 9 : 222;
    mremap_call = x86 ? 25 : 216;
    munmap_call = x86 ? 11 : 215;
    exit_call = x86 ? 231 : 94;
    brk_call = x86 ? 12 : 214;
    madvise_call = x86 ? 28 : 233;
    execve_call = x86 ? 59 : 221;
}

__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int count, char **arguments);

__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int count, char **arguments)
{
    (void)count;
    (void)arguments;
    if (info->system_emulation) {
        complain("the plugin is for qemu-user");
        return 1;
    }
    set_target(info->target_name);
    from_function = getenv("TLBLAB_FROM");
    to_function = getenv("TLBLAB_TO");
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_vcpu_syscall_cb(id, on_call);
    qemu_plugin_register_vcpu_syscall_ret_cb(id, on_return);
    qemu_plugin_register_atexit_cb(id, at_end, NULL);
    return 0;
}
