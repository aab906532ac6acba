/* itlb.c: a machine that has only an iTLB.
 *
 *     struct model model = itlb_of("64,1024");
 */
#include "trace/tlbs/itlb.h"
#include "base/error.h"
#include "trace/format/words.h"
#include <stdio.h>

enum { ENTRIES_MOST = 1 << 20 }; /* [bound] */

struct model itlb_of(const char *list)
{
    struct model model = {.page_bytes = 4096, .user_address_bits = MODEL_USER_ADDRESS_BITS};
    const char *at = list;
    uint64_t entries = 0;
    snprintf(model.name, sizeof model.name, "iTLB %.50s", list);
    do {
        at += at > list;
        if (model.itlb.count == MODEL_LEVELS || !take_number(&at, 10, ",", &entries) ||
            entries == 0 || entries > ENTRIES_MOST)
            die_usage("--itlb: '%s': 1 to 4 levels of 1 to 1048576 entries, such as 64,1024", list);
        model.itlb.at[model.itlb.count++] = (struct model_level){
            .number = model.itlb.count, .shape = {.entries = entries, .ways = entries}};
    } while (*at != '\0');
    model.dtlb = model.itlb; /* of as many levels; nothing is looked up there */
    return model;
}
