/* prose.c: lines of the report. */
#include "report/prose/prose.h"
#include "base/printable.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void prose_say(const char *label, const char *format, ...)
{
    va_list arguments;
    size_t length = strlen(label);
    fputs("  ", stdout);
    put_printable(label, length, stdout);
    printf("%*s ", length < 17 ? 17 - (int)length : 0, "");
    va_start(arguments, format);
    vput_printable(stdout, format, arguments);
    va_end(arguments);
    putchar('\n');
}

void prose_say_label(const struct row_label *label)
{
    const char *name = *label->file != '\0' ? label->file : label->host;
    if (*name != '\0')
        prose_say("Of", "%s", name);
}

const char *prose_range(double low, double high, char text[PROSE_ROOM])
{
    if (low < high)
        snprintf(text, PROSE_ROOM, "%.0f to %.0f", low, high);
    else
        snprintf(text, PROSE_ROOM, "%.0f", low);
    return text;
}

void prose_say_notes(const struct note *note)
{
    const char *label = "Note";
    size_t length;
    for (const char *word = note->text; *word != '\0'; word += length + (word[length] == ',')) {
        length = strcspn(word, ",");
        if (memchr(word, '>', length) != NULL || memchr(word, '=', length) != NULL)
            continue;
        prose_say(label, "%.*s", (int)length, word);
        label = "";
    }
    for (enum note_word w = 0; w < NOTE_WORDS; w++)
        if (note_has(note, w) && *note_meaning(w) != '\0') {
            prose_say(label, "%s", note_meaning(w));
            label = "";
        }
}
