/* named.h: points, kernels and backings by their names; notes as they are written. */
#ifndef TLBLAB_TESTS_NAMED_H
#define TLBLAB_TESTS_NAMED_H

#include "access/kernel.h"
#include "access/layout.h"
#include "base/choice.h"
#include "table/note.h"
#include <string.h>

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

/* A point of base pages, for loads. */
static inline struct point point_of(const char *layout, uint64_t pages, uint64_t spacing)
{
    return (struct point){.pages = pages,
                          .spacing = spacing,
                          .page_bytes = 4096,
                          .layout = layout_find(layout, strlen(layout)),
                          .kernel = &kernels[KERNEL_READ],
                          .backing = &backings[BACKING_SCATTERED]};
}

#endif
