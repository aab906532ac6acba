/* help.c: what --help prints.
 *
 *     help_entry("--seed N", "seed of the chains (from the clock)");
 *         ->   --seed N                   seed of the chains (from the clock)
 */
#include "base/args.h"
#include "base/error.h"
#include "base/flag.h"
#include "base/printable.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT = 29 };

void help_entry(const char *word, const char *meaning)
{
    size_t at = (size_t)printf("  %-26s ", word);
    put_words(stdout, meaning, at, LEFT, false);
    putchar('\n');
}

void help_words(const struct choice *words)
{
    const char *const *entry;
    for (size_t k = 0; *(entry = choice_at(words, k)) != NULL; k++)
        help_entry(entry[0], entry[1]);
}

static void print_flags(const struct flag *flags)
{
    for (const struct flag *flag = flags; flag != NULL && flag->name != NULL; flag++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", flag->name, flag->metavar != NULL ? " " : "",
                 flag->metavar != NULL ? flag->metavar : "");
        char *rules = flag_rules(flag);
        size_t bytes = strlen(flag->help) + strlen(rules) + 1;
        char *text = allocate(bytes, 1);
        snprintf(text, bytes, "%s%s", flag->help, rules);
        help_entry(left, text);
        free(rules);
        free(text);
    }
}

static void print_options(const struct program *program)
{
    print_flags(program->shared);
    print_flags(program->flags);
    if (program->writes_table) {
        help_entry("--pretty[=LIST]", "aligned as on a terminal: these columns, all, or never");
        help_entry("--meta KEY=VALUE", "put a line into the table's metadata");
    }
    help_entry("--quiet, -q", "no progress and no remarks");
    help_entry("--help, -h", "print this and exit");
    help_entry("--version", "print the version and exit");
}

static void print_topic(const struct topic *topic)
{
    printf("%s:\n", topic->title);
    if (topic->print != NULL)
        topic->print();
    else
        help_words(&topic->words);
}

static void print_commands(const struct command *commands)
{
    puts("\nCommands:");
    for (; commands->name != NULL; commands++)
        printf("  %-10s %s\n", commands->name, commands->purpose);
}

/* The topics with their words. */
static void list_topics(const struct topic *topics)
{
    puts("\nMore help:");
    for (; topics->name != NULL; topics++) {
        char left[64], about[600];
        bool words = topics->words.table != NULL;
        snprintf(left, sizeof left, "--help %s", topics->name);
        snprintf(about, sizeof about, "%s%s%s", topics->about, words ? ": " : "",
                 words ? choice_names(&topics->words) : "");
        help_entry(left, about);
    }
}

void help_print(const struct program *program, const char *topic)
{
    struct choice topics = {program->topics, sizeof *program->topics, NULL};
    if (topic != NULL && *topic != '-' && program->topics != NULL) {
        if (!choose(&topics, topic))
            die_usage("--help '%s': there are %s", topic, choice_names(&topics));
        print_topic(topics.chosen);
        return;
    }
    printf("%s: %s\n\nUsage: %s [OPTION...]%s%s\n\n", program->name, program->purpose,
           program->name, *program->operands ? " " : "", program->operands);
    print_options(program);
    if (program->commands != NULL)
        print_commands(program->commands);
    if (program->topics != NULL)
        list_topics(program->topics);
    printf("\nExample: %s\nMore: man %s\n", program->example, program->name);
}
