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

/* Runs the command that argv[first] names, and returns what it returns. Dies for none, an unknown
 * one, an option that it does not have, and an operand that it does not read. */
int command_run(const struct command *commands, int argc, char **argv, int first);

/* Prints the names and purposes, for --help. */
void command_print(const struct command *commands);

#endif
