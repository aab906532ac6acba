/* guest.h: how a program in qemu-user says that it has taken or freed memory: by a system call that
 * no system has, which the plugin sees. */
#ifndef TLBLAB_RUNTIME_GUEST_H
#define TLBLAB_RUNTIME_GUEST_H

/* GUEST_TAKEN: address, bytes, return addresses with the innermost first, their number.
 * GUEST_FREED: address. GUEST_OWN: address and bytes of code that is not the program's.
 * GUEST_TRACED: whether tracing is on from now on. GUEST_PHASE: number. GUEST_NAMED: address,
 * bytes, name. */
enum {
    GUEST_CALL = 0x7ac3d,
    GUEST_TAKEN = 1,
    GUEST_FREED,
    GUEST_OWN,
    GUEST_TRACED,
    GUEST_PHASE,
    GUEST_NAMED
};

#endif
