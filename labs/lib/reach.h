/* Reports what a command in the sandbox reaches. */
#ifndef REACH_H
#define REACH_H

/* Prints a line for each mount, descriptor, process, socket and key that this process reaches. A
 * line that begins with `open` names a part of another process. */
void reach(void);

#endif
