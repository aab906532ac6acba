/* text.h: lines of other programs' traces. */
#ifndef TLBLAB_FORMAT_TEXT_H
#define TLBLAB_FORMAT_TEXT_H

#include "trace/format/record.h"
#include <stddef.h>

/* What a line holds: nothing that belongs to a trace; something that traces of this form have but
 * that is no access; one or two records. */
enum text_line { TEXT_UNKNOWN = -1, TEXT_REMARK, TEXT_ONE, TEXT_TWO };

/* Reads a line into records, whose sequence and, where the form lacks it, time are not set. */
typedef enum text_line text_parse(const char *line, struct record records[2]);

/* valgrind --tool=lackey --trace-mem=yes: "I  04001000,3", " L 1ffe,8", " S …", " M …" (a load and
 * a store). */
text_parse text_lackey;

/* perf script -F pid,tid,time,event,addr,ip: "12/13 4.000123: cpu/mem-loads/P: 7ffe10 401136", also
 * with comm, cpu, period, data_src, weight, sym and dso. The event's name or data_src says whether
 * it is a store. A sample of an access that missed in all TLBs has LEVEL_MOST as its level; other
 * samples with data_src, and other events of TLBs, are remarks. */
text_parse text_perf;

/* The name of the code of such a line, "" where it has none. */
void text_perf_symbol(const char *line, char *name, size_t room);

/* drmemtrace's view: "7  1: 3264162 read  8 byte(s) @ 0x00007ffe by PC 0x000055d4", also "write"
 * and "ifetch". */
text_parse text_drmemtrace;

/* Writes a record as such a line on stdout, without the values that the form has no place for. */
typedef void text_write(const struct record *record, uint64_t number);
text_write text_put_lackey, text_put_perf, text_put_drmemtrace;

#endif
