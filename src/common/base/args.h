/* args.h: the common command line. A program declares its flags in one table; parsing, --help and
 * the `command` metadata are all derived from it, so that they cannot drift apart. */
#ifndef TLBLAB_BASE_ARGS_H
#define TLBLAB_BASE_ARGS_H

#include "base/choice.h"
#include "base/range.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TLBLAB_VERSION "0.1.0"

enum flag_kind {
    FLAG_YES,     /* bool *: present or not */
    FLAG_TEXT,    /* const char ** */
    FLAG_WORD,    /* struct choice *: one of a list of words */
    FLAG_COUNT,   /* uint64_t *: a whole number from 1, no suffix */
    FLAG_SIZE,    /* uint64_t *: a whole number from 1 with k, M, G (binary) */
    FLAG_NUMBER,  /* double *: finite */
    FLAG_SECONDS, /* double *: more than 0 */
    FLAG_RANGE    /* struct range *: sizes */
};

struct flag {
    const char *name; /* without the dashes; NULL ends the table */
    enum flag_kind kind;
    void *value;         /* written when the flag is given, else left alone */
    const char *metavar; /* what stands for the value in --help; NULL for FLAG_YES */
    const char *help;    /* one line; NULL for an older name, which --help leaves out */
    bool per_run;        /* may differ when a run is resumed */
};

struct program {
    const char *name;
    const char *purpose;  /* one line */
    const char *operands; /* "[FILE...]", or "" */
    const char *example;  /* one command line */
    const struct flag *flags;
    bool writes_table;       /* adds --meta KEY=VALUE */
    void (*more_help)(void); /* prints what else --help has to say; NULL: nothing */
};

extern bool args_quiet; /* --quiet: no progress, no remarks */

/* The program's name as the caller wrote it, with or without a folder; NULL before args_parse(). */
extern const char *args_called_as;

/* Parses the command line; --help and --version print and exit 0, a mistake exits 2. Options may
 * follow operands. Returns the index of the first operand in argv (operands are moved to the end).
 */
int args_parse(const struct program *program, int argc, char **argv);

/* The command line as the `command` metadata holds it: words quoted for a shell where needed. */
const char *args_command(void);

/* Calls `each` for every option that was given here or inherited, but for those that are per_run:
 * its name, and its value as it was given ("" for FLAG_YES). */
void args_each_option(void (*each)(const char *name, const char *value));

/* Takes over the options of an earlier run, as found in `file`: each is "--NAME VALUE", or "--NAME"
 * for FLAG_YES, and must live as long as this program. An option that was given now must be the
 * same there (a usage error otherwise), unless it is per_run: that one is not taken over. Dies
 * naming `file` for an option that this program does not have. */
void args_inherit(const char *const *options, size_t count, const char *file);

/* Number of --meta KEY=VALUE given, and the k-th of them as "KEY=VALUE" (KEY is [a-z0-9_]+). */
size_t args_meta_count(void);
const char *args_meta(size_t k);

#endif
