/* recording.c: a recorded machine in place of this one. Recordings come from strangers. */
#define _XOPEN_SOURCE 700 /* nftw(), mkdtemp() */
#include "machine/recording.h"
#include "base/error.h"
#include "base/lines.h"
#include "platform.h"
#include "table/table.h"
#include <ctype.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct platform_file *files; /* the platform reads them until the program ends */
static size_t count;

/* ---- a recording of one file ---- */

/* Dies: something is wrong at a place of a line. */
_Noreturn static void refuse(const struct lines *l, const char *line, const char *at,
                             const char *what)
{
    die("%s:%lu: column %zu: %s", l->name, l->number, (size_t)(at - line) + 1, what);
}

/* A path leads nowhere but below the folder that the files are unpacked into. */
static void check_path(const struct lines *l, const char *path)
{
    if (*path != '/')
        refuse(l, path, path,
               count > 0 ? "expected a path, which begins with '/'"
                         : "expected a path, which begins with '/' ('tlblab import' reads dumps "
                           "of CPUID and XML of lstopo)");
    for (const char *at = path; *at != '\0';) {
        const char *name = at + 1;
        size_t length = strcspn(name, "/");
        if (length == 0 || (length <= 2 && strspn(name, ".") >= length))
            refuse(l, path, name, "expected the name of a file, not '.' or '..'");
        at = name + length;
    }
}

static unsigned digit(char c)
{
    return isdigit((unsigned char)c) ? (unsigned)(c - '0')
                                     : (unsigned)(tolower((unsigned char)c) - 'a') + 10;
}

/* Replaces the escapes in the text of a line, and its terminator by a newline unless a backslash is
 * there. Returns the length. */
static size_t decode(const struct lines *l, const char *line, char *text)
{
    char *to = text;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at != '\t' && iscntrl((unsigned char)*at))
            refuse(l, line, at, "a control character, which is written as \\xHH");
        if (*at != '\\')
            *to++ = *at;
        else if (at[1] == '\0')
            return (size_t)(to - text);
        else if (at[1] == '\\')
            *to++ = *++at;
        else if (at[1] == 'x' && isxdigit((unsigned char)at[2]) && isxdigit((unsigned char)at[3])) {
            *to++ = (char)(digit(at[2]) << 4 | digit(at[3]));
            at += 3;
        } else
            refuse(l, line, at, "expected \\\\ or \\xHH");
    }
    *to++ = '\n';
    return (size_t)(to - text);
}

/* The file that a line with this path is of: the last one, or a new one. */
static struct platform_file *file_of(const char *path, unsigned long line)
{
    if (count > 0 && strcmp(files[count - 1].path, path) == 0)
        return &files[count - 1];
    files = extend(files, count, sizeof *files);
    struct platform_file *file = &files[count++];
    *file = (struct platform_file){
        .path = allocate(strlen(path) + 1, 1), .bytes = allocate(1, 1), .line = line};
    strcpy(file->path, path);
    return file;
}

static void add_line(const struct lines *l, char *line)
{
    char *text = line + strcspn(line, "\t");
    bool alone = *text == '\0';
    *text++ = '\0';
    check_path(l, line);
    struct platform_file *file = file_of(line, l->number);
    if (alone)
        return;
    size_t length = decode(l, line, text);
    file->bytes = reallocate(file->bytes, file->length + length, 1);
    memcpy(file->bytes + file->length, text, length);
    file->length += length;
}

static int by_path(const void *a, const void *b)
{
    const struct platform_file *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

static void use_file(const char *name)
{
    struct lines lines = lines_open(name);
    size_t length;
    bool cut = false;
    char *line;
    while ((line = lines_next(&lines, &length, &cut)) != NULL)
        if (*line != '#' || count > 0)
            add_line(&lines, line);
    if (cut)
        die("%s:%lu: the last line has no newline, so it is cut", name, lines.number + 1);
    lines_close(&lines);
    if (count > 0)
        qsort(files, count, sizeof *files, by_path);
    for (size_t i = 1; i < count; i++)
        if (strcmp(files[i - 1].path, files[i].path) == 0)
            die("%s:%lu: column 1: %s again; its other lines are from line %lu on", name,
                files[i].line, files[i].path, files[i - 1].line);
    platform_set_files(name, files, count);
}

/* ---- any recording ---- */

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
        use_file(is_file(recording) ? recording : recorded);
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

/* ---- a folder of the files ---- */

static bool write_file(const char *folder, const struct platform_file *file)
{
    char full[4096];
    int length = snprintf(full, sizeof full, "%s%s", folder, file->path);
    if (length >= (int)sizeof full) {
        errno = ENAMETOOLONG;
        return false;
    }
    for (char *slash = full + strlen(folder); (slash = strchr(slash + 1, '/')) != NULL;
         *slash = '/') {
        *slash = '\0';
        mkdir(full, 0700); /* if that fails, so does what follows */
    }
    FILE *to = fopen(full, "w");
    bool written = to != NULL && fwrite(file->bytes, 1, file->length, to) == file->length;
    return (to == NULL || fclose(to) == 0) && written;
}

char *recording_folder(void)
{
    const char *temporary = getenv("TMPDIR"), *root = platform_root();
    char *folder = allocate(4096, 1);
    if (count == 0) {
        snprintf(folder, 4096, "%s", root);
        return folder;
    }
    snprintf(folder, 4096, "%s/tlblab.XXXXXX", temporary != NULL ? temporary : "/tmp");
    if (mkdtemp(folder) == NULL)
        die("%s: cannot make a folder there: %s", folder, strerror(errno));
    for (size_t i = 0; i < count; i++)
        if (!write_file(folder, &files[i])) {
            int error = errno;
            recording_leave_folder(folder);
            die("%s:%lu: column 1: cannot unpack %s: %s", root, files[i].line, files[i].path,
                strerror(error));
        }
    return folder;
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *at)
{
    (void)about, (void)kind, (void)at;
    return remove(path);
}

void recording_leave_folder(char *folder)
{
    enum { FOLDERS_OPEN = 16 };
    if (count > 0)
        nftw(folder, remove_entry, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS);
    free(folder);
}
