/* fact_row.c: the rows of the machine table. */
#include "base/args.h"
#include "base/number.h"
#include "machine/facts.h"
#include "table/row.h"
#include <stdio.h>
#include <string.h>

enum { TEXT = 512 };

static const char *const used_names[] = {"no", "yes", NULL};
static const struct column fact_columns[] = {
    COLUMN(COUNT, "device", offsetof(struct fact_row, device), .option = FACT_DEVICE),
    COLUMN(TEXT, "key", offsetof(struct fact_row, key)),
    COLUMN(TEXT, "value", offsetof(struct fact_row, value)),
    COLUMN(TEXT, "unit", offsetof(struct fact_row, unit), .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "source", offsetof(struct fact_row, source)),
    COLUMN(WORD, "used", offsetof(struct fact_row, used), COLUMN_LIST(used_names),
           .view = COLUMN_HIDDEN),
    {0}};

static bool is_unknown(const struct fact_row *fact)
{
    return strcmp(fact->value, "unknown") == 0;
}

/* The value with its unit. */
static const char *value_for_people(const struct fact_row *fact, char text[TEXT])
{
    double bytes;
    char size[NUMBER_ROOM];
    bool number = parse_number(fact->value, strlen(fact->value), &bytes);
    if (number && strcmp(fact->unit, "bytes") == 0)
        snprintf(text, TEXT, "%s", size_text(bytes, 4, size));
    else if (*fact->unit == '\0' || is_unknown(fact))
        snprintf(text, TEXT, "%s", fact->value);
    else
        snprintf(text, TEXT, "%s %s", fact->value, fact->unit);
    return text;
}

static const char *source_for_people(const struct fact_row *fact, char text[TEXT])
{
    snprintf(text, TEXT, "%s%s", fact->source, fact->used || is_unknown(fact) ? "" : " (not used)");
    return text;
}

void facts_put_header(unsigned options)
{
    table_put_columns(fact_columns, options);
}

void fact_put(struct fact_row row, unsigned options)
{
    char value[TEXT], source[TEXT];
    struct fact_row shown = row;
    if (args_for_people()) {
        shown.value = value_for_people(&row, value);
        shown.source = source_for_people(&row, source);
    }
    table_put_row(fact_columns, options, &shown);
}

void facts_put(const struct facts *facts)
{
    facts_put_header(0);
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *f = &facts->at[i];
        fact_put((struct fact_row){0, f->key, f->value, f->unit, f->source, f->used}, 0);
    }
}
