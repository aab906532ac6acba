/* encode.h: what stands in tables as values of JSON. The library is json-c, because it prints a
 * number in the text that it is given; it does not look at UTF-8, so that is done here. */
#ifndef TLBLAB_REPORT_ENCODE_H
#define TLBLAB_REPORT_ENCODE_H

#include "table/table.h"
#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

/* The text of a value, slashes as they are, which lives as long as the value;
 * JSON_C_TO_STRING_PLAIN or other flags of json-c. */
const char *encode_print(struct json_object *value, int flags);

/* A text; bytes that are no UTF-8 become U+FFFD each. */
struct json_object *encode_text(const char *text, size_t length);

/* A text; null where it is none, or says nothing ("", "-", "unknown"). */
struct json_object *encode_word(const char *word);

struct json_object *encode_yes(bool yes);

/* A number in the shortest form that reads back exactly; null (NULL in json-c) for
 * what is not finite. */
struct json_object *encode_number(double value);

/* Whether the field is a number of JSON as it stands, digit for digit. */
bool encode_is_number(struct field field);

/* A field: null where it is missing; a number where it reads as one, digit for digit where JSON
 * allows that; else a text, as is one with leading zeros ("007" is a name). With `name` it is a
 * text in any case. */
struct json_object *encode_field(struct field field, bool name);

/* The same for a text that ends with NUL, and is missing when it is NULL, "" or "-". */
struct json_object *encode_value(const char *text, bool name);

/* Whether a metadata key of this name holds a name, be it made of digits. */
bool encode_is_name(struct field key);

/* Adds a member; null for NULL. */
void encode_add(struct json_object *object, const char *key, struct json_object *value);
void encode_append(struct json_object *array, struct json_object *value);

/* An empty object or array. */
struct json_object *encode_object(void);
struct json_object *encode_array(void);

#endif
