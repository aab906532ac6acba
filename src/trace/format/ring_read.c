/* ring_read.c: reads the records of a traced program from the memory that it shares.
 *
 *     struct ring *ring = ring_open(3);
 *     while ((count = ring_read(ring, records, room)) > 0)
 *         use(records, count);
 */
#include "trace/format/ring_read.h"
#include "base/error.h"
#include "base/number.h"
#include "platform.h"
#include "trace/format/file_stamps.h"
#include "trace/format/real_pages.h"
#include "trace/format/ring.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert((int)RING_RANGES == (int)PLATFORM_HUGE_RANGES, "there is room for all");
_Static_assert((int)RING_LENGTH == (int)TRACE_MAPS,
               "the ring's own operations follow those of records");

/* A slot as the reader knows it. */
struct reading {
    uint64_t sequence;
    uint64_t bytes; /* of the next record without a size code; a signal may put others before it */
    bool taken;     /* it has a thread that is not yet read to the end */
    bool dead;      /* of a process that has ended */
    uint64_t time_ns; /* of the last record */
};

struct ring {
    struct ring_head *head;
    struct ring_record *records;
    struct reading reading[RING_SLOTS];
    int slot;                /* to look at next */
    unsigned in_row;         /* reads of this slot in a row */
    unsigned idle;           /* looks in a row that found nothing */
    uint64_t end_ns;         /* of the trace; 0: that of the program */
    uint32_t maps_of;        /* process whose mappings are to be read; 0: none */
    struct ring_slot *asked; /* by this slot; NULL: by none that waits */
    struct real_pages pages; /* of the first process */
};

/* [bound] records that are fetched beforehand, since the program has them in the caches of its own
 * core; records that are worth reading */
enum { AHEAD = 32, MUCH = 512 };

/* [bound] reads of a slot before the others are looked at, whose heads lie far apart */
enum { READS_IN_ROW = 32 };

/* A look at all slots that finds nothing is followed by a nap; after so many the processes are
 * asked whether they still run. */
enum { NAP_US = 100, LOOKS_BEFORE_ASKING = 20, NS_PER_RECORD = 20 };

struct ring *ring_open(int descriptor)
{
    char why[PLATFORM_WHY_ROOM];
    size_t bytes = 0;
    struct ring *r = allocate(1, sizeof *r);
    r->head = platform_map_shared(descriptor, &bytes, why);
    if (r->head == NULL)
        die("--ring: %s", why);
    if (bytes < RING_TOTAL_BYTES || r->head->version != RING_VERSION)
        die("--ring: the program was compiled by another version of tlbcc: compile it again");
    r->records = (struct ring_record *)(void *)((char *)r->head + RING_HEAD_BYTES);
    r->maps_of = r->head->process;
    r->head->reader = (uint32_t)getpid();
    return r;
}

bool ring_ask_level1(struct ring *r, const struct ring_level1 level1[RING_CHAINS])
{
    for (int i = 0; i < RING_CHAINS; i++)
        if (level1[i].entries > 0 &&
            (level1[i].entries > LEVEL1_MAX || !is_power_of_two(level1[i].sets) ||
             level1[i].shift < RING_PAGE_SHIFT || (i == RING_HUGE && r->head->fetches == 0)))
            return false;
    memcpy(r->head->level1, level1, sizeof r->head->level1);
    return true;
}

/* The threads learn which pages are huge, as pages_take() in trace/tlbs/ has them. */
static void share_huge(struct ring_huge *huge, const struct platform_huge_ranges *now)
{
    uint64_t within = ((uint64_t)1 << RING_HUGE_SHIFT) - 1, count = 0;
    __atomic_store_n(&huge->version, huge->version + 1, __ATOMIC_SEQ_CST);
    for (size_t i = 0; i < now->count && now->page_bytes == within + 1; i++)
        if (!now->at[i].hint)
            huge->at[count++] = (struct ring_range){now->at[i].begin & ~within,
                                                    (now->at[i].end - 1) | within};
    huge->count = count;
    __atomic_store_n(&huge->version, huge->version + 1, __ATOMIC_SEQ_CST);
}

void ring_stop(struct ring *r, const char *why)
{
    warn("the trace ends here (%s); the program goes on", why);
    __atomic_store_n(&r->head->enough, 1, __ATOMIC_RELEASE);
}

void ring_stop_after(struct ring *r, double seconds)
{
    r->end_ns = platform_now_ns() + (uint64_t)(seconds * 1e9);
}

const struct ring_head *ring_head(const struct ring *r)
{
    return r->head;
}

void ring_close(struct ring *r)
{
    __atomic_store_n(&r->head->readiness, RING_WHOLE, __ATOMIC_RELEASE);
    free(r);
}

char *ring_maps(uint32_t process)
{
    char path[64];
    size_t room = 1 << 16, length = 0, got;
    char *text = allocate(room, 1);
    snprintf(path, sizeof path, "/proc/%u/maps", process);
    FILE *file = platform_open(path);
    while (file != NULL && (got = fread(text + length, 1, room - length - 1, file)) > 0) {
        length += got;
        if (room - length - 1 < room / 2) {
            room *= 2;
            text = reallocate(text, room, 1);
        }
    }
    text[length] = '\0';
    if (file != NULL)
        fclose(file);
    return file_stamps_add(text);
}

/* ---- one slot ---- */

/* The number of an access from its low bits. A signal handler's record may come before that of the
 * access that it interrupted: the number then stays. */
static uint64_t sequence_of(const struct reading *of, uint64_t low)
{
    uint64_t gap = (low - of->sequence) & RING_NUMBER;
    return gap <= RING_GAP ? of->sequence + gap : of->sequence;
}

/* The time of a record in a chunk: its stamp, and what goes by until the next one's. */
struct chunk_time {
    uint64_t begin, span;
};

static struct chunk_time chunk_time(const struct ring_slot *slot, uint64_t place)
{
    uint64_t chunk = place / RING_CHUNK, begin = slot->time_ns[chunk % RING_CHUNKS];
    uint64_t next = slot->time_ns[(chunk + 1) % RING_CHUNKS];
    bool is_later = next > begin; /* else it is that of the lap before */
    return (struct chunk_time){begin, is_later ? next - begin : NS_PER_RECORD * RING_CHUNK};
}

static uint64_t time_of(const struct chunk_time *time, uint64_t place)
{
    return time->begin + time->span * (place % RING_CHUNK) / RING_CHUNK;
}

/* Takes a word of the ring apart; false where it is only part of a later record. */
static inline __attribute__((always_inline)) bool take_record(struct ring *r,
                                                              struct ring_slot *slot,
                                                              struct reading *of, uint64_t what,
                                                              uint64_t from, struct record *record)
{
    unsigned op = (unsigned)((what >> 4 & 7) << 1 | (what & 1)), size = what >> 1 & 7;
    uint64_t address = what << 1 >> 8;
    if (op == RING_LENGTH)
        of->bytes = address;
    else if (op == RING_SKIP)
        of->sequence = address;
    if (op == RING_LENGTH || op == RING_SKIP)
        return false;
    of->sequence = sequence_of(of, from & RING_NUMBER);
    uint64_t bytes = (uint64_t)1 << size;
    if (size == RING_SIZES) {
        bytes = of->bytes;
        of->bytes = 0;
    }
    if (op == RING_MAPS || op == TRACE_PHASE || op == TRACE_STACK)
        r->pages.due_ns = 0; /* now */
    if (op == RING_MAPS) {
        r->maps_of = slot->process;
        r->asked = address != 0 ? slot : r->asked;
    }
    *record = (struct record){.sequence = of->sequence,
                              .address = address,
                              .bytes = bytes,
                              .site = from >> 16,
                              .process = slot->process,
                              .thread = slot->thread,
                              .op = (uint8_t)op,
                              .order = from >> RING_ORDER_SHIFT & 31};
    return op < TRACE_MAPS;
}

/* The word of a place, which is written where its lap bit is right. */
static inline uint64_t word_of(const struct ring_record *ring, uint64_t place)
{
    return __atomic_load_n(&ring[place % RING_RECORDS].what, __ATOMIC_ACQUIRE);
}

static inline bool is_written(uint64_t word, uint64_t place)
{
    return (word ^ ring_lap(place)) >> 63 == 0;
}

/* Reads what a slot holds, at most `room` records. While a program writes, nothing is read until
 * there is much: a line of the ring that both use goes to and fro between their cores. */
static size_t read_slot(struct ring *r, int number, struct record *records, size_t room)
{
    struct ring_slot *slot = &r->head->slots[number];
    struct reading of = r->reading[number];
    struct ring_record *ring = r->records + (size_t)number * RING_RECORDS;
    uint64_t taken = slot->taken, end = of.dead ? slot->at : UINT64_MAX;
    struct chunk_time chunk = {0};
    size_t count = 0;
    bool runs = !of.dead && __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE) == RING_TAKEN;
    if (runs && r->idle == 0 && !is_written(word_of(ring, taken + MUCH), taken + MUCH))
        return 0;
    for (; taken < end && count < room && r->maps_of == 0; taken++) { /* mappings are of now */
        struct ring_record *raw = &ring[taken % RING_RECORDS];
        __builtin_prefetch(&ring[(taken + AHEAD) % RING_RECORDS]);
        uint64_t what = word_of(ring, taken);
        bool is_there = is_written(what, taken);
        if (!is_there && !of.dead)
            break;
        if (taken % RING_CHUNK == 0 || count == 0) /* the stamp is there when a record is */
            chunk = chunk_time(slot, taken);
        if (!is_there)
            raw->what = ring_lap(taken); /* as the next lap expects it; nobody else writes it */
        else if (take_record(r, slot, &of, what, raw->from, &records[count])) {
            uint64_t time = time_of(&chunk, taken);
            of.time_ns = time > of.time_ns ? time : of.time_ns;
            records[count++].time_ns = of.time_ns;
        }
    }
    r->reading[number] = of;
    __atomic_store_n(&slot->taken, taken, __ATOMIC_RELEASE);
    return count;
}

/* The visits that a thread had begun when its process ended: level 1 has not learnt of them, so
 * that they pass for misses of it. */
static size_t read_visits(struct ring *r, int number, struct record *records)
{
    struct ring_slot *slot = &r->head->slots[number];
    struct reading *of = &r->reading[number];
    size_t count = 0;
    for (int i = 0; i < VISITS; i++) {
        struct visit *v = &slot->visits[i];
        uint64_t what = ring_access(v->use.address, (unsigned)(v->begun >> RING_WHAT_SHIFT));
        if (v->begun == 0)
            continue;
        of->sequence = ring_number(v);
        if (take_record(r, slot, of, what, v->site << 16 | (of->sequence & RING_NUMBER),
                        &records[count]))
            records[count++].time_ns = of->time_ns;
        v->begun = 0;
    }
    return count;
}

/* The number of all accesses, as the last record of a thread; frees its slot. */
static size_t end_thread(struct ring *r, int number, struct record *record)
{
    struct ring_slot *slot = &r->head->slots[number];
    struct reading *of = &r->reading[number];
    *record = (struct record){.sequence = ring_accesses(slot),
                              .time_ns = of->time_ns,
                              .process = slot->process,
                              .thread = slot->thread,
                              .op = TRACE_TOTAL};
    *of = (struct reading){0};
    __atomic_store_n(&slot->state, RING_FREE, __ATOMIC_RELEASE);
    return 1;
}

static size_t read_next(struct ring *r, struct record *records, size_t room)
{
    for (int looked = 0; looked < RING_SLOTS; looked++) {
        int number = r->slot;
        const struct ring_slot *slot = &r->head->slots[number];
        uint32_t state = __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE);
        bool holds = state == RING_TAKEN || state == RING_CLOSED;
        size_t count = holds ? read_slot(r, number, records, room) : 0;
        if (count > 0 && ++r->in_row < READS_IN_ROW)
            return count;
        r->in_row = 0;
        r->slot = (number + 1) % RING_SLOTS;
        if (count > 0)
            return count;
        if (holds && (state == RING_CLOSED || r->reading[number].dead) && slot->taken == slot->at)
            return (count = read_visits(r, number, records)) > 0 ? count
                                                                 : end_thread(r, number, records);
    }
    return 0;
}

/* ---- processes ---- */

/* Marks the threads of processes that have ended; true where none runs any more. */
static bool ask_processes(struct ring *r)
{
    bool root = !__atomic_load_n(&r->head->exiting, __ATOMIC_ACQUIRE) &&
                platform_is_running(r->head->process);
    bool any = root;
    for (int i = 0; i < RING_SLOTS; i++) {
        const struct ring_slot *slot = &r->head->slots[i];
        uint32_t state = __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE);
        if (state != RING_TAKEN && state != RING_CLOSED) /* its process is not known yet */
            continue;
        if (slot->process == r->head->process)
            r->reading[i].dead = !root;
        else
            r->reading[i].dead = !platform_is_running(slot->process);
        any = any || !r->reading[i].dead;
    }
    return !any;
}

size_t ring_read(struct ring *r, struct record *records, size_t room)
{
    bool over = false;
    __atomic_store_n(&r->head->readiness, RING_READY, __ATOMIC_RELEASE);
    while (!r->head->enough) {
        if (r->end_ns > 0 && platform_now_ns() >= r->end_ns) {
            ring_stop(r, "--max-seconds");
            break;
        }
        if (r->maps_of != 0) {
            records[0] = (struct record){.op = TRACE_MAPS, .process = r->maps_of};
            r->maps_of = 0;
            return 1;
        }
        if (real_pages_ask(&r->pages, r->head->process))
            share_huge(&r->head->huge, &r->pages.now);
        if (r->asked != NULL)
            __atomic_store_n(&r->asked->mapped, 1, __ATOMIC_RELEASE);
        r->asked = NULL;
        size_t count = real_pages_write(&r->pages, r->head->process, records, room);
        if (count > 0)
            return count;
        count = read_next(r, records, room);
        if (count > 0) {
            r->idle = 0;
            return count;
        }
        if (over) /* and nothing was left */
            return 0;
        if (++r->idle == LOOKS_BEFORE_ASKING) {
            records[0] = (struct record){.op = TRACE_PAUSE};
            return 1;
        }
        if (r->idle % LOOKS_BEFORE_ASKING == 1 && r->idle > 1)
            over = ask_processes(r);
        if (!over)
            platform_sleep(NAP_US * 1e-6);
    }
    return 0;
}
