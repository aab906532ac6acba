/* text.h: lines of other programs' traces. */
#ifndef TLBLAB_FORMAT_TEXT_H
#define TLBLAB_FORMAT_TEXT_H

#include "trace/format/record.h"
#include <stdbool.h>
#include <stddef.h>

/* The content of a line: output of the program among the lines of its trace; a sample without an
 * address of data; nothing that belongs to a trace; something that traces of this form have but
 * that is no access; one or two records. */
enum text_line { TEXT_OUTPUT = -3, TEXT_NO_ADDRESS, TEXT_UNKNOWN, TEXT_REMARK, TEXT_ONE, TEXT_TWO };

/* Reads a line into records, whose sequence and, where the form lacks it, time are not set. */
typedef enum text_line text_parse(const char *line, struct record records[2]);

/* valgrind --tool=lackey --trace-mem=yes: "I  04001000,3", " L 1ffe,8", " S …", " M …" (a load and
 * a store). */
text_parse text_lackey;

/* perf script -F pid,tid,time,event,addr,ip,sym: "12/13 4.000123: cpu/mem-loads/P: 7ffe10 401136
 * add", also without sym, and with comm, cpu, period, data_src, weight and dso. The event's name or
 * data_src says whether it is a store. A sample of an access that missed in all TLBs has LEVEL_MAX
 * as its level, one that hit in the second level 1; other samples with data_src, and other events
 * of TLBs, are remarks. */
text_parse text_perf;

/* Whether the line is a sample, of a miss or not. */
bool text_perf_is_sample(const char *line);

/* Whether the line is a function of a call chain; and a sample whose code is in the first line of
 * its chain. */
bool text_perf_is_frame(const char *line);
enum text_line text_perf_chained(const char *line, const char *frame, struct record *record);

/* The name of the code of such a line, or of a line of a chain; "" where it has none. */
void text_perf_symbol(const char *line, char *name, size_t room);

/* drmemtrace's view: "7  1: 3264162 read  8 byte(s) @ 0x00007ffe by PC 0x000055d4", also "write"
 * and "ifetch"; of release 9 "7: T3264162 read …". */
text_parse text_drmemtrace;

/* Writes a record as such a line on stdout, without the values that the form has no place for. */
typedef void text_write(const struct record *record, uint64_t number);
text_write text_put_lackey, text_put_perf, text_put_drmemtrace;

#endif
