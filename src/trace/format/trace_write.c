/* trace_write.c: writes traces in the binary form.
 *
 *     struct trace_writer *writer = trace_create(stdout);
 *     trace_put_meta(writer, "record", "accesses");
 *     trace_put(writer, &record);
 *     trace_finish(writer);
 */
#include "base/args.h"
#include "base/error.h"
#include "trace/format/block.h"
#include "trace/format/trace.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* "TBLK", where a block begins. */
#define BLOCK_MARK 0x4b4c4254

/* [bound] zstd's level: level 1 makes traces a seventh smaller, and tlbsim up to a tenth slower */
enum { PACKING = -1 };

struct trace_writer {
    FILE *file;
    struct trace_metas metas;
    bool begun;
    struct block_draft draft;
    uint64_t written; /* records */
    uint64_t sent;    /* bytes */
    ZSTD_CCtx *zstd;
    uint8_t bytes[BLOCK_ROOM], stored[ZSTD_COMPRESSBOUND(BLOCK_ROOM)];
};

/* ---- heads, metadata ---- */

static void put_little(uint8_t *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get_little(const uint8_t *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

void block_head_seal(const struct block_head *head, const uint8_t *stored,
                     uint8_t bytes[BLOCK_HEAD])
{
    put_little(bytes, BLOCK_MARK, 4);
    put_little(bytes + 4, head->kind, 2);
    put_little(bytes + 6, head->coding, 2);
    put_little(bytes + 8, head->bytes, 4);
    put_little(bytes + 12, head->stored, 4);
    uint64_t sum = block_checksum(0, bytes, BLOCK_HEAD - 8);
    put_little(bytes + 16, block_checksum(sum, stored, head->stored), 8);
}

bool block_head_get(struct block_head *head, const uint8_t bytes[BLOCK_HEAD])
{
    head->kind = bytes[4];
    head->coding = bytes[6];
    head->bytes = (uint32_t)get_little(bytes + 8, 4);
    head->stored = (uint32_t)get_little(bytes + 12, 4);
    head->checksum = get_little(bytes + 16, 8);
    return get_little(bytes, 4) == BLOCK_MARK && head->bytes <= BLOCK_CONTENT_MAX &&
           head->stored <= BLOCK_CONTENT_MAX;
}

static char *copy_text(const char *text, size_t length)
{
    char *copy = allocate(length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

void trace_metas_add(struct trace_metas *metas, const char *key, size_t key_length,
                     const char *value, size_t value_length)
{
    metas->texts = reallocate(metas->texts, metas->count + 2, sizeof *metas->texts);
    metas->texts[metas->count++] = copy_text(key, key_length);
    metas->texts[metas->count++] = copy_text(value, value_length);
}

void trace_metas_free(struct trace_metas *metas)
{
    for (size_t k = 0; k < metas->count; k++)
        free(metas->texts[k]);
    free(metas->texts);
}

struct trace_writer *trace_create(FILE *file)
{
    struct trace_writer *w = allocate(1, sizeof *w);
    w->file = file;
    if ((w->zstd = ZSTD_createCCtx()) == NULL)
        die("out of memory");
    return w;
}

void trace_put_meta(struct trace_writer *w, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *value = allocate((size_t)length + 1, 1);
    va_start(arguments, format);
    vsnprintf(value, (size_t)length + 1, format, arguments);
    va_end(arguments);
    for (char *c = value; *c != '\0'; c++)
        if (*c == '\n' || *c == '\r' || *c == '\t')
            *c = ' ';
    trace_metas_add(&w->metas, key, strlen(key), value, strlen(value));
    free(value);
}

void trace_begin(struct trace_writer *w, const struct trace *source)
{
    const char *key, *value;
    for (size_t k = 0; source != NULL && trace_meta_at(source, k, &key, &value); k++)
        trace_put_meta(w, key, "%s", value);
    trace_put_meta(w, "program", "%s", program_name);
    trace_put_meta(w, "version", "%s", TLBLAB_VERSION);
    trace_put_meta(w, "command", "%s", args_command());
}

/* ---- blocks ---- */

static void write_bytes(struct trace_writer *w, const void *bytes, size_t count)
{
    if (fwrite(bytes, 1, count, w->file) != count) {
        if (w->file == stdout)
            flush_output();
        die("cannot write the trace: %s", strerror(errno));
    }
    w->sent += count;
}

uint64_t trace_bytes(const struct trace_writer *w)
{
    return w->sent;
}

static void write_block(struct trace_writer *w, enum block_kind kind, const uint8_t *content,
                        size_t bytes)
{
    uint8_t head_bytes[BLOCK_HEAD];
    struct block_head head = {.kind = (uint8_t)kind, .bytes = (uint32_t)bytes};
    const uint8_t *stored = content;
    head.stored = head.bytes;
    if (bytes > 0 && bytes <= sizeof w->bytes) {
        size_t packed = ZSTD_compressCCtx(w->zstd, w->stored, sizeof w->stored, content, bytes,
                                          PACKING);
        if (!ZSTD_isError(packed) && packed < bytes) {
            head.coding = CODING_ZSTD;
            head.stored = (uint32_t)packed;
            stored = w->stored;
        }
    }
    block_head_seal(&head, stored, head_bytes);
    write_bytes(w, head_bytes, sizeof head_bytes);
    write_bytes(w, stored, head.stored);
}

/* The metadata, with those of the command line last. */
static void begin(struct trace_writer *w)
{
    if (w->begun)
        return;
    w->begun = true;
    for (size_t k = 0; k < args_meta_count(); k++) {
        const char *text = args_meta(k), *equals = strchr(text, '=');
        trace_metas_add(&w->metas, text, (size_t)(equals - text), equals + 1, strlen(equals + 1));
    }
    size_t length = 0;
    for (size_t k = 0; k < w->metas.count; k++)
        length += strlen(w->metas.texts[k]) + 2;
    char *text = allocate(length + 1, 1), *at = text;
    for (size_t k = 0; k < w->metas.count; k += 2)
        at += sprintf(at, "%s: %s\n", w->metas.texts[k], w->metas.texts[k + 1]);
    write_bytes(w, TRACE_MAGIC, TRACE_MAGIC_BYTES);
    write_block(w, BLOCK_META, (const uint8_t *)text, (size_t)(at - text));
    free(text);
}

static void write_records(struct trace_writer *w)
{
    begin(w);
    if (w->draft.count == 0)
        return;
    w->written += w->draft.count;
    enum block_kind kind = w->draft.ordered ? BLOCK_OF_ORDERED : BLOCK_OF_RECORDS;
    write_block(w, kind, w->bytes, block_write(&w->draft, w->bytes));
}

void trace_put(struct trace_writer *w, const struct record *record)
{
    const struct block_draft *d = &w->draft;
    if (d->count == BLOCK_RECORDS ||
        (d->count > 0 && (d->thread != record->thread || d->process != record->process)))
        write_records(w);
    block_add(&w->draft, record);
}

void trace_put_maps(struct trace_writer *w, uint32_t process, uint64_t time_ns, const char *text)
{
    size_t length = strlen(text);
    enum { NUMBERS = 2 * 10 }; /* bytes that they take at most */
    uint8_t *content = allocate(length + NUMBERS, 1), *at = content;
    write_records(w);
    at = number_encode(at, process);
    at = number_encode(at, time_ns);
    if (length > BLOCK_CONTENT_MAX - NUMBERS)
        length = BLOCK_CONTENT_MAX - NUMBERS;
    for (size_t i = 0; i < length; i++)
        at[i] = (uint8_t)text[i];
    write_block(w, BLOCK_MAPS, content, (size_t)(at - content) + length);
    w->written++;
    free(content);
}

void trace_flush(struct trace_writer *w)
{
    write_records(w);
    if (w->file == stdout)
        flush_output();
    else if (fflush(w->file) != 0)
        die("cannot write the trace: %s", strerror(errno));
}

void trace_finish(struct trace_writer *w)
{
    uint8_t content[10];
    write_records(w);
    write_block(w, BLOCK_END, content, (size_t)(number_encode(content, w->written) - content));
    trace_flush(w);
    trace_metas_free(&w->metas);
    ZSTD_freeCCtx(w->zstd);
    free(w);
}
