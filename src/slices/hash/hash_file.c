/* hash_file.c: hashes and addresses as text. */
#include "slices/hash/hash_file.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/number.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- addresses ---- */

bool paddr_parse(const char *text, size_t length, uint64_t *paddr)
{
    char word[32];
    bool hexadecimal = length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = word + (hexadecimal ? 2 : 0);
    if (length >= sizeof word)
        return false;
    memcpy(word, text, length);
    word[length] = '\0';
    size_t count = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
    unsigned long long value = strtoull(digits, NULL, hexadecimal ? 16 : 10);
    if (count == 0 || digits[count] != '\0' || value >> ADDRESS_BITS_MAX != 0)
        return false;
    *paddr = value;
    return true;
}

uint64_t paddr_read(struct table *table, int column)
{
    struct field field = table_field(table, column);
    uint64_t paddr;
    if (field.text == NULL)
        table_die(table, column, "missing");
    if (!paddr_parse(field.text, field.length, &paddr))
        table_die(table, column,
                  "'%.*s' is not an address below 2^%d (decimal, or hexadecimal with 0x)",
                  (int)(field.length < 80 ? field.length : 80), field.text, ADDRESS_BITS_MAX);
    return paddr;
}

void paddr_put(uint64_t paddr, char after)
{
    put_formatted("0x%012" PRIx64 "%c", paddr, after);
}

/* ---- hashes ---- */

enum { BASE_MAX = 1 << INDEX_BITS_MAX, PUBLISHED_MASKS = 14 }; /* [bound] */

static const char *const kinds[] = {"base", "mask", NULL};
enum { KIND_BASE, KIND_MASK };

/* A hash that is still being read. */
struct unfinished {
    struct slice_hash hash;
    size_t lines, masks;  /* read so far */
    bool given[BASE_MAX]; /* set by a table */
};

static struct unfinished *begin(void)
{
    struct unfinished *u = allocate(1, sizeof *u);
    u->hash.base = allocate(BASE_MAX, 1);
    memset(u->hash.base, SLICE_MISSING, BASE_MAX);
    return u;
}

/* Checks what has been read, and frees `u`. */
static struct slice_hash end(struct unfinished *u, const char *file)
{
    struct slice_hash h = u->hash;
    if (!is_power_of_two(u->lines))
        die("%s: the base sequence has %zu lines, which is not a power of two", file, u->lines);
    h.index_bits = u->lines > 1 ? highest_bit(u->lines) : 0;
    for (unsigned t = 0; t < INDEX_BITS_MAX; t++) {
        if (t >= h.index_bits && h.mask[t] != 0)
            die("%s: mask %u is beyond the index bits of a base of %zu lines", file, t, u->lines);
        if (h.mask[t] != 0 && highest_bit(h.mask[t]) > h.top_bit)
            h.top_bit = highest_bit(h.mask[t]);
    }
    if (h.top_bit < LINE_BITS + h.index_bits)
        h.top_bit = LINE_BITS + h.index_bits - 1;
    h.slices = slices_count(h.base, u->lines);
    free(u);
    return h;
}

/* ---- as published ---- */

/* Splits a line at blanks; returns the number of words, at most `most`. */
static size_t split(char *line, char **words, size_t most)
{
    size_t count = 0;
    for (char *word = strtok(line, " \t\r"); word != NULL && count < most;
         word = strtok(NULL, " \t\r"))
        words[count++] = word;
    return count;
}

_Noreturn static void refuse(const struct lines *l, const char *word, const char *what)
{
    die("%s:%lu: '%.80s': expected %s", l->name, l->number, word, what);
}

static void read_base_line(struct unfinished *u, const struct lines *l, const char *word)
{
    uint64_t slice;
    bool missing = strcmp(word, "-1") == 0 || strcmp(word, "-") == 0;
    if (!missing && (!paddr_parse(word, strlen(word), &slice) || slice >= SLICES_MAX))
        refuse(l, word, "the number of a slice, 0 to 127");
    if (u->lines == BASE_MAX)
        die("%s:%lu: the base sequence has more than %d lines", l->name, l->number, BASE_MAX);
    u->hash.base[u->lines++] = (signed char)(missing ? SLICE_MISSING : (int)slice);
}

static void read_masks_line(struct unfinished *u, const struct lines *l, char **words, size_t count)
{
    for (size_t t = 0; t < count; t++) {
        uint64_t mask;
        if (!paddr_parse(words[t], strlen(words[t]), &mask))
            refuse(l, words[t], "a mask of address bits");
        if (t < INDEX_BITS_MAX)
            u->hash.mask[t] = mask;
        else if (mask != 0)
            refuse(l, words[t], "at most 15 masks");
    }
    u->masks = count;
}

/* Lines of one word are the base; a line of two bit numbers is followed by the masks. */
static void read_published(struct unfinished *u, const char *file)
{
    struct lines l = lines_open(file);
    char *line, *words[64];
    size_t length;
    bool cut = false, masks_next = false;
    while ((line = lines_next(&l, &length, &cut)) != NULL) {
        size_t count = split(line, words, sizeof words / sizeof *words);
        uint64_t top;
        if (masks_next && count > 0) {
            read_masks_line(u, &l, words, count);
            masks_next = false;
        } else if (count == 1)
            read_base_line(u, &l, words[0]);
        else if (count == 2) {
            if (!paddr_parse(words[1], strlen(words[1]), &top) || top >= ADDRESS_BITS_MAX)
                refuse(&l, words[1], "the highest address bit of the masks");
            u->hash.top_bit = (unsigned)top;
            masks_next = true;
        } else if (count > 0)
            refuse(&l, words[0], "a slice, or the lowest and the highest address bit");
    }
    if (cut)
        die("%s: its last line has no newline: it was cut off", file);
    lines_close(&l);
}

/* ---- as a table ---- */

/* `limits` in the metadata: "0x200000=1,0x4400000=0". */
static void read_limits(struct slice_hash *h, const char *file, const char *text)
{
    while (text != NULL && *text != '\0') {
        size_t mask = strcspn(text, "=,"), rest;
        const char *bit = text + mask;
        rest = strcspn(bit, ",");
        if (h->limits == 64 || !paddr_parse(text, mask, &h->limit[h->limits]) || rest != 2 ||
            (bit[1] != '0' && bit[1] != '1'))
            die("%s: its metadata 'limits' is not a comma-separated list of MASK=PARITY", file);
        h->limit_parity[h->limits++] = bit[1] == '1';
        text = bit + rest + (bit[rest] == ',');
    }
}

static void read_row(struct unfinished *u, struct table *table, const int column[3])
{
    struct field kind = table_field(table, column[0]), value = table_field(table, column[2]);
    bool base = kind.text != NULL && kind.length == 4 && memcmp(kind.text, kinds[0], 4) == 0;
    uint64_t index, number = 0;
    if (!base && !(kind.text != NULL && kind.length == 4 && memcmp(kind.text, kinds[1], 4) == 0))
        table_die(table, column[0], "neither base nor mask");
    if (!table_count(table, column[1], &index) ||
        index >= (base ? (uint64_t)BASE_MAX : (uint64_t)INDEX_BITS_MAX))
        table_die(table, column[1], "missing, or beyond the longest base");
    if (value.text != NULL && !paddr_parse(value.text, value.length, &number))
        table_die(table, column[2], "'%.*s' is not a number", (int)value.length, value.text);
    if (base && value.text != NULL && number >= SLICES_MAX)
        table_die(table, column[2], "slice numbers go up to %d", SLICES_MAX - 1);
    if (!base)
        u->hash.mask[index] = number;
    else if (u->given[index])
        table_die(table, column[1], "this line of the base is given twice");
    else {
        u->hash.base[index] = (signed char)(value.text != NULL ? (int)number : SLICE_MISSING);
        u->given[index] = true;
        u->lines++;
    }
}

static void read_table(struct unfinished *u, const char *file)
{
    struct table *table = table_open((char *[]){(char *)file}, 1);
    const int column[] = {table_column(table, "kind"), table_column(table, "index"),
                          table_column(table, "value")};
    for (int k = 0; k < 3; k++)
        table_require(table, column[k]);
    while (table_next(table))
        read_row(u, table, column);
    for (size_t i = 0; i < u->lines; i++)
        if (!u->given[i])
            die("%s: the base lacks line %zu", file, i);
    uint64_t top = size_or(table_meta(table, -1, "highest_bit"), 0);
    u->hash.top_bit = top < ADDRESS_BITS_MAX ? (unsigned)top : ADDRESS_BITS_MAX - 1;
    u->hash.paddr_bits = (unsigned)size_or(table_meta(table, -1, "paddr_bits"), 0);
    read_limits(&u->hash, file, table_meta(table, -1, "limits"));
    if (table_partial(table))
        die("%s: its last line was cut off: the hash is incomplete", file);
    table_close(table);
}

/* Whether a file begins with a bare number; a table begins with metadata or a header. */
static bool is_published(const char *file)
{
    FILE *stream = strcmp(file, "-") != 0 ? fopen(file, "r") : NULL;
    int first = stream != NULL ? fgetc(stream) : EOF;
    if (stream != NULL)
        fclose(stream);
    return isdigit(first) || first == '-';
}

struct slice_hash hash_read(const char *file)
{
    struct unfinished *u = begin();
    if (!is_published(file))
        read_table(u, file);
    else {
        read_published(u, file);
        if (u->masks == 0)
            die("%s: no masks: a line with the lowest and highest address bit, and a line of masks",
                file);
    }
    return end(u, file);
}

/* ---- writing ---- */

void hash_put_meta(const struct slice_hash *h)
{
    table_put_meta("slices", "%u", h->slices);
    table_put_meta("base_lines", "%zu", (size_t)1 << h->index_bits);
    table_put_meta("lowest_bit", "%u", LINE_BITS + h->index_bits);
    table_put_meta("highest_bit", "%u", h->top_bit);
    if (h->paddr_bits > 0)
        table_put_meta("paddr_bits", "%u", h->paddr_bits);
    char text[64 * 24];
    size_t used = 0;
    for (unsigned i = 0; i < h->limits; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s0x%" PRIx64 "=%u",
                                 i > 0 ? "," : "", h->limit[i], h->limit_parity[i]);
    if (used > 0)
        table_put_meta("limits", "%s", text);
}

void hash_put_rows(const struct slice_hash *h)
{
    table_put_header("kind\tindex\tvalue");
    for (size_t x = 0; x < (size_t)1 << h->index_bits; x++) {
        put_formatted("%s\t%zu\t", kinds[KIND_BASE], x);
        if (h->base[x] >= 0)
            put_count((uint64_t)h->base[x], '\n');
        else
            put_text(NULL, '\n');
    }
    for (unsigned t = 0; t < h->index_bits; t++)
        put_formatted("%s\t%u\t0x%" PRIx64 "\n", kinds[KIND_MASK], t, h->mask[t]);
}

void hash_put_published(const struct slice_hash *h)
{
    for (size_t x = 0; x < (size_t)1 << h->index_bits; x++)
        printf("%d\n", h->base[x]);
    printf("%u %u\n", LINE_BITS + h->index_bits, h->top_bit);
    for (unsigned t = 0; t < PUBLISHED_MASKS || t < h->index_bits; t++)
        printf("0x%" PRIx64 " ", t < h->index_bits ? h->mask[t] : 0);
    printf("\n");
}
