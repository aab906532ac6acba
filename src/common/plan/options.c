/* options.c: options that the measuring programs have in common. */
#include "plan/options.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "access/refuse.h"
#include "base/error.h"
#include "base/random.h"
#include "platform.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The buffer of `box` where nobody says: more than any last level. [prior] */
static const uint64_t box_buffer = (uint64_t)256 << 20;

/* The names of a table whose entries begin with them, as a list. */
static const char *names_of(const void *table, size_t entry_bytes)
{
    static char list[256];
    size_t used = 0;
    for (const char *entry = table; *(const char *const *)(const void *)entry != NULL;
         entry += entry_bytes)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "",
                                 *(const char *const *)(const void *)entry);
    return list;
}

const struct kernel *option_kernel(const char *name)
{
    const struct kernel *kernel = name == NULL ? &kernels[KERNEL_READ]
                                               : kernel_find(name, strlen(name));
    if (kernel == NULL)
        die_usage("--kernel '%s': there are %s", name, names_of(kernels, sizeof *kernels));
    return kernel;
}

const struct backing *option_backing(const char *name)
{
    const struct backing *backing = name == NULL ? &backings[BACKING_SCATTERED]
                                                 : backing_find(name, strlen(name));
    if (backing == NULL)
        die_usage("--backing '%s': there are %s", name, names_of(backings, sizeof *backings));
    return backing;
}

enum chain_mode option_chain(const char *name)
{
    if (name == NULL || strcmp(name, "auto") == 0)
        return CHAIN_RANDOM_BOX;
    int mode = chain_mode_find(name, strlen(name));
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
    size_t count = 0;
    if (names == NULL)
        names = kernel->layout != NULL ? kernel->layout : layouts->name;
    for (const char *at = names; at != NULL;) {
        size_t length = strcspn(at, ",");
        if (count + 1 == OPTION_LAYOUTS)
            die_usage("--layout: more than %zu layouts", count);
        chosen[count] = layout_find(at, length);
        if (chosen[count] == NULL)
            die_usage("--layout '%.*s': there are %s", (int)length, at,
                      names_of(layouts, sizeof *layouts));
        count++;
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    chosen[count] = NULL;
    return count;
}

struct plan_options option_plan(const char *preset, uint64_t page_size, uint64_t base_page_bytes,
                                uint64_t line_bytes)
{
    struct plan_options plan = plan_defaults(page_size > 0 ? page_size : base_page_bytes,
                                             line_bytes);
    if (preset != NULL && !plan_preset(&plan, preset))
        die_usage("--preset '%s': there are %s", preset, names_of(presets, sizeof *presets));
    plan.base_page_bytes = base_page_bytes;
    if (plan.page_bytes < base_page_bytes || !is_power_of_two(plan.page_bytes))
        die_usage("--page-size %llu: a page has a power of two of bytes, and %llu at least",
                  (unsigned long long)page_size, (unsigned long long)base_page_bytes);
    if (plan.page_bytes > base_page_bytes)
        plan.backing = &backings[BACKING_HUGE];
    return plan;
}

void option_print_presets(void)
{
    printf("\nPresets:\n");
    for (const struct preset *preset = presets; preset->name != NULL; preset++)
        printf("  %-26s %s\n", preset->name, preset->help);
}

void option_print_names(void)
{
    printf("\nLayouts:\n");
    for (const struct layout *layout = layouts; layout->name != NULL; layout++)
        printf("  %-26s %s\n", layout->name, layout->help);
    printf("\nKernels:\n");
    for (const struct kernel *kernel = kernels; kernel->name != NULL; kernel++)
        printf("  %-26s %s\n", kernel->name, kernel->help);
    printf("\nBackings:\n");
    for (const struct backing *backing = backings; backing->name != NULL; backing++)
        printf("  %-26s %s\n", backing->name, backing->help);
}

void option_check_budget(double budget)
{
    if (budget <= 0)
        die_usage("--budget %g: expected more than 0 seconds", budget);
}

void option_check_core_kind(const char *kind)
{
    if (kind != NULL && strcmp(kind, "performance") != 0 && strcmp(kind, "efficiency") != 0)
        die_usage("--core-kind '%s': there are performance and efficiency", kind);
}

void option_check_spacing(uint64_t spacing)
{
    if (spacing % sizeof(void *) != 0)
        die_usage("--spacing %llu: nodes hold pointers, so their distance is a multiple of %zu",
                  (unsigned long long)spacing, sizeof(void *));
}

uint64_t option_spacing(uint64_t given, const struct layout *layout, uint64_t page_bytes,
                        uint64_t line_bytes)
{
    if (layout->per_page && given % page_bytes != 0)
        die_usage("--spacing %llu: layout %s has its nodes a multiple of %llu bytes apart",
                  (unsigned long long)given, layout->name, (unsigned long long)page_bytes);
    return layout_spacing(layout, given, page_bytes, line_bytes);
}

uint64_t option_buffer(uint64_t given, const struct layout *layout)
{
    if (!layout->whole_buffer)
        return 0;
    return given > 0 ? given : box_buffer;
}

void option_check_point(const struct point *point)
{
    const char *why = point_refuses(point);
    if (why != NULL)
        die_usage("--%s", why);
}

uint64_t option_seed(const struct table *source)
{
    uint64_t seed = source != NULL ? size_or(table_meta(source, -1, "seed"), 0) : 0;
    return seed > 0 ? seed : random_fresh_seed();
}

/* ---- earlier runs ---- */

struct earlier option_earlier(char *const *files, int count)
{
    struct earlier earlier = {0};
    struct sample row;
    size_t room = 0;
    if (count == 0)
        return earlier;
    earlier.table = table_open(files, count);
    struct point_reader *reader = point_reader_open(earlier.table, true);
    while (point_reader_next(reader, &row)) {
        if (earlier.count == room) {
            room = room > 0 ? 2 * room : 1024;
            earlier.rows = reallocate(earlier.rows, room, sizeof *earlier.rows);
        }
        earlier.rows[earlier.count++] = row;
    }
    point_reader_close(reader);
    return earlier;
}

void option_earlier_free(struct earlier *earlier)
{
    if (earlier->table != NULL)
        table_close(earlier->table);
    free(earlier->rows);
    *earlier = (struct earlier){0};
}

/* The last command of this program in the history of the table, or NULL. */
static const char *command_of(const struct program *program, const struct table *table)
{
    const char *key, *value, *command = NULL;
    size_t length = strlen(program->name);
    for (size_t k = 0; table_meta_at(table, k, &key, &value); k++)
        if (strcmp(key, "command") == 0 && strncmp(value, program->name, length) == 0 &&
            (value[length] == ' ' || value[length] == '\0'))
            command = value;
    return command;
}

void option_inherit(const struct program *program, const struct earlier *earlier, uint64_t *seed)
{
    const char *command = command_of(program, earlier->table);
    const char *stored = table_meta(earlier->table, -1, "seed");
    uint64_t number = 0;
    if (command != NULL)
        args_reparse(program, command, table_file_name(earlier->table, 0));
    if (stored != NULL && parse_size(stored, &number)) {
        if (*seed != 0 && *seed != number)
            die_usage("--seed %llu contradicts the run to be resumed, which has %llu",
                      (unsigned long long)*seed, (unsigned long long)number);
        *seed = number;
    }
}

struct earlier option_resume(const struct program *program, const char *file, uint64_t *seed)
{
    char *files[] = {(char *)file};
    if (platform_is_stdout(file))
        die("--resume '%s': that is this program's output; write to a new file", file);
    if (strcmp(file, "-") == 0)
        die_usage("--resume wants a file, not stdin");
    struct earlier earlier = option_earlier(files, 1);
    if (command_of(program, earlier.table) == NULL)
        die("%s: not a table that %s wrote, so there is nothing to resume", file, program->name);
    option_inherit(program, &earlier, seed);
    return earlier;
}
