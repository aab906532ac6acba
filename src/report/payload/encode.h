/* encode.h: the fields of tables as JSON values. json-c prints a number with the digits it is
 * given, and does not check UTF-8; encode_text() does. All functions die when memory runs out. */
#ifndef TLBLAB_PAYLOAD_ENCODE_H
#define TLBLAB_PAYLOAD_ENCODE_H

#include "table/table.h"
#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

/* Prints a value with json-c's flags (JSON_C_TO_STRING_…), slashes unescaped. The text lives as
 * long as the value. */
const char *encode_print(struct json_object *value, int flags);

/* A string; each byte that is not valid UTF-8 becomes U+FFFD. */
struct json_object *encode_text(const char *text, size_t length);

/* A string; null for NULL, "", "-" and "unknown". */
struct json_object *encode_word(const char *word);

struct json_object *encode_yes(bool yes);

/* A number in the shortest form that reads back exactly; null (NULL in json-c) unless finite. */
struct json_object *encode_number(double value);

/* Whether the field's text is a JSON number. */
bool encode_is_number(struct field field);

/* A field: null if missing; a number if it reads as one, digits unchanged where JSON allows;
 * otherwise a string, as are numbers with leading zeros ("007") and all fields with `name`. */
struct json_object *encode_field(struct field field, bool name);

/* The same for a C string; NULL, "" and "-" are missing. */
struct json_object *encode_value(const char *text, bool name);

/* Add a member or an element; NULL is null. */
void encode_add(struct json_object *object, const char *key, struct json_object *value);
void encode_append(struct json_object *array, struct json_object *value);

struct json_object *encode_object(void);
struct json_object *encode_array(void);

#endif
