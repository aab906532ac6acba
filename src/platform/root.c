/* root.c: system files below a root or of a recorded machine, and CPUID of the processor or of that
 * recording. Plain C, the same on every platform.
 *
 *     platform_set_root("recorded");
 *     platform_read_line("/proc/sys/kernel/perf_event_paranoid", text, sizeof text);
 */
#define _XOPEN_SOURCE 700 /* nftw(), fmemopen(), realpath() */
#include "platform.h"
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

static const char *root = "";
static const struct platform_file *given;
static size_t given_count;

void platform_set_files(const char *recording, const struct platform_file *files, size_t count)
{
    root = recording;
    given = files;
    given_count = count;
}

void platform_set_root(const char *directory)
{
    platform_set_files(directory, NULL, 0);
}

const char *platform_root(void)
{
    return root;
}

struct platform_outcome platform_result(enum platform_verdict verdict, const char *format, ...)
{
    struct platform_outcome outcome = {.verdict = verdict};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(outcome.why, sizeof outcome.why, format, arguments);
    va_end(arguments);
    return outcome;
}

/* ---- what a recording may contain ---- */

enum { FILES_MAX = 100000, FOLDERS_OPEN = 16 };

static char odd_file[4096], *real_root;
static long files;

/* Whether a link leads nowhere, or below the root, as those of sysfs do. */
static bool stays_inside(const char *path)
{
    char *end = realpath(path, NULL);
    size_t length = strlen(real_root);
    bool inside = end != NULL && strncmp(end, real_root, length) == 0 && end[length] == '/';
    bool nowhere = end == NULL && errno == ENOENT;
    free(end);
    return inside || nowhere;
}

static int is_odd(const char *path, const struct stat *about, int kind, struct FTW *at)
{
    (void)at;
    bool plain = kind == FTW_D || (kind == FTW_SL && stays_inside(path)) ||
                 (kind == FTW_F && S_ISREG(about->st_mode) && about->st_size <= PLATFORM_FILE_MAX);
    if (!plain || ++files > FILES_MAX)
        snprintf(odd_file, sizeof odd_file, "%s", path);
    return odd_file[0] != '\0';
}

const char *platform_odd_file(void)
{
    char folder[4096];
    int length = snprintf(folder, sizeof folder, "%s/",
                          root); /* follows the root if it is a link */
    files = 0;
    odd_file[0] = '\0';
    real_root = realpath(root, NULL);
    bool read = real_root != NULL && length < (int)sizeof folder &&
                nftw(folder, is_odd, FOLDERS_OPEN, FTW_PHYS) >= 0;
    free(real_root);
    return !read ? root : odd_file[0] != '\0' ? odd_file : NULL;
}

/* ---- reading ---- */

void platform_out_of_memory(void)
{
    fputs("out of memory\n", stderr);
    _Exit(2);
}

static int compare_path(const void *path, const void *file)
{
    return strcmp(path, ((const struct platform_file *)file)->path);
}

const struct platform_file *platform_given(const char *path)
{
    return given == NULL ? NULL : bsearch(path, given, given_count, sizeof *given, compare_path);
}

static FILE *open_given(const char *path)
{
    const struct platform_file *file = platform_given(path);
    if (file != NULL)
        return fmemopen(file->bytes, file->length, "r");
    errno = ENOENT;
    return NULL;
}

static FILE *open_below_root(const char *path)
{
    char full[4096];
    int length = snprintf(full, sizeof full, "%s%s", root, path);
    bool leads_out = root[0] != '\0' && strstr(path, "/../") != NULL; /* the recording named it */
    if (length < 0 || (size_t)length >= sizeof full || leads_out) {
        errno = ENOENT;
        return NULL;
    }
    return fopen(full, "r");
}

FILE *platform_open(const char *path)
{
    FILE *file = given != NULL ? open_given(path) : open_below_root(path);
    if (file == NULL && errno == ENOMEM) /* NULL would mean that the file does not exist */
        platform_out_of_memory();
    return file;
}

bool platform_has_folder(const char *path)
{
    char below[256];
    size_t from = 0, to = given_count;
    if (given == NULL) {
        FILE *folder = open_below_root(path);
        if (folder != NULL)
            fclose(folder);
        return folder != NULL;
    }
    size_t length = (size_t)snprintf(below, sizeof below, "%s/", path);
    while (from < to) { /* the first file after it */
        size_t middle = from + (to - from) / 2;
        bool before = strcmp(given[middle].path, below) < 0;
        from = before ? middle + 1 : from;
        to = before ? to : middle;
    }
    return from < given_count && strncmp(given[from].path, below, length) == 0;
}

bool platform_read_line(const char *path, char *text, size_t size)
{
    char buffer[BUFSIZ]; /* stdio might fall back to single bytes, which some files refuse */
    FILE *file = platform_open(path);
    if (file == NULL)
        return false;
    setvbuf(file, buffer, _IOFBF, sizeof buffer);
    bool whole = fgets(text, (int)size, file) != NULL &&
                 (strchr(text, '\n') != NULL || fgetc(file) == EOF);
    fclose(file);
    if (whole)
        text[strcspn(text, "\n")] = '\0';
    return whole;
}

/* Finds the leaf in a recorded machine's file; lines that are not six numbers are skipped. */
static bool recorded_cpuid(uint32_t leaf, uint32_t subleaf, struct platform_cpuid *registers)
{
    FILE *file = platform_open("/cpuid.tsv");
    if (file == NULL)
        return false;
    char line[256];
    bool found = false;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        uint32_t l;
        char s[16];
        struct platform_cpuid *r = registers;
        found = sscanf(line, "%" SCNx32 " %15s %" SCNx32 " %" SCNx32 " %" SCNx32 " %" SCNx32, &l, s,
                       &r->eax, &r->ebx, &r->ecx, &r->edx) == 6 &&
                l == leaf && strtoull(s, NULL, 0) == subleaf;
    }
    fclose(file);
    return found;
}

#if defined(__x86_64__) || defined(__i386__)
static bool processor_cpuid(uint32_t leaf, uint32_t subleaf, struct platform_cpuid *registers)
{
    /* The first leaf of each group has its maximum. Hypervisors' groups have 256 leaves each;
     * beyond the last group the processor answers for another leaf. */
    bool hypervisor = leaf >> 16 == 0x4000;
    uint32_t base = leaf & (hypervisor ? 0xffffff00U : 0xffff0000U), b, c, d, highest;
    if (base != 0 && !hypervisor && base != 0x80000000U)
        return false;
    __cpuid(base, highest, b, c, d);
    if (leaf > highest || (base > 0x40000000U && hypervisor && highest - base > 0xff))
        return false;
    __cpuid_count(leaf, subleaf, registers->eax, registers->ebx, registers->ecx, registers->edx);
    return true;
}
#else
static bool processor_cpuid(uint32_t leaf, uint32_t subleaf, struct platform_cpuid *registers)
{
    (void)leaf, (void)subleaf, (void)registers;
    return false;
}
#endif

bool platform_cpuid(uint32_t leaf, uint32_t subleaf, struct platform_cpuid *registers)
{
    memset(registers, 0, sizeof *registers);
    if (root[0] != '\0')
        return recorded_cpuid(leaf, subleaf, registers);
    return processor_cpuid(leaf, subleaf, registers);
}

bool platform_has_cpuid(void)
{
    struct platform_cpuid registers;
    return platform_cpuid(0, 0, &registers);
}
