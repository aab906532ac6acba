/* args.c: the common command line, over getopt_long(). */
#include "base/args.h"
#include "base/error.h"
#include "base/flag.h"
#include "platform.h"
#include <assert.h>
#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLAGS_MAX = 64 };

bool args_quiet;
enum args_pretty args_pretty;
const char *args_columns;
const char *args_called_as;
static char *command_line;
static const char **metas;
static size_t meta_count;
static const struct program *running;
static struct flag flags[FLAGS_MAX]; /* of the running program: shared, then its own */
static const char *texts[FLAGS_MAX]; /* value of each flag as given: "" for FLAG_YES, or NULL */
static int flag_count, operands;

/* ---- the command line as text ---- */

static bool is_plain(const char *word)
{
    for (const char *c = word; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && strchr("-_./:,+=@%", *c) == NULL)
            return false;
    return *word != '\0';
}

/* Appends a word, quoted for a POSIX shell where needed, to `line`, which quote_all() sized. */
static void quote_word(char *line, size_t *used, const char *word)
{
    bool plain = is_plain(word);
    if (*used > 0)
        line[(*used)++] = ' ';
    if (!plain)
        line[(*used)++] = '\'';
    for (const char *c = word; *c != '\0'; c++) {
        if (*c == '\'') {
            memcpy(line + *used, "'\\''", 4);
            *used += 4;
        } else
            line[(*used)++] = *c;
    }
    if (!plain)
        line[(*used)++] = '\'';
    line[*used] = '\0';
}

static char *quote_all(const char *name, int argc, char **argv)
{
    size_t room = strlen(name) + 1, used = 0;
    for (int i = 1; i < argc; i++)
        room += 4 * strlen(argv[i]) + 3;
    char *line = allocate(room, 1);
    quote_word(line, &used, name);
    for (int i = 1; i < argc; i++)
        quote_word(line, &used, argv[i]);
    return line;
}

const char *args_command(void)
{
    return command_line != NULL ? command_line : program_name;
}

/* ---- --meta ---- */

static void add_meta(const char *text)
{
    size_t key = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (key == 0 || text[key] != '=')
        die_usage("--meta '%s': expected KEY=VALUE, KEY of a-z, 0-9 and _", text);
    if (strpbrk(text, "\n\r\t") != NULL)
        die_usage("--meta '%.*s': the value must be one line without tabs", (int)key, text);
    metas = extend(metas, meta_count, sizeof *metas);
    metas[meta_count++] = text;
}

size_t args_meta_count(void)
{
    return meta_count;
}

const char *args_meta(size_t k)
{
    return metas[k];
}

/* ---- flags ---- */

/* Return values of getopt_long(), above all characters, which are unknown short options. */
enum {
    OPTION_FLAG = 256,
    OPTION_META = 1000,
    OPTION_PRETTY,
    OPTION_QUIET,
    OPTION_HELP,
    OPTION_VERSION
};

static struct option option_of(const struct flag *flag, int value)
{
    int argument = flag->kind == FLAG_YES ? no_argument : required_argument;
    return (struct option){flag->name, argument, NULL, value};
}

static void add_flags(const struct flag *added)
{
    for (; added != NULL && added->name != NULL; added++) {
        assert(flag_count + 9 < FLAGS_MAX);
        flags[flag_count++] = *added;
    }
}

/* Fills the option table of getopt_long(); val is OPTION_FLAG plus the flag's index. */
static void fill_options(const struct program *program, struct option *options)
{
    static const struct option common[] = {{"quiet", no_argument, NULL, OPTION_QUIET},
                                           {"help", optional_argument, NULL, OPTION_HELP},
                                           {"version", no_argument, NULL, OPTION_VERSION}};
    static const struct option of_tables[] = {{"pretty", optional_argument, NULL, OPTION_PRETTY},
                                              {"meta", required_argument, NULL, OPTION_META}};
    size_t n = 0;
    for (; flags[n].name != NULL; n++)
        options[n] = option_of(&flags[n], OPTION_FLAG + (int)n);
    for (size_t i = 0; program->writes_table && i < sizeof of_tables / sizeof *of_tables; i++)
        options[n++] = of_tables[i];
    memcpy(options + n, common, sizeof common);
    n += sizeof common / sizeof *common;
    options[n] = (struct option){0};
}

static void set_pretty(const char *value)
{
    bool never = value != NULL && strcmp(value, "never") == 0;
    args_pretty = never ? PRETTY_NEVER : PRETTY_ALWAYS;
    args_columns = never ? NULL : value;
}

static void handle_common(const struct program *program, int option, const char *value, char **next)
{
    if (option == OPTION_META && value != NULL) /* getopt sees to that */
        add_meta(value);
    else if (option == OPTION_PRETTY)
        set_pretty(value);
    else if (option == OPTION_QUIET)
        args_quiet = true;
    else if (option == OPTION_HELP)
        help_print(program, value != NULL ? value : *next);
    else if (option == OPTION_VERSION)
        version_print(program->name);
    if (option == OPTION_HELP || option == OPTION_VERSION)
        exit(finish(STATUS_DONE));
}

/* The option whose name is most like a word; NULL where none is. */
static const char *similar_option(const struct option *options, const char *word)
{
    const struct choice names = {options, sizeof *options, NULL};
    return strncmp(word, "--", 2) == 0 ? choice_nearest(&names, word + 2, strcspn(word + 2, "="))
                                       : NULL;
}

_Noreturn static void refuse_option(int option, const char *word, const struct option *options)
{
    const char *similar = similar_option(options, word);
    if (option == ':')
        die_usage("option '%s' needs a value", word);
    if (optopt > 0 && optopt < OPTION_FLAG) /* getopt_long() may not have moved past its word yet */
        die_usage("unknown option '-%c'", optopt);
    if (optopt > 0)
        die_usage("option '%s' takes no value", word);
    if (similar != NULL)
        die_usage("unknown option '%s': did you mean '--%s'?", word, similar);
    die_usage("unknown option '%s'", word);
}

bool args_for_people(void)
{
    return args_pretty == PRETTY_ALWAYS ||
           (args_pretty == PRETTY_AUTO && platform_is_terminal(stdout));
}

void args_check(void)
{
    flags_check(&(struct given){flags, texts, operands});
}

/* A name without dots after it is one operand. */
static int operands_max(const char *text)
{
    int count = *text != '\0';
    for (const char *at = text; *at != '\0'; at++)
        count += *at == ' ';
    return strstr(text, "...") != NULL ? INT_MAX : count;
}

static void declare(const struct program *program, struct option *options)
{
    add_flags(program->shared);
    add_flags(program->flags);
    fill_options(program, options);
}

int args_parse(const struct program *program, int argc, char **argv)
{
    struct option options[FLAGS_MAX];
    int option;
    running = program;
    error_begin(program->name);
    args_called_as = argv[0];
    command_line = quote_all(program->name, argc, argv); /* before getopt_long() reorders argv */
    declare(program, options);
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":hq", options, NULL)) != -1) {
        option = option == 'h' ? OPTION_HELP : option == 'q' ? OPTION_QUIET : option;
        if (option == '?' || option == ':' || option < OPTION_FLAG)
            refuse_option(option, argv[optind - 1], options);
        if (option >= OPTION_META)
            handle_common(program, option, optarg, argv + optind);
        else {
            texts[option - OPTION_FLAG] = optarg != NULL ? optarg : "";
            flag_take(&flags[option - OPTION_FLAG], texts[option - OPTION_FLAG]);
        }
    }
    operands = argc - optind - (program->commands != NULL);
    if (program->per_run == NULL && program->inherits == NULL)
        args_check();
    if (argc - optind > operands_max(program->operands))
        die_usage("unexpected operand '%s'", argv[optind + operands_max(program->operands)]);
    return optind;
}

/* Whether a name is among these, each followed by a blank. */
static bool is_among(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (; *names != '\0'; names += strcspn(names, " "), names += *names == ' ')
        if (strncmp(names, name, length) == 0 && names[length] == ' ')
            return true;
    return false;
}

int command_run(const struct command *commands, int argc, char **argv, int first)
{
    struct choice choice = {commands, sizeof *commands, NULL};
    if (first == argc)
        die_usage("which command? there are %s", choice_names(&choice));
    if (!choose(&choice, argv[first]))
        die_usage("no command '%s': there are %s", argv[first], choice_names(&choice));
    const struct command *command = choice.chosen;
    for (int i = 0; i < flag_count; i++)
        if (texts[i] != NULL && !is_among(command->options, flags[i].name))
            die_usage("--%s does not go with %s", flags[i].name, command->name);
    if (first + 1 < argc && !command->reads)
        die_usage("unexpected operand '%s'", argv[first + 1]);
    return command->run(argv + first + 1, argc - first - 1);
}

void args_refuse(const char *names, const char *format, ...)
{
    char other[128];
    va_list args;
    va_start(args, format);
    vsnprintf(other, sizeof other, format, args);
    va_end(args);
    for (int i = 0; i < flag_count; i++)
        if (texts[i] != NULL && is_among(names, flags[i].name))
            die_usage("--%s does not go with %s", flags[i].name, other);
}

/* ---- an earlier run ---- */

bool args_inherits_from(const char *program)
{
    return strcmp(program, running->name) == 0 ||
           (running->inherits != NULL && is_among(running->inherits, program));
}

static bool is_per_run(const struct flag *flag)
{
    return running->per_run != NULL && is_among(running->per_run, flag->name);
}

void args_each_option(void (*each)(const char *name, const char *value))
{
    for (int i = 0; i < flag_count; i++)
        if (texts[i] != NULL && !is_per_run(&flags[i]))
            each(flags[i].name, texts[i]);
}

/* The value in an option's text "--NAME VALUE" or "--NAME"; NULL if the name differs. */
static const char *value_in(const char *option, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(option, "--", 2) != 0 || strncmp(option + 2, name, length) != 0)
        return NULL;
    option += 2 + length;
    return *option == ' ' ? option + 1 : *option == '\0' ? option : NULL;
}

static const struct flag *flag_of(const char *option)
{
    for (int i = 0; i < flag_count; i++)
        if (value_in(option, flags[i].name) != NULL)
            return &flags[i];
    return NULL;
}

_Noreturn static void refuse_earlier(const char *file, const char *option)
{
    die("%s: the option '%s' of the run to be resumed is unknown to this version", file, option);
}

/* Inherits a flag's earlier value; a value given now must be the same. */
static void inherit(const struct flag *flag, const char **now, const char *earlier)
{
    if (*now != NULL && earlier == NULL)
        die_usage("--%s '%s' contradicts the run to be resumed, which does not have it", flag->name,
                  *now);
    if (*now != NULL && strcmp(*now, earlier) != 0)
        die_usage("--%s '%s' contradicts the run to be resumed, which has '%s'", flag->name, *now,
                  earlier);
    *now = earlier;
}

void args_inherit(const char *const *options, size_t count, const char *file)
{
    for (size_t k = 0; k < count; k++)
        if (flag_of(options[k]) == NULL)
            refuse_earlier(file, options[k]);
    for (int i = 0; i < flag_count; i++) {
        const struct flag *flag = &flags[i];
        const char *earlier = NULL, *option = NULL;
        for (size_t k = 0; k < count; k++)
            if (flag_of(options[k]) == flag) {
                option = options[k];
                earlier = value_in(option, flag->name);
            }
        if (is_per_run(flag))
            continue;
        inherit(flag, &texts[i], earlier);
        if (earlier != NULL && !flag_set(flag, earlier))
            refuse_earlier(file, option);
    }
}
