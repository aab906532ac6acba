/* notes.h: a note as it is written, for tests. */
#ifndef TLBLAB_NOTES_H
#define TLBLAB_NOTES_H

#include "table/note.h"

static inline const char *notes_text(struct note note, char text[NOTE_ROOM])
{
    return note_text(&note, text);
}

#define NOTE(note) notes_text(note, (char[NOTE_ROOM]){0})

#endif
