/* trace.h: reading traces of several forms, writing them in the binary form.
 *
 * The binary form: 8 bytes of magic and version; then blocks of a header (BLOCK_HEAD bytes), with
 * kind, coding, lengths and checksum, and their content. A trace that is cut is legal up to the
 * cut; a whole one ends in a block that says so. Numbers are little-endian.
 *
 * Metadata keys: `record` (`accesses`, or `misses` of TLB levels from `level` on), `filter_bytes`
 * and `filter_pages` (an access to one of the thread's last so many blocks of so many bytes is left
 * out; where it changed their order, that is recorded before the next access to another block, as
 * an access with the address and site of an earlier one to this block; missing: 0 bytes, none is,
 * and 1 block), `machine` and `machine_sum` (misses: of which machine), `page_bytes` and `huge`
 * (misses: the pages assumed), `huge_pages` (`noted`: records PAGES say which pages were huge),
 * `fetches` (`noted`: where a thread goes on on another block of `filter_bytes` of code, an access
 * EXECUTE says so, with the number of the access before), `sampled` (`yes`: misses are samples). */
#ifndef TLBLAB_FORMAT_TRACE_H
#define TLBLAB_FORMAT_TRACE_H

#include "trace/format/record.h"
#include "trace/format/ring.h"
#include <stddef.h>
#include <stdio.h>

/* ---- reading ---- */

struct trace;

/* Opens a trace ("-": stdin) and reads its metadata. The form is found from the first bytes:
 * binary, valgrind's lackey, `perf script -F pid,tid,time,event,addr,ip,sym`, drmemtrace's view, or
 * the table that `tlbsim --to table` writes. Waits where a traced program still writes the file.
 * Dies on a file that cannot be opened or has none of these forms. */
struct trace *trace_open(const char *name);

/* The records of a running program, from shared memory (ring.h). */
struct trace *trace_open_ring(int descriptor);

/* Of a running program: asks it to leave out what hits these first levels of TLBs
 * (ring_read.h). False where it cannot, and of other traces. Before the first record is
 * read. */
bool trace_ask_level1(struct trace *trace, const struct ring_level1 level1[RING_CHAINS]);

/* Of a running program: no more is read, now or after so many seconds, with a remark; it goes
 * on. */
void trace_stop(struct trace *trace, const char *why);
void trace_stop_after(struct trace *trace, double seconds);

/* The next record, valid until the next call; NULL at the end. Dies on a block that is damaged (its
 * checksum is wrong), where blocks are missing before the end or bytes follow it, on a bad line of
 * text, and on an access of more than ACCESS_MAX bytes or past the last address. */
const struct record *trace_next(struct trace *trace);

/* The function of the last record, where a text has its name, until the next call; else NULL. */
const char *trace_symbol(const struct trace *trace);

/* From now on accesses to recent pages are no records of their own, but the order of the records
 * that follow: only for trace_put(). */
void trace_keep_orders(struct trace *trace);

/* After a record MAPS: lines as in /proc/PID/maps. */
const char *trace_maps(const struct trace *trace);

/* The last value of a metadata key, or NULL; the k-th key and value, false beyond the last. */
const char *trace_meta(const struct trace *trace, const char *key);
bool trace_meta_at(const struct trace *trace, size_t k, const char **key, const char **value);

/* STATUS_PARTIAL where the trace was cut, as an interrupted run leaves it; a warning said so. */
int trace_partial(const struct trace *trace);

/* Dies where the trace is of a program whose fetches of instructions were not recorded. */
void trace_need_fetches(const struct trace *trace);

/* The file's name for messages. */
const char *trace_name(const struct trace *trace);
void trace_close(struct trace *trace);

/* Writes the metadata of a trace, and this program's history, to the head of a table on stdout. */
void trace_copy_meta(const struct trace *trace);

/* ---- writing ---- */

struct trace_writer;

/* Starts a binary trace. Metadata come first, then records in any order of threads. */
struct trace_writer *trace_create(FILE *file);
void trace_put_meta(struct trace_writer *writer, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The metadata of a source (may be NULL) and this program's history. */
void trace_begin(struct trace_writer *writer, const struct trace *source);
void trace_put(struct trace_writer *writer, const struct record *record);
void trace_put_maps(struct trace_writer *writer, uint32_t process, uint64_t time_ns,
                    const char *text);

/* Writes what is held back, so that a reader sees it; and, last, the end. */
void trace_flush(struct trace_writer *writer);
/* The bytes written so far. */
uint64_t trace_bytes(const struct trace_writer *writer);
void trace_finish(struct trace_writer *writer);

/* ---- shared by both ---- */

#define TRACE_MAGIC "\x89TLBTR\x02\n"
enum { TRACE_MAGIC_BYTES = 8, BLOCK_HEAD = 24, BLOCK_CONTENT_MAX = 1 << 24 };
enum block_kind { BLOCK_META = 1, BLOCK_OF_RECORDS, BLOCK_MAPS, BLOCK_END, BLOCK_OF_ORDERED };
enum block_coding { CODING_PLAIN, CODING_ZSTD };

/* The head of a block as bytes, without the checksum, which comes last. */
struct block_head {
    uint8_t kind, coding;
    uint32_t bytes, stored; /* of the content as it is, and as it stands in the file */
    uint64_t checksum;      /* of the rest of the head and the stored content */
};
bool block_head_get(struct block_head *head, const uint8_t bytes[BLOCK_HEAD]);

/* The head with the checksum that belongs to it and to the stored content. */
void block_head_seal(const struct block_head *head, const uint8_t *stored,
                     uint8_t bytes[BLOCK_HEAD]);

/* A list of keys and values. */
struct trace_metas {
    char **texts; /* key and value in turn */
    size_t count; /* of both */
};
void trace_metas_add(struct trace_metas *metas, const char *key, size_t key_length,
                     const char *value, size_t value_length);
void trace_metas_free(struct trace_metas *metas);

#endif
