/* record.h: one record of a trace: an access to memory, a miss of a TLB, or an event that says what
 * addresses mean. */
#ifndef TLBLAB_FORMAT_RECORD_H
#define TLBLAB_FORMAT_RECORD_H

#include <stdbool.h>
#include <stdint.h>

/* Operations up to TRACE_EXECUTE are accesses. ALLOC and FREE: a block of the heap. STACK: the
 * stack of this thread. PHASE: a part of the run begins, whose number is the address. MAPS: the
 * mappings of the process, as text. TOTAL: `sequence` accesses were made in this thread so far,
 * those included that the trace leaves out. CALL: of the stack whose number is the address, the
 * return address `site` is the `bytes`-th, from 1 on, the innermost first; blocks that this thread
 * takes from now on are taken with this stack. PAGES: these `bytes` from the address on are on
 * pages of `site` bytes from now on, or, at level 1, some of them are; where there are no bytes,
 * all such records before are void. EXEC: the process runs another program from now on, in this
 * thread, whose accesses are counted anew. FORK: the process is a copy of the one with this number,
 * the address. NAME: up to seven bytes of a name, in the address, the first in its lowest byte, and
 * `bytes` as for CALL; a block that this thread takes with the site 0 is called so. PAUSE: the
 * program that is traced makes none just now; it is in no file. */
enum trace_op {
    TRACE_READ,
    TRACE_WRITE,
    TRACE_EXECUTE,
    TRACE_ALLOC,
    TRACE_FREE,
    TRACE_STACK,
    TRACE_PHASE,
    TRACE_TOTAL,
    TRACE_CALL,
    TRACE_PAGES,
    TRACE_EXEC,
    TRACE_FORK,
    TRACE_NAME,
    TRACE_MAPS,
    TRACE_PAUSE,
    TRACE_OPS
};

struct record {
    uint64_t sequence; /* number of the access in its thread, from 1 */
    uint64_t time_ns;  /* since any origin */
    uint64_t address, bytes;
    uint64_t site; /* address of the code that made the access; 0: not known */
    uint32_t process, thread;
    uint32_t weight; /* of a sample: cycles that it took; in no binary file */
    uint8_t op;
    uint8_t level; /* TLB levels that missed; 0 in a trace of accesses */
    uint8_t order; /* 0, or 1 + that of recent pages before the access (recent.h); trace_next()
                      makes accesses of it */
};

static inline bool record_is_access(const struct record *record)
{
    return record->op <= TRACE_EXECUTE;
}

/* [bound] return addresses of a stack */
enum { STACK_MAX = 64 };

/* Bytes of an access; levels, which share a byte with the operation in a file. [bound] */
enum { ACCESS_MAX = 64 << 20, LEVEL_MAX = 15 };

/* The bytes of an access or a block: one or more. */
static inline uint64_t record_length(const struct record *record)
{
    return record->bytes > 0 ? record->bytes : 1;
}

/* Its last address, or the last of all where it reaches past that. */
static inline uint64_t record_last(const struct record *record)
{
    uint64_t more = record_length(record) - 1, left = UINT64_MAX - record->address;
    return record->address + (more < left ? more : left);
}

/* Whether the bytes of an access are ACCESS_MAX at most, and all have an address. */
static inline bool record_is_possible(const struct record *record)
{
    uint64_t length = record_length(record);
    return length <= ACCESS_MAX && length - 1 <= UINT64_MAX - record->address;
}

/* The names of operations in texts. */
extern const char *const trace_op_names[TRACE_OPS];

#endif
