/* encode.c: the fields of tables as JSON values.
 *
 *     struct json_object *row = encode_object();
 *     encode_add(row, "ns", encode_number(1.083));
 *     puts(encode_print(row, JSON_C_TO_STRING_PLAIN));
 *     json_object_put(row);
 */
#include "report/payload/encode.h"
#include "base/error.h"
#include "base/number.h"
#include "base/printable.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* json-c returns NULL when memory runs out, and NULL is also its null. */
static struct json_object *made(struct json_object *value)
{
    if (value == NULL)
        die("out of memory");
    return value;
}

struct json_object *encode_object(void)
{
    return made(json_object_new_object());
}

struct json_object *encode_array(void)
{
    return made(json_object_new_array());
}

void encode_add(struct json_object *object, const char *key, struct json_object *value)
{
    if (json_object_object_add(object, key, value) != 0)
        die("out of memory");
}

void encode_append(struct json_object *array, struct json_object *value)
{
    if (json_object_array_add(array, value) != 0)
        die("out of memory");
}

/* json-c does not report text cut short because its buffer could not grow; realloc()'s errno
 * does. */
const char *encode_print(struct json_object *value, int flags)
{
    errno = 0;
    const char *text = json_object_to_json_string_ext(value,
                                                      flags | JSON_C_TO_STRING_NOSLASHESCAPE);
    if (text == NULL || errno == ENOMEM)
        die("out of memory");
    return text;
}

/* ---- texts ---- */

struct json_object *encode_text(const char *text, size_t length)
{
    static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */
    char *clean = allocate(length, 3);
    size_t used = 0;
    for (size_t i = 0; i < length;) {
        size_t whole = utf8_length(text + i, length - i);
        memcpy(clean + used, whole > 0 ? text + i : replacement, whole > 0 ? whole : 3);
        used += whole > 0 ? whole : 3;
        i += whole > 0 ? whole : 1;
    }
    struct json_object *value = made(json_object_new_string_len(clean, (int)used));
    free(clean);
    return value;
}

struct json_object *encode_word(const char *word)
{
    if (word == NULL || *word == '\0' || strcmp(word, "-") == 0 || strcmp(word, "unknown") == 0)
        return NULL;
    return encode_text(word, strlen(word));
}

/* ---- numbers ---- */

struct json_object *encode_yes(bool yes)
{
    return made(json_object_new_boolean(yes));
}

struct json_object *encode_number(double value)
{
    char text[NUMBER_ROOM];
    if (!isfinite(value))
        return NULL;
    number_text(value, text);
    return made(json_object_new_double_s(value, text));
}

/* parse_number() accepts ".5", "1." and "007", which are not JSON. */
bool encode_is_number(struct field field)
{
    double value;
    if (field.text == NULL || !parse_number(field.text, field.length, &value))
        return false;
    const char *at = field.text, *end = at + field.length;
    at += *at == '-' ? 1 : 0;
    bool zeros = *at == '0' && at + 1 < end && isdigit((unsigned char)at[1]);
    const char *point = memchr(at, '.', (size_t)(end - at));
    return isdigit((unsigned char)*at) && !zeros &&
           (point == NULL || (point + 1 < end && isdigit((unsigned char)point[1])));
}

/* Leading zeros, with or without a sign. */
static bool is_padded(struct field field)
{
    size_t sign = *field.text == '-' ? 1 : 0;
    return field.length > sign + 1 && field.text[sign] == '0' &&
           isdigit((unsigned char)field.text[sign + 1]);
}

struct json_object *encode_field(struct field field, bool name)
{
    double value;
    if (field.text == NULL)
        return NULL;
    if (name || is_padded(field) || !parse_number(field.text, field.length, &value))
        return encode_text(field.text, field.length);
    if (!encode_is_number(field))
        return encode_number(value);
    char *digits = allocate(field.length + 1, 1);
    memcpy(digits, field.text, field.length);
    struct json_object *number = made(json_object_new_double_s(value, digits));
    free(digits);
    return number;
}

struct json_object *encode_value(const char *text, bool name)
{
    if (text == NULL || *text == '\0' || strcmp(text, "-") == 0)
        return NULL;
    return encode_field((struct field){text, strlen(text)}, name);
}
