/* level_list.c: a machine from the levels of its TLBs.
 *
 *     struct model model = level_list("64:4,1536:12", NULL);
 */
#include "trace/tlbs/level_list.h"
#include "base/error.h"
#include "trace/format/words.h"
#include <stdio.h>

enum { ENTRIES_MAX = 1 << 20 }; /* [bound] */

/* ENTRIES[:WAYS], moving *at beyond it. */
static bool take_level(const char **at, struct assoc_shape *shape)
{
    if (!take_number(at, 10, ":,", &shape->entries) || shape->entries == 0 ||
        shape->entries > ENTRIES_MAX)
        return false;
    shape->ways = shape->entries;
    if (**at != ':')
        return true;
    ++*at;
    return take_number(at, 10, ",", &shape->ways) && shape->ways > 0 &&
           shape->ways <= shape->entries && shape->entries % shape->ways == 0;
}

/* Reads the levels of an option, "dtlb" or "itlb", and adds them to the machine's name. */
static void read_levels(struct model *model, struct model_rows *rows, const char *option,
                        const char *list)
{
    const char *at = list;
    size_t used = strlen(model->name);
    snprintf(model->name + used, sizeof model->name - used, "%s%s %s", used > 0 ? ", " : "", option,
             list);
    do {
        struct model_level level = {.number = rows->count + 1};
        at += at > list;
        if (rows->count == MODEL_LEVELS || !take_level(&at, &level.shape))
            die_usage(
                "--%s: '%s': 1 to 4 levels of 1 to 1048576 entries, and ways that divide them, "
                "such as 64:4,1536:12",
                option, list);
        rows->at[rows->count++] = level;
    } while (*at != '\0');
}

struct model level_list(const char *dtlb, const char *itlb)
{
    struct model model = {.page_bytes = 4096, .user_address_bits = MODEL_USER_ADDRESS_BITS};
    if (dtlb != NULL)
        read_levels(&model, &model.dtlb, "dtlb", dtlb);
    if (itlb != NULL)
        read_levels(&model, &model.itlb, "itlb", itlb);
    if (dtlb == NULL)
        model.dtlb = model.itlb; /* of as many levels; nothing is looked up there */
    return model;
}
