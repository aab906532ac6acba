/* meta.c: the metadata of tables being read. */
#include "base/error.h"
#include "table/private.h"
#include <stdlib.h>
#include <string.h>

enum { METAS_MAX = 50000, META_BYTES_MAX = 16 << 20 };

void table_keep_meta(struct source *s, const char *line)
{
    const char *separator = strchr(line, ':');
    if (separator == NULL)
        separator = strchr(line, '=');
    if (separator == NULL)
        return;
    struct field key = field_trim(line + 1, (size_t)(separator - line - 1));
    struct field value = field_trim(separator + 1, strlen(separator + 1));
    if (key.length == 0)
        return;
    if (s->meta_count == METAS_MAX)
        die("%s:%lu: more than %d lines of metadata", s->lines.name, s->lines.number, METAS_MAX);
    s->meta_bytes += key.length + value.length;
    if (s->meta_bytes > META_BYTES_MAX)
        die("%s:%lu: more than %d MiB of metadata", s->lines.name, s->lines.number,
            META_BYTES_MAX >> 20);
    s->metas = extend(s->metas, s->meta_count, sizeof *s->metas);
    s->metas[s->meta_count++] = (struct meta){field_copy(key), field_copy(value), s->head};
}

void table_free_meta(struct source *s)
{
    for (size_t k = 0; k < s->meta_count; k++) {
        free(s->metas[k].key);
        free(s->metas[k].value);
    }
    free(s->metas);
}

size_t table_meta_count(const struct table *t, int file)
{
    return t->sources[file].meta_count;
}

const char *table_meta_until(const struct table *t, int file, size_t count, const char *key)
{
    const struct source *s = &t->sources[file];
    for (size_t k = count < s->meta_count ? count : s->meta_count; k > 0; k--)
        if (strcmp(s->metas[k - 1].key, key) == 0)
            return s->metas[k - 1].value;
    return NULL;
}

const char *table_meta(const struct table *t, int file, const char *key)
{
    const char *value = NULL;
    for (int i = t->count - 1; i >= 0 && value == NULL; i--)
        if (file < 0 || i == file)
            value = table_meta_until(t, i, SIZE_MAX, key);
    return value;
}

bool table_meta_at(const struct table *t, size_t k, const char **key, const char **value)
{
    for (int i = 0; i < t->count; i++) {
        const struct source *s = &t->sources[i];
        if (k < s->meta_count) {
            *key = s->metas[k].key;
            *value = s->metas[k].value;
            return true;
        }
        k -= s->meta_count;
    }
    return false;
}

bool table_other_machine(const struct table *t, struct table_machine *first,
                         char how[TABLE_DIFFERENCE])
{
    static const char *const keys[] = {"cpu", "host", "l1d_bytes", "l2_bytes", "l3_bytes"};
    int file = table_file(t);
    if (table_meta_until(t, first->file, first->metas, keys[0]) == NULL)
        *first = (struct table_machine){file, table_meta_count(t, file)};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const char *there = table_meta_until(t, first->file, first->metas, keys[k]);
        const char *here = table_meta(t, file, keys[k]);
        if (here == NULL || there == NULL || strcmp(here, there) == 0)
            continue;
        snprintf(how, TABLE_DIFFERENCE, "%s '%s', but '%s' in %s", keys[k], here, there,
                 table_file_name(t, first->file));
        return true;
    }
    return false;
}

bool table_is_history(const char *key)
{
    return strcmp(key, "program") == 0 || strcmp(key, "version") == 0 ||
           strcmp(key, "command") == 0 || strcmp(key, "option") == 0;
}

/* Whether the same line is repeated later: concatenating runs must not repeat it. Within one table,
 * a program listed twice was run twice. */
static bool comes_again(const struct table *t, int file, size_t number)
{
    const struct meta *meta = &t->sources[file].metas[number];
    bool history = table_is_history(meta->key);
    for (int i = file; i < t->count; i++)
        for (size_t k = i == file ? number + 1 : 0; k < t->sources[i].meta_count; k++) {
            const struct meta *later = &t->sources[i].metas[k];
            bool same_table = i == file && later->head == meta->head;
            if (strcmp(later->key, meta->key) == 0 && strcmp(later->value, meta->value) == 0 &&
                !(history && same_table))
                return true;
        }
    return false;
}

void table_copy_meta(const struct table *t)
{
    for (int i = 0; i < t->count; i++)
        for (size_t k = 0; k < t->sources[i].meta_count; k++)
            if (!comes_again(t, i, k))
                table_put_meta(t->sources[i].metas[k].key, "%s", t->sources[i].metas[k].value);
}
