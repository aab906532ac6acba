/* qemu_plugin.h: what tlbrun's plugin uses of QEMU, version 1 of its interface, as QEMU's manual on
 * TCG plugins documents it. Packages of QEMU come without the header. */
#ifndef TLBLAB_RUNTIME_QEMU_PLUGIN_H
#define TLBLAB_RUNTIME_QEMU_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QEMU_PLUGIN_INTERFACE = 1 };

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

typedef struct {
    const char *target_name; /* x86_64, aarch64 … */
    struct {
        int min, cur;
    } version;
    bool system_emulation;
    union {
        struct {
            int smp_vcpus, max_vcpus;
        } system;
    };
} qemu_info_t;

/* Whether a callback reads or writes registers; which accesses it is called for. */
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };

typedef void qemu_on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *block);
typedef void qemu_on_access(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data);
typedef void qemu_on_execution(unsigned cpu, void *data);
typedef void qemu_on_call(qemu_plugin_id_t id, unsigned cpu, int64_t call, uint64_t a, uint64_t b,
                          uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h);
typedef void qemu_on_return(qemu_plugin_id_t id, unsigned cpu, int64_t call, int64_t result);
typedef void qemu_on_exit(qemu_plugin_id_t id, void *data);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_on_translation *each);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, qemu_on_call *each);
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t id, qemu_on_return *each);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_on_exit *last, void *data);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t i);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *instruction);
const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *instruction);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *instruction);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *instruction,
                                            qemu_on_execution *each,
                                            enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *instruction, qemu_on_access *each,
                                      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
                                      void *data);
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);

#endif
