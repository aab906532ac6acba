/* The list of what a command executed, as valgrind's lackey writes it. */
#ifndef LACKEY_H
#define LACKEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct list {
    int64_t listed, stated; /* instructions */
    int64_t text;           /* how many were listed at the last line with a path in it */
    size_t bytes;           /* of what was copied */
    size_t length;          /* of the line that has begun */
    int summaries;
    bool started; /* what loads shared libraries, if the command has any, is done */
    bool waits;   /* the outcome of a call is in the next line about one */
    bool own;     /* nobody but lackey has written it */
    char line[1024];
    FILE *accesses; /* gets a copy of the accesses and the system calls */
};

/* Reads what is in the pipe by now, which does not block. Returns whether there was anything. */
bool list_read(struct list *list, int pipe_end);

/* How many instructions were executed; -1 when the command may have written to the list itself. */
int64_t list_instructions(const struct list *list);

#endif
