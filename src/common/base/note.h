/* note.h: the column `note`: fixed words with commas between, some of them with a number
 * ("reach=32"). */
#ifndef TLBLAB_BASE_NOTE_H
#define TLBLAB_BASE_NOTE_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a note, its end included: several of the longest words. */
#define NOTE_ROOM 160

/* Adds a word; what does not fit into `room` bytes is cut off. */
void note_add(char *note, size_t room, const char *word);

/* Whether the note has this very word. */
bool note_has(const char *note, const char *word);

/* The number of a word "key=number"; NaN where there is none. */
double note_number(const char *note, const char *key);

#endif
