/* named.h: kernels and backings by their names; notes as they are written. */
#ifndef TLBLAB_TESTS_NAMED_H
#define TLBLAB_TESTS_NAMED_H

#include "access/kernel.h"
#include "access/layout.h"
#include "base/choice.h"
#include "table/note.h"

/* NULL: there is none of that name. */
static inline const struct backing *backing_named(const char *name)
{
    struct choice choice = CHOICE_OF(backings);
    choose(&choice, name);
    return choice.chosen;
}

static inline const struct kernel *kernel_named(const char *name)
{
    struct choice choice = CHOICE_OF(kernels);
    choose(&choice, name);
    return choice.chosen;
}

static inline const char *notes_text(struct note note, char text[NOTE_ROOM])
{
    return note_text(&note, text);
}

#define NOTE(note) notes_text(note, (char[NOTE_ROOM]){0})

#endif
