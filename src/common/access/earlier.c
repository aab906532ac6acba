/* earlier.c: the rows of an earlier run, and what it was told.
 *
 *     struct earlier earlier = earlier_resume(&program, "part.tsv", &seed);
 */
#include "access/earlier.h"
#include "base/error.h"
#include "base/random.h"
#include "platform.h"
#include <stdlib.h>
#include <string.h>

uint64_t earlier_seed(const struct table *source)
{
    uint64_t seed = source != NULL ? size_or(table_meta(source, -1, "seed"), 0) : 0;
    return seed > 0 ? seed : random_fresh_seed();
}

struct earlier earlier_read(char *const *files, int count)
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

void earlier_free(struct earlier *earlier)
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

void earlier_inherit(const struct program *program, const struct earlier *earlier, uint64_t *seed)
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

struct earlier earlier_resume(const struct program *program, const char *file, uint64_t *seed)
{
    char *files[] = {(char *)file};
    if (platform_is_stdout(file))
        die("--resume '%s': that is this program's output; write to a new file", file);
    if (strcmp(file, "-") == 0)
        die_usage("--resume wants a file, not stdin");
    struct earlier earlier = earlier_read(files, 1);
    if (command_of(program, earlier.table) == NULL)
        die("%s: not a table that %s wrote, so there is nothing to resume", file, program->name);
    earlier_inherit(program, &earlier, seed);
    return earlier;
}
