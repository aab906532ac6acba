/* text_read.h: reads a trace line by line: the table that tlbsim writes, and what other programs
 * write. */
#ifndef TLBLAB_FORMAT_TEXT_READ_H
#define TLBLAB_FORMAT_TEXT_READ_H

#include "base/lines.h"
#include "trace/format/trace.h"

struct text_reader;

/* Finds the form from the first line that belongs to one; adds the metadata before it. Dies where
 * no line does. The lines must outlive the reader. */
struct text_reader *text_open(struct lines *lines, struct trace_metas *metas);

/* Reads lines until one has records; their number, 0 at the end. *cut: the last line had no end. */
size_t text_next(struct text_reader *reader, struct record records[2], bool *cut);

/* Whether lines were left out that belong to no trace; a warning said so. */
bool text_partial(const struct text_reader *reader);

/* The name of the code of the last record, where the form has it; NULL elsewhere. Valid until the
 * next call. */
const char *text_symbol(struct text_reader *reader);
void text_close(struct text_reader *reader);

/* Reads "key: value". */
void text_meta(struct trace_metas *metas, const char *line, size_t length);

#endif
