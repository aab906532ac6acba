/* step.c: a step of method segment in the verification payload. */
#include "base/number.h"
#include "report/payload/encode.h"
#include "report/payload/payload.h"
#include "tlb/detect/segment.h"
#include <string.h>

bool step_by_segment(const struct boundary *row)
{
    return strcmp(row->method, "segment") == 0;
}

/* The window at the boundary on the curve that yields the row, NULL if none does; and whether the
 * step persists. */
static const struct group *window_of(const struct run_tables *run, const struct boundary *row,
                                     bool *persistent)
{
    uint64_t l1d_bytes = size_or(table_meta(run->table, -1, "l1d_bytes"), 0);
    for (size_t i = 0; i < run->series.count; i++) {
        const struct group *group = &run->series.groups[i];
        struct boundaries found = {0};
        if (!group_layout(group)->windows || point_span(&group->point) != row->bytes_max)
            continue;
        segment_detect(&run->series, &group->point, l1d_bytes, 0, &found);
        for (size_t b = 0; b < found.count; b++) {
            *persistent = found.at[b].persistent;
            if (boundary_is_same(&found.at[b], row) && found.at[b].bytes_min == row->bytes_min &&
                found.at[b].bytes_max == row->bytes_max)
                return group;
        }
    }
    return NULL;
}

/* The index of a window in the payload's sweep, which lacks the comparison point. */
static double index_of(const struct series *series, const struct group *window)
{
    double index = 0;
    for (const struct group *group = series->groups; group < window; group++)
        index += group->point.role != ROLE_COMPARISON;
    return index;
}

void step_add(struct json_object *object, const struct run_tables *run, const struct boundary *row)
{
    bool persistent = false;
    const struct group *window = step_by_segment(row) ? window_of(run, row, &persistent) : NULL;
    bool known = window != NULL;
    encode_add(object, "boundary_index",
               known ? encode_number(index_of(&run->series, window)) : NULL);
    encode_add(object, "boundary_latency_ns",
               known ? encode_number(group_quantile(window, 0.5)) : NULL);
    encode_add(object, "persistent_jump", known ? encode_yes(persistent) : NULL);
}

struct json_object *step_warning(const struct boundary *row)
{
    if (!step_by_segment(row) && !note_has(&row->note, NOTE_NO_CONTROL))
        return NULL;
    return encode_word("no comparison with packed samples: a cache's edge and a TLB's cannot be "
                       "distinguished, whatever the confidence");
}
