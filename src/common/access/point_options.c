/* point_options.c: the values of options that describe points. */
#include "access/point_options.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/choice.h"
#include "base/error.h"
#include <string.h>

/* The buffer of `box`: larger than common last-level caches. [prior] */
static const uint64_t box_buffer = (uint64_t)256 << 20;

enum chain_mode option_chain(const char *name)
{
    if (name == NULL || strcmp(name, "auto") == 0)
        return CHAIN_RANDOM_BOX;
    int mode = chain_mode_find(name);
    if (strcmp(name, "global-random") == 0)
        die_usage("--chain global-random has no windows, so it cannot show a locality");
    if (mode < 0)
        die_usage("--chain '%s': there are auto, random-box, same-random-in-box and "
                  "diff-random-in-box",
                  name);
    return (enum chain_mode)mode;
}

size_t option_layouts(const char *names, const struct kernel *kernel,
                      const struct layout *chosen[OPTION_LAYOUTS])
{
    static const struct choice all = CHOICE_OF(layouts);
    const void *entries[OPTION_LAYOUTS - 1];
    if (names == NULL)
        names = kernel->layout != NULL ? kernel->layout : layouts->name;
    size_t count = choice_list(&all, "layout", names, entries, OPTION_LAYOUTS - 1);
    for (size_t i = 0; i < count; i++)
        chosen[i] = entries[i];
    chosen[count] = NULL;
    return count;
}

void option_check_page(uint64_t page_bytes, uint64_t base)
{
    if (page_bytes > 0 && page_bytes < base)
        die_usage("--page-size %llu: a page has %llu bytes or more", (unsigned long long)page_bytes,
                  (unsigned long long)base);
}

uint64_t option_spacing(uint64_t given, const struct layout *layout, uint64_t page_bytes,
                        uint64_t line_bytes)
{
    if (layout->per_page && given % page_bytes != 0)
        die_usage("--spacing %llu: layout %s has its nodes a multiple of %llu bytes apart",
                  (unsigned long long)given, layout->name, (unsigned long long)page_bytes);
    return layout_spacing(layout, given, page_bytes, line_bytes);
}

uint64_t option_buffer(const struct layout *layout)
{
    return layout->whole_buffer ? box_buffer : 0;
}

void option_check_point(const struct point *point)
{
    const char *why = point_refuses(point);
    if (why != NULL)
        die_usage("--%s", why);
}

void option_append(struct points *list, struct point point, const struct range *chains)
{
    for (size_t i = 0; i < (chains->count > 0 ? chains->count : 1); i++) {
        point.chains = chains->count > 0 && chains->values[i] != 1 ? chains->values[i] : 0;
        option_check_point(&point);
        points_append(list, &point);
    }
}
