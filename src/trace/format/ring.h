/* ring.h: memory that a traced program shares with the tlbsim that it starts: a ring of records for
 * each thread. The program writes (src/trace/runtime/), tlbsim reads (ring_read.c); both are built
 * from this file. What the program has written is there also when it is killed. */
#ifndef TLBLAB_FORMAT_RING_H
#define TLBLAB_FORMAT_RING_H

#include "trace/format/level1.h"
#include "trace/format/recent.h"
#include "trace/format/record.h"
#include <stdint.h>

enum {
    RING_VERSION = 11,
    RING_SLOTS = 256,       /* threads at once, of a process and those that it forks */
    RING_RECORDS = 1 << 17, /* of one thread: 2 MiB */
    RING_CHUNK = 1 << 11,   /* records with one time stamp */
    RING_CHUNKS = RING_RECORDS / RING_CHUNK,
    RING_LINE = 4,       /* records in a line of 64 bytes */
    RING_SITES = 256,    /* places in the code that remember their page */
    RING_CODE = 64,      /* pages of code that are remembered */
    RING_PAGE_SHIFT = 12 /* of the pages that recent accesses are left out to */
};

/* One record. `what` is lap << 63 | address << 7 | operation >> 1 << 4 | size << 1 | the lowest bit
 * of the operation; the lap bit is 1 in the first lap over the ring, 0 in the second, and so on: so
 * the reader knows what is written. `from` is site << 16 | order << 11 | the low bits of the number
 * of the access. The order is that of a record (record.h). Operations are those of record.h below
 * TRACE_MAPS, and:
 */
enum {
    RING_LENGTH = 13, /* the address field is the size of the next record of RING_SIZES */
    RING_SKIP,        /* the address field is the number of the last access that was left out */
    RING_MAPS         /* the mappings of the process have changed; address 1: and the thread waits
                         until they are read */
};

/* Size codes: those below are powers of two; for this one a record RING_LENGTH gave the size. A
 * signal handler's accesses may come between the two. */
enum { RING_SIZES = 7 };

/* The order's place in `from`; the low bits of the number below it, which show gaps up to
 * RING_GAP. */
enum { RING_ORDER_SHIFT = 11, RING_NUMBER = (1 << RING_ORDER_SHIFT) - 1, RING_GAP = 1000 };

struct ring_record {
    uint64_t what, from;
};

/* The lap bit of a place. */
static inline uint64_t ring_lap(uint64_t place)
{
    return (uint64_t)(place / RING_RECORDS % 2 == 0) << 63;
}

/* Chains of levels of a TLB: those of data and of code, for pages of one size and for huge ones. */
enum { RING_HUGE = 1, RING_CODE_CHAIN = 2, RING_CHAINS = 4, RING_HUGE_SHIFT = 21 };

/* JOINING: a thread is about to take the slot. */
enum ring_state { RING_FREE, RING_TAKEN, RING_CLOSED, RING_JOINING };

/* The state of a thread. */
struct ring_now {
    uint8_t ready;           /* 0: look whether it is traced */
    uint8_t busy, disturbed; /* pages change just now; a signal came meanwhile */
    uint8_t fresh;           /* the reader knows no recent pages */
};

/* One thread. What the program changes at each access, or at each page, lies in lines of its own,
 * which tlbsim leaves alone: reading them would take them from the program's core each time. A
 * place in the ring, or for a visit, is taken by one instruction, before anything is written there,
 * so that a signal handler may write too.
 *
 * The pages of which no record is needed have a page_use each: `recent`, or `visits`, which go to
 * `level1` when they are many. A site of the program remembers the one that it found last, as its
 * distance from the slot in bytes. Where that still has the page of an access, the program notes
 * the access there, and calls nobody (inline_check.h). */
struct ring_slot {
    _Alignas(64) struct visit nowhere; /* distance 0: the page is 0, that of all addresses while
                                          nothing is traced */
    struct visit visits[VISITS];
    uint64_t mask;     /* of the bits of an address that name its page; 0: not traced */
    uint64_t accesses; /* so far */
    uint64_t recorded; /* of them up to the last record */
    uint64_t at;       /* places taken in the ring */
    uint64_t visited;  /* distance of the next visit; behind all where they go to `level1` */
    uint64_t limit;    /* of `visited`, where a visit needs nothing but its place; else 0 */
    uint64_t granted;  /* how far `at` may go */
    _Alignas(64) struct page_use recent[RECENT_PAGES];
    uint64_t site[RING_SITES];
    uint64_t traced_mask;              /* what `mask` is where it is not 0 */
    struct ring_record *records;       /* in the program's memory */
    struct level1 level1[RING_CHAINS]; /* where the program simulates it */
    uint64_t code_site[RING_CODE];     /* as `site`, of what is fetched */
    uint64_t code_page;                /* that instructions were fetched from last; 0: none */
    uint64_t fetched;                  /* pages of code so far */
    uint64_t huge_version;             /* of the ranges that the sites know */
    uint64_t kept;                     /* accesses when tracing was switched off */
    struct ring_now now;
    uint8_t recent_count;                              /* 0: level 1 instead */
    _Alignas(64) uint32_t state, process, thread, off; /* whether tracing is */
    uint32_t mapped;             /* the mappings that the thread waits for have been read */
    _Alignas(64) uint64_t taken; /* records read */
    uint64_t time_ns[RING_CHUNKS];
};

/* The accesses that count: those while tracing is off do not. */
static inline uint64_t ring_accesses(const struct ring_slot *slot)
{
    return slot->off ? slot->kept : slot->accesses;
}

/* The low bits of `what`, from size << 4 | operation; those of an access take four. */
static inline unsigned ring_low(unsigned operation)
{
    return (operation >> 1 & 7) << 4 | (operation >> 4) << 1 | (operation & 1);
}

/* A visit begins with the low bits of its first access << this | the number of that access. */
enum { RING_WHAT_SHIFT = 48 };

/* `what` of an access. */
static inline uint64_t ring_access(uint64_t address, unsigned low)
{
    return address << 7 | (low & 15);
}

/* The number of the access that a visit began with. */
static inline uint64_t ring_number(const struct visit *visit)
{
    return visit->begun & UINT64_MAX >> 16;
}

/* Distances of the visits from the slot. */
#define VISITS_BEGIN offsetof(struct ring_slot, visits)
#define VISITS_END   (VISITS_BEGIN + sizeof((struct ring_slot *)0)->visits)

_Static_assert(TRACE_READ == 0 && TRACE_WRITE == 1, "one bit distinguishes them");

/* [bound] */
enum { RING_RANGES = 4096 };

/* WHOLE: tlbsim has written all that it has read. */
enum ring_readiness { RING_STARTING, RING_READY, RING_FAILED, RING_WHOLE };

struct ring_head {
    uint64_t version;
    uint32_t process;   /* the one that began */
    uint32_t reader;    /* tlbsim */
    uint32_t readiness; /* of tlbsim */
    uint32_t lost;      /* a process no longer records */
    uint32_t enough;    /* the trace has ended, as tlbsim was asked to */
    uint32_t exiting;   /* the first process is about to end in order */
    uint32_t recent;    /* how many of the recent pages are left out: 1 or RECENT_PAGES */
    uint32_t fetches;   /* whether fetches of instructions are written */
    /* Level 1 of each chain, where tlbsim asks for it (0 entries: not): LRU, so that a hit changes
     * only the order of its set, and the levels behind it see nothing but its misses. Those alone
     * are written then. Chains with the same `array` share their entries. */
    struct ring_level1 {
        uint32_t entries, sets, shift, array;
    } level1[RING_CHAINS];
    /* Which pages are huge, ascending; the version is odd while tlbsim writes them. */
    struct ring_huge {
        uint64_t version, count;
        struct ring_range {
            uint64_t begin, last;
        } at[RING_RANGES];
    } huge;
    char command[4096];
    struct ring_slot slots[RING_SLOTS];
};

/* The whole: the head, and RING_RECORDS for each slot. */
#define RING_HEAD_BYTES ((sizeof(struct ring_head) + 4095) & ~(uint64_t)4095)
#define RING_TOTAL_BYTES                                                                           \
    (RING_HEAD_BYTES + (uint64_t)RING_SLOTS * RING_RECORDS * sizeof(struct ring_record))

#endif
