/* trace_read.c: reads traces: the binary form, and what other programs write.
 *
 *     struct trace *trace = trace_open("bfs.trace");
 *     while ((record = trace_next(trace)) != NULL)
 *         use(record);
 */
#include "base/error.h"
#include "base/lines.h"
#include "platform.h"
#include "table/table.h"
#include "trace/format/block.h"
#include "trace/format/by_thread.h"
#include "trace/format/ring.h"
#include "trace/format/ring_read.h"
#include "trace/format/text_read.h"
#include "trace/format/trace.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum form { BINARY, TEXT, RING };

/* [bound] records of a ring at a time: as many as stay in the first caches */
enum { RING_BATCH = 128 };

/* The recent pages of a thread (recent.h), each with the access that brought it there. */
struct recents {
    struct record at[RECENT_PAGES];
    uint8_t order;
};

struct trace {
    struct lines lines; /* binary: what was read to find the form */
    enum form form;
    struct trace_metas metas;
    struct record *records; /* BLOCK_RECORDS */
    size_t at, count;
    uint64_t block, total; /* blocks and records read */
    uint8_t *stored, *content;
    char *maps;
    bool ended, partial;
    struct text_reader *text;
    struct ring *ring;
    bool keeps_orders;
    struct recent_orders orders;
    struct by_thread recents; /* struct recents */
    struct record expanded;   /* an access to a recent page */
    int left;                 /* of these, before the next record; -1: not counted yet */
};

static struct trace *new_trace(const char *name, enum form form)
{
    struct trace *t = allocate(1, sizeof *t);
    t->lines.name = name;
    t->form = form;
    t->records = allocate(BLOCK_RECORDS, sizeof *t->records);
    t->recents = by_thread_of(sizeof(struct recents));
    t->left = -1;
    recent_fill(&t->orders);
    return t;
}

void trace_need_fetches(const struct trace *t)
{
    if (trace_meta(t, "traced") != NULL && trace_meta(t, "fetches") == NULL)
        die("%s: the trace has no fetches of instructions: tlbcc does not record them, tlbrun does",
            t->lines.name);
}

const char *trace_name(const struct trace *t)
{
    return t->lines.name;
}

const char *trace_maps(const struct trace *t)
{
    return t->maps != NULL ? t->maps : "";
}

const char *trace_symbol(const struct trace *t)
{
    return t->text != NULL ? text_symbol(t->text) : NULL;
}

int trace_partial(const struct trace *t)
{
    bool partial = t->partial || (t->text != NULL && text_partial(t->text));
    return partial ? STATUS_PARTIAL : STATUS_DONE;
}

/* ---- metadata ---- */

bool trace_meta_at(const struct trace *t, size_t k, const char **key, const char **value)
{
    if (2 * k >= t->metas.count)
        return false;
    *key = t->metas.texts[2 * k];
    *value = t->metas.texts[2 * k + 1];
    return true;
}

const char *trace_meta(const struct trace *t, const char *wanted)
{
    const char *key, *value, *found = NULL;
    for (size_t k = 0; trace_meta_at(t, k, &key, &value); k++)
        if (strcmp(key, wanted) == 0)
            found = value;
    return found;
}

void trace_copy_meta(const struct trace *t)
{
    const char *key, *value;
    for (size_t k = 0; trace_meta_at(t, k, &key, &value); k++)
        table_put_meta(key, "%s", value);
    table_begin(NULL);
}

static void read_metas(struct trace *t, const char *text, size_t length)
{
    while (length > 0) {
        const char *end = memchr(text, '\n', length);
        size_t line = end != NULL ? (size_t)(end - text) : length;
        text_meta(&t->metas, text, line);
        line += end != NULL;
        text += line;
        length -= line;
    }
}

/* ---- the binary form ---- */

static size_t read_bytes(struct trace *t, uint8_t *bytes, size_t count)
{
    size_t held = t->lines.end - t->lines.begin, got = held < count ? held : count;
    if (got > 0)
        memcpy(bytes, t->lines.buffer + t->lines.begin, got);
    t->lines.begin += got;
    while (got < count) {
        size_t more = fread(bytes + got, 1, count - got, t->lines.file);
        if (more == 0 && ferror(t->lines.file))
            die("%s: cannot read: %s", t->lines.name, strerror(errno));
        if (more == 0)
            break;
        got += more;
    }
    return got;
}

static void end_cut(struct trace *t)
{
    t->ended = t->partial = true;
    warn("%s: the trace is cut after record %llu: what wrote it did not finish", t->lines.name,
         (unsigned long long)t->total);
}

_Noreturn static void damaged(const struct trace *t, const char *what)
{
    die("%s: block %llu is damaged: %s", t->lines.name, (unsigned long long)t->block, what);
}

/* Reads the next block into t->content; false at the end, or where the trace is cut. */
static bool read_block(struct trace *t, struct block_head *head)
{
    uint8_t bytes[BLOCK_HEAD];
    size_t got = read_bytes(t, bytes, sizeof bytes);
    if (got < sizeof bytes) {
        end_cut(t);
        return false;
    }
    t->block++;
    if (!block_head_get(head, bytes))
        damaged(t, "there is no block where one should begin");
    if (read_bytes(t, t->stored, head->stored) < head->stored) {
        end_cut(t);
        return false;
    }
    uint64_t sum = block_checksum(0, bytes, BLOCK_HEAD - 8);
    if (block_checksum(sum, t->stored, head->stored) != head->checksum)
        damaged(t, "its checksum is wrong");
    if (head->coding == CODING_PLAIN && head->stored == head->bytes)
        memcpy(t->content, t->stored, head->bytes);
    else if (head->coding != CODING_ZSTD ||
             ZSTD_decompress(t->content, BLOCK_CONTENT_MAX, t->stored, head->stored) != head->bytes)
        damaged(t, "its content cannot be decompressed");
    return true;
}

static void take_maps(struct trace *t, size_t length)
{
    const uint8_t *at = t->content, *end = at + length;
    uint64_t process, time;
    if ((at = number_decode(at, end, &process)) == NULL ||
        (at = number_decode(at, end, &time)) == NULL || process > UINT32_MAX)
        damaged(t, "it holds no mappings");
    size_t text = (size_t)(end - at);
    t->maps = reallocate(t->maps, text + 1, 1);
    memcpy(t->maps, at, text);
    t->maps[text] = '\0';
    t->records[0] = (struct record){
        .op = TRACE_MAPS, .process = (uint32_t)process, .time_ns = time};
    t->count = 1;
}

/* Nothing follows the end of a trace: its records would not be read. */
static void refuse_rest(struct trace *t)
{
    uint8_t bytes[TRACE_MAGIC_BYTES];
    size_t got = read_bytes(t, bytes, sizeof bytes);
    if (got == sizeof bytes && memcmp(bytes, TRACE_MAGIC, sizeof bytes) == 0)
        die("%s: another trace follows the end of this one; traces cannot be joined: read them one "
            "by one",
            t->lines.name);
    if (got > 0)
        die("%s: bytes that are no part of the trace follow its end", t->lines.name);
}

/* The last block says how many records there are: only that shows that a whole block is missing. */
static void take_end(struct trace *t, size_t length)
{
    uint64_t written;
    if (number_decode(t->content, t->content + length, &written) == NULL)
        damaged(t, "it does not say how many records the trace has");
    if (written != t->total)
        die("%s: the trace is damaged: it has %llu records, and its end says %llu: blocks are "
            "missing",
            t->lines.name, (unsigned long long)t->total, (unsigned long long)written);
    refuse_rest(t);
    t->ended = true;
}

static void take_block(struct trace *t, const struct block_head *head)
{
    bool is_of_records = head->kind == BLOCK_OF_RECORDS || head->kind == BLOCK_OF_ORDERED;
    long count = 0;
    if (head->kind == BLOCK_META)
        read_metas(t, (const char *)t->content, head->bytes);
    else if (is_of_records)
        count = block_decode(t->content, head->bytes, head->kind == BLOCK_OF_ORDERED, t->records);
    else if (head->kind == BLOCK_MAPS)
        take_maps(t, head->bytes);
    else if (head->kind == BLOCK_END)
        take_end(t, head->bytes);
    else
        damaged(t, "this version of tlblab does not know its kind");
    if (count < 0)
        damaged(t, "its records cannot be read");
    if (is_of_records)
        t->count = (size_t)count;
    t->total += t->count;
}

/* Fills t->records from the next blocks; false at the end. */
static bool next_block(struct trace *t)
{
    struct block_head head;
    t->at = t->count = 0;
    while (t->count == 0 && !t->ended)
        if (read_block(t, &head))
            take_block(t, &head);
    return t->count > 0;
}

static void open_binary(struct trace *t)
{
    uint8_t magic[TRACE_MAGIC_BYTES];
    struct block_head head;
    t->stored = allocate(BLOCK_CONTENT_MAX, 1);
    t->content = allocate(BLOCK_CONTENT_MAX, 1);
    size_t got = read_bytes(t, magic, sizeof magic);
    if (memcmp(magic, TRACE_MAGIC, got) != 0)
        die("%s: this is no trace of tlblab, or one of another version", t->lines.name);
    if (got < sizeof magic)
        end_cut(t);
    else if (read_block(t, &head))
        take_block(t, &head); /* the metadata */
}

/* ---- text, rings ---- */

static bool next_line(struct trace *t)
{
    bool cut = false;
    t->at = 0;
    t->count = text_next(t->text, t->records, &cut);
    t->total += t->count;
    t->ended = t->count == 0;
    if (cut)
        end_cut(t);
    return t->count > 0;
}

static bool next_of_ring(struct trace *t)
{
    t->at = 0;
    t->count = ring_read(t->ring, t->records, RING_BATCH);
    t->total += t->count;
    t->ended = t->count == 0;
    if (t->count > 0 && t->records[0].op == TRACE_MAPS) {
        free(t->maps);
        t->maps = ring_maps(t->records[0].process);
    }
    return t->count > 0;
}

static void add_meta(struct trace *t, const char *key, const char *value)
{
    trace_metas_add(&t->metas, key, strlen(key), value, strlen(value));
}

struct trace *trace_open_ring(int descriptor)
{
    char bytes[32];
    struct trace *t = new_trace("ring", RING);
    t->ring = ring_open(descriptor);
    const struct ring_head *head = ring_head(t->ring);
    snprintf(bytes, sizeof bytes, "%d", 1 << RING_PAGE_SHIFT);
    add_meta(t, "traced", head->command);
    add_meta(t, "record", "accesses");
    add_meta(t, "huge_pages", "noted");
    add_meta(t, "filter_bytes", bytes);
    snprintf(bytes, sizeof bytes, "%u", head->recent);
    add_meta(t, "filter_pages", bytes);
    if (head->fetches)
        add_meta(t, "fetches", "noted");
    return t;
}

void trace_stop(struct trace *t, const char *why)
{
    if (t->form == RING)
        ring_stop(t->ring, why);
}

void trace_stop_after(struct trace *t, double seconds)
{
    if (t->form == RING)
        ring_stop_after(t->ring, seconds);
}

bool trace_ask_level1(struct trace *t, const struct ring_level1 level1[RING_CHAINS])
{
    return t->form == RING && ring_ask_level1(t->ring, level1);
}

/* ---- accesses to recent pages ---- */

void trace_keep_orders(struct trace *t)
{
    t->keeps_orders = true;
}

/* The next access to a recent page that comes before the record, or the record. */
static const struct record *next_in_order(struct trace *t, struct record *r)
{
    struct recents *recents = by_thread(&t->recents, r->process, r->thread);
    uint8_t order = (uint8_t)(r->order - 1);
    const uint8_t *place = t->orders.place[order];
    if (order == RECENT_FRESH)
        recents->order = RECENT_FRESH;
    if (t->left < 0)
        t->left = recent_touched(&t->orders, recents->order, order);
    if (t->left > 0) {
        t->expanded = recents->at[place[--t->left]];
        t->expanded.sequence = r->sequence - (uint64_t)t->left - 1;
        t->expanded.time_ns = r->time_ns;
        return &t->expanded;
    }
    t->left = -1;
    r->order = 0;
    recents->at[place[RECENT_PAGES - 1]] = *r;
    recents->order = t->orders.after[order][place[RECENT_PAGES - 1]];
    t->at++;
    return r;
}

/* ---- all ---- */

/* A program that is traced holds the lock of the file until its trace is whole. */
struct trace *trace_open(const char *name)
{
    struct trace *t = new_trace(name, BINARY);
    platform_wait_unlocked(name);
    t->lines = lines_open(name);
    if (t->lines.end == t->lines.begin)
        die("%s: the trace is empty", name);
    if (t->lines.buffer[t->lines.begin] == TRACE_MAGIC[0])
        open_binary(t);
    else {
        t->form = TEXT;
        t->text = text_open(&t->lines, &t->metas);
    }
    return t;
}

/* No instruction makes such an access, and each of its pages would be visited. */
_Noreturn static void refuse(const struct trace *t, const struct record *r)
{
    char place[64];
    if (t->form == TEXT)
        snprintf(place, sizeof place, "%lu", t->lines.number);
    else
        snprintf(place, sizeof place, " record %" PRIu64, t->total - t->count + t->at + 1);
    die("%s:%s: an access of %" PRIu64 " bytes at 0x%" PRIx64 ": %s", t->lines.name, place,
        r->bytes, r->address,
        record_length(r) > ACCESS_MAX ? "more than 64 MiB" : "it reaches past the last address");
}

const struct record *trace_next(struct trace *t)
{
    static bool (*const next[])(struct trace *) = {next_block, next_line, next_of_ring};
    if (t->at == t->count && (t->ended || !next[t->form](t)))
        return NULL;
    struct record *r = &t->records[t->at];
    if (record_is_access(r) && !record_is_possible(r))
        refuse(t, r);
    if (r->order != 0 && !t->keeps_orders)
        return next_in_order(t, r);
    t->at++;
    return r;
}

void trace_close(struct trace *t)
{
    trace_metas_free(&t->metas);
    if (t->form == RING)
        ring_close(t->ring);
    else
        lines_close(&t->lines);
    if (t->form == TEXT)
        text_close(t->text);
    by_thread_free(&t->recents);
    free(t->records);
    free(t->stored);
    free(t->content);
    free(t->maps);
    free(t);
}
