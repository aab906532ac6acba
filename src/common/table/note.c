/* note.c: the column `note`. */
#include "table/note.h"
#include "base/number.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *meaning;
    bool has_number;
} words[NOTE_WORDS] = {
#define NOTE_ROW(name, word, has_number, meaning) {word, meaning, has_number},
    NOTE_LIST(NOTE_ROW)};

_Static_assert(NOTE_WORDS <= 64, "a note has a bit for each word");

void note_add(struct note *note, enum note_word word)
{
    note->words |= (uint64_t)1 << word;
}

void note_add_number(struct note *note, enum note_word word, double number)
{
    note_add(note, word);
    note->number = number;
}

void note_add_text(struct note *note, const char *text, size_t length)
{
    size_t used = strlen(note->text);
    snprintf(note->text + used, sizeof note->text - used, "%s%.*s", used > 0 ? "," : "",
             (int)length, text);
}

bool note_has(const struct note *note, enum note_word word)
{
    return (note->words >> word & 1) != 0;
}

double note_number(const struct note *note, enum note_word word)
{
    return note_has(note, word) ? note->number : (double)NAN;
}

const char *note_name(enum note_word word)
{
    return words[word].name;
}

const char *note_meaning(enum note_word word)
{
    return words[word].meaning;
}

const char *note_text(const struct note *note, char text[NOTE_ROOM])
{
    size_t used = (size_t)snprintf(text, NOTE_ROOM, "%s", note->text);
    for (enum note_word w = 0; w < NOTE_WORDS; w++) {
        if (!note_has(note, w))
            continue;
        used += (size_t)snprintf(text + used, NOTE_ROOM - used, "%s%s", used > 0 ? "," : "",
                                 words[w].name);
        if (words[w].has_number)
            used += (size_t)snprintf(text + used, NOTE_ROOM - used, "=%.15g", note->number);
    }
    return text;
}

/* Adds one word of a note; false for a word that is not fixed. */
static bool parse_word(struct note *note, const char *text, size_t length)
{
    for (enum note_word w = 0; w < NOTE_WORDS; w++) {
        size_t name = strlen(words[w].name);
        if (length < name || memcmp(text, words[w].name, name) != 0)
            continue;
        if (words[w].has_number
                ? length > name && text[name] == '=' &&
                      parse_number(text + name + 1, length - name - 1, &note->number)
                : length == name) {
            note_add(note, w);
            return true;
        }
    }
    return false;
}

struct note note_parse(const char *text, size_t length)
{
    struct note note = {0};
    for (const char *end = text + length; text < end;) {
        const char *comma = memchr(text, ',', (size_t)(end - text));
        size_t word = (size_t)((comma != NULL ? comma : end) - text);
        if (word > 0 && !parse_word(&note, text, word))
            note_add_text(&note, text, word);
        text += word + 1;
    }
    return note;
}
