/* What a command in the sandbox reaches. */
#ifndef REACH_H
#define REACH_H

/* Prints a line for each descriptor, process, socket and key that this process reaches. A
 * line that begins with `open` is a part of another process. */
void reach(void);

#endif
