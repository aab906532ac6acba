/* command.c: a program of several commands. */
#include "base/command.h"
#include "base/args.h"
#include "base/error.h"
#include <stdio.h>

int command_run(const struct command *commands, int argc, char **argv, int first)
{
    struct choice choice = {commands, sizeof *commands, NULL};
    if (first == argc)
        die_usage("which command? there are %s", choice_names(&choice));
    if (!choose(&choice, argv[first]))
        die_usage("no command '%s': there are %s", argv[first], choice_names(&choice));
    const struct command *command = choice.chosen;
    args_only(command->options, command->name);
    if (first + 1 < argc && !command->reads)
        die_usage("unexpected operand '%s'", argv[first + 1]);
    return command->run(argv + first + 1, argc - first - 1);
}

void command_print(const struct command *commands)
{
    puts("\nCommands:");
    for (; commands->name != NULL; commands++)
        printf("  %-10s %s\n", commands->name, commands->purpose);
}
