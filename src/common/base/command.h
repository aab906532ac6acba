/* command.h: a program that does several things: its first operand names the command. */
#ifndef TLBLAB_BASE_COMMAND_H
#define TLBLAB_BASE_COMMAND_H

#include <stdbool.h>

/* A table of them ends with a NULL name. */
struct command {
    const char *name, *purpose;
    const char *options; /* each followed by a blank */
    bool reads;          /* operands may follow it */
    int (*run)(char **operands, int count);
};

/* Runs the command named by argv[first] and returns its status. Dies if the command is missing or
 * unknown, or does not take a given option or operand. */
int command_run(const struct command *commands, int argc, char **argv, int first);

/* Prints the names and purposes, for --help. */
void command_print(const struct command *commands);

#endif
