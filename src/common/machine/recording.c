/* recording.c: a recorded machine in place of this one. Recordings come from strangers. */
#include "machine/recording.h"
#include "base/error.h"
#include "machine/recording_file.h"
#include "platform.h"
#include "table/table.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The columns of cpuid.tsv, in this order (platform_cpuid()). */
static const char *const columns[] = {"leaf", "subleaf", "eax", "ebx", "ecx", "edx"};
enum { SUBLEAF = 1, COLUMNS = sizeof columns / sizeof *columns };

/* Whether the text is a number of 32 bits in this base, 0: decimal, or hexadecimal with 0x. */
static bool is_register(struct field field, int base)
{
    char text[16], *end;
    if (field.text == NULL || field.length >= sizeof text)
        return false;
    memcpy(text, field.text, field.length);
    text[field.length] = '\0';
    unsigned long long value = strtoull(text, &end, base);
    return isxdigit((unsigned char)*text) && *end == '\0' && value <= UINT32_MAX;
}

/* A row that platform_cpuid() would skip must not pass for a leaf that the processor lacks.
 * `before` lines of the file are before the table. */
static void check_cpuid(FILE *opened, const char *file, unsigned long before)
{
    int column[COLUMNS];
    struct table *table = table_of(opened, file, before);
    for (int k = 0; k < COLUMNS; k++) {
        column[k] = table_column(table, columns[k]);
        if (table_place(table, column[k]) != k)
            die("%s:%lu: column %d is not '%s'", file, table_header_line(table), k + 1, columns[k]);
    }
    while (table_next(table))
        for (int k = 0; k < COLUMNS; k++)
            if (!is_register(table_field(table, column[k]), k == SUBLEAF ? 0 : 16))
                table_die(table, column[k], "expected 32 bits%s",
                          k == SUBLEAF ? "" : " in hexadecimal");
    if (table_partial(table))
        die("%s: it is cut", file);
    table_close(table);
}

static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= PLATFORM_FILE_MAX;
}

static bool is_archive(const char *path)
{
    return is_file(path) && (strstr(path, ".tar") != NULL || strstr(path, ".tgz") != NULL);
}

void recording_use(const char *recording)
{
    static char recorded[4096]; /* FOLDER/system.txt */
    if (is_archive(recording))
        die("%s: an archive: unpack it (tar xf) and name the folder in it", recording);
    snprintf(recorded, sizeof recorded, "%s/system.txt", recording);
    if (is_file(recording) || is_file(recorded)) {
        recording_file_use(is_file(recording) ? recording : recorded);
        return;
    }
    platform_set_root(recording);
    const char *odd = platform_odd_file();
    if (odd != NULL && access(recording, F_OK) == 0)
        die("%s: a recording has only readable folders, regular files of at most 16 MiB, and links "
            "to these",
            odd);
}

/* A folder that others made, such as hwloc-gather-topology's, and one of CPUID alone have no
 * uname.txt. */
static bool is_machine(void)
{
    char line[256];
    return platform_read_line("/uname.txt", line, sizeof line) ||
           platform_read_line("/cpuid.tsv", line, sizeof line) ||
           platform_has_folder("/sys/devices/system/cpu");
}

void recording_open(const char *recording)
{
    static const char cpuid[] = "/cpuid.tsv";
    char path[4096];
    recording_use(recording);
    if (!is_machine())
        die("%s: no recorded machine there; 'tlblab record FOLDER' makes FOLDER/system.txt",
            recording);
    const struct platform_file *given = platform_given(cpuid);
    snprintf(path, sizeof path, "%s%s", platform_root(), given == NULL ? cpuid : "");
    FILE *opened = platform_open(cpuid);
    if (opened != NULL)
        check_cpuid(opened, path, given != NULL ? given->line - 1 : 0);
}
