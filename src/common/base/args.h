/* args.h: the common command line. A program declares its flags in one table; parsing, --help and
 * the `command` metadata all derive from it. */
#ifndef TLBLAB_BASE_ARGS_H
#define TLBLAB_BASE_ARGS_H

#include "base/choice.h"
#include "base/number.h"
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
    FLAG_POWER,   /* uint64_t *: a size that is a power of two */
    FLAG_NUMBER,  /* double *: finite */
    FLAG_SECONDS, /* double *: more than 0 */
    FLAG_RANGE    /* struct range *: sizes */
};

struct flag {
    const char *name; /* without the dashes; NULL ends the table */
    enum flag_kind kind;
    void *value;          /* written only when the flag is given */
    const char *metavar;  /* name of the value in --help; NULL for FLAG_YES */
    const char *help;     /* one line */
    const char *needs;    /* conditions of flag.h, of which one must hold; NULL: none */
    const char *excludes; /* conditions of which none may hold; NULL: none */
    double min, max;      /* of the value; max 0: any */
    double multiple;      /* which the value is of; 0: of any */
};

/* A row of a table of flags ends where nothing more is declared. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* One of several things that a program does: its first operand names it. */
struct command {
    const char *name, *purpose; /* NULL ends the table */
    const char *options;        /* each followed by a blank */
    bool reads;                 /* operands may follow it */
    int (*run)(char **operands, int count);
};

/* Words that some option takes, which --help NAME explains. */
struct topic {
    const char *name, *title; /* NULL ends the table */
    struct choice words;      /* their entries begin with a name and a line of help; may be {0} */
    void (*print)(void);      /* prints them otherwise; NULL: help_words() */
    const char *about;        /* a line of --help, before the words */
};

struct program {
    const char *name;
    const char *purpose;  /* one line */
    const char *operands; /* "[FILE...]", or "" */
    const char *example;  /* one command line */
    const struct flag *flags;
    const struct flag *shared; /* flags that another program has too, listed first; NULL: none */
    const char *per_run; /* names of flags that may differ when a run is resumed, each followed by a
                            blank; NULL: none */
    const char *inherits; /* names of the programs whose recorded options are its own too, in the
                             same form; NULL: only its own */
    bool writes_table;    /* adds --pretty and --meta */
    const struct command *commands; /* of command_run(); NULL: none */
    const struct topic *topics;     /* NULL: none */
};

extern bool args_quiet; /* --quiet: no progress, no remarks */

/* --pretty[=LIST] of programs that write tables: whether the table is for people (AUTO: on a
 * terminal), and the columns to show (NULL: those of table/view.h); see there. */
enum args_pretty { PRETTY_AUTO, PRETTY_ALWAYS, PRETTY_NEVER };
extern enum args_pretty args_pretty;
extern const char *args_columns;

/* Whether the table is written for people. */
bool args_for_people(void);

/* The program's name as invoked, with or without a folder; NULL before args_parse(). */
extern const char *args_called_as;

/* Parses the command line; --help [TOPIC], -h and --version print and exit 0, an error exits 2.
 * Options may follow operands, which are moved to the end of argv. Returns the index of the first
 * operand. Flags are checked against each other, except in a program that can inherit some. */
int args_parse(const struct program *program, int argc, char **argv);

/* The command line for the `command` metadata, with words quoted for a shell where needed. */
const char *args_command(void);

/* Calls `each` with the name and the text of the value ("" for FLAG_YES) of every option that was
 * given or inherited, except those in per_run. */
void args_each_option(void (*each)(const char *name, const char *value));

/* Dies for a flag without what it needs, or with what it excludes. A program that can inherit
 * options calls it once it has. */
void args_check(void);

/* Runs the command named by argv[first] and returns its status. Dies if the command is missing or
 * unknown, or does not take a given option or operand. */
int command_run(const struct command *commands, int argc, char **argv, int first);

/* Dies for an option that was given and is among `names`, each followed by a blank: "--NAME does
 * not go with" and the rest, such as "--preset walk". */
void args_refuse(const char *names, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether options that a run of `program` recorded are options of this program. */
bool args_inherits_from(const char *program);

/* Inherits the options of an earlier run from `file`: each is "--NAME VALUE", or "--NAME" for
 * FLAG_YES, and must stay valid until the program ends. A per_run option is not inherited. Any
 * other option on this command line must be the same there, or it is a usage error. Dies, naming
 * `file`, for an option that this program does not have. */
void args_inherit(const char *const *options, size_t count, const char *file);

/* The number of --meta options, and the k-th as "KEY=VALUE" (KEY is [a-z0-9_]+). */
size_t args_meta_count(void);
const char *args_meta(size_t k);

/* ---- what --help and --version print, within the width of the page ---- */

/* A word and what it means, on as many lines as needed. */
void help_entry(const char *word, const char *meaning);
void help_words(const struct choice *words);

/* The whole help, or what one topic has where `topic` names one; dies for another word that is no
 * option. `topic` may be NULL. */
void help_print(const struct program *program, const char *topic);

/* Name and version, then the commit, the compiler and the libraries of this build. */
void version_print(const char *name);

#endif
