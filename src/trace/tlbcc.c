/* tlbcc: compiles a program so that it can write a trace of its memory accesses.
 *
 * usage: tlbcc COMPILER-ARGUMENT...
 * Calls gcc (tlbc++: g++) with the same arguments. Each load and store is instrumented as for
 * -fsanitize=thread, but the entry points that are linked in are those of src/trace/runtime/.
 *
 * example: tlbcc -O2 prog.c -o prog && TLBLAB_TRACE=prog.trace ./prog
 */
#include "base/args.h"
#include "base/beside.h"
#include "base/error.h"
#include "platform.h"
#include "trace/format/inline_check.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The command of each stage of the compiler's driver, by -wrapper: this program with this word
 * and the stage's command line. */
static const char stage_word[] = "--tlblab-stage";

/* The instrumentation; frame pointers, along which the runtime finds the callers of what takes
 * memory; then no copies that the compiler expands in place, where it instruments none. */
static const char *const compile_options[] = {"-fsanitize=thread",
                                              "--param",
                                              "tsan-instrument-func-entry-exit=0",
                                              "-fno-omit-frame-pointer",
#ifdef __x86_64__
                                              "-mmemcpy-strategy=libcall:-1:noalign",
                                              "-mmemset-strategy=libcall:-1:noalign",
#endif
                                              "-fno-builtin-memcpy",
                                              "-fno-builtin-memmove",
                                              "-fno-builtin-memset",
                                              "-fno-builtin-memcmp",
                                              "-fno-builtin-strcpy",
                                              "-fno-builtin-strncpy",
                                              "-fno-builtin-strcat",
                                              "-fno-builtin-strcmp",
                                              "-fno-builtin-strncmp",
                                              "-U__SANITIZE_THREAD__"};

/* Functions of the C library that the runtime intercepts. In a static program the library's own
 * calls go to the runtime, too: only those from malloc() on can be intercepted there, as others are
 * called before the program can bear it. */
static const char *const wrapped[] = {
    "memcpy", "memmove", "memset", "memcmp", "memchr", "strlen", "strcmp", "strncmp", "strcpy",
    "strncpy", "strcat", "strchr", "strrchr", "mmap", "mmap64", "munmap", "madvise", "dlopen",
    "__memcpy_chk", "__memmove_chk", "__memset_chk", "_exit", "_Exit", "malloc", "calloc", "free",
    "realloc", "aligned_alloc", "posix_memalign",
    /* new and delete */
    "_Znwm", "_Znam", "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t", "_ZnwmSt11align_val_t",
    "_ZnamSt11align_val_t", "_ZnwmSt11align_val_tRKSt9nothrow_t",
    "_ZnamSt11align_val_tRKSt9nothrow_t", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm",
    "_ZdlPvRKSt9nothrow_t", "_ZdaPvRKSt9nothrow_t", "_ZdlPvSt11align_val_t",
    "_ZdaPvSt11align_val_t", "_ZdlPvmSt11align_val_t", "_ZdaPvmSt11align_val_t",
    "_ZdlPvSt11align_val_tRKSt9nothrow_t", "_ZdaPvSt11align_val_tRKSt9nothrow_t"};

enum {
    COMPILE_OPTIONS = sizeof compile_options / sizeof *compile_options,
    WRAPPED = sizeof wrapped / sizeof *wrapped
};

static void print_usage(void)
{
    puts("tlbcc: compile a program so that it can trace its memory accesses\n\n"
         "Usage: tlbcc COMPILER-ARGUMENT...\n"
         "       tlbc++ COMPILER-ARGUMENT...\n\n"
         "Arguments are those of gcc and g++ (TLBLAB_CC and TLBLAB_CXX name others).\n"
         "The program writes its trace to the file or |command TLBLAB_TRACE.\n\n"
         "Example: tlbcc -O2 prog.c -o prog && TLBLAB_TRACE=prog.trace ./prog\n"
         "More: man tlbcc");
}

_Noreturn static void execute(const char *file, char **arguments)
{
    execvp(file, arguments);
    die("%s: cannot be started: %s", file, strerror(errno));
}

/* ---- stages ---- */

/* A command line that grows. */
struct line {
    char **words;
    int count;
};

static void add(struct line *line, const char *word)
{
    line->words = reallocate(line->words, (size_t)line->count + 2, sizeof *line->words);
    line->words[line->count++] = (char *)word;
    line->words[line->count] = NULL;
}

static bool is_stage(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash != NULL ? slash + 1 : path, name) == 0;
}

static bool has_word(char *const *words, const char *wanted)
{
    while (*words != NULL && strcmp(*words, wanted) != 0)
        words++;
    return *words != NULL;
}

/* The runtime: beside this program in a build, or in the installation. */
static const char *find_runtime(void)
{
    static const char *const places[] = {"/../../lib/tlblab/runtime.o", "/.obj/plain/runtime.o",
                                         "/../runtime.o", NULL};
    return beside_find(places);
}

/* A link that optimises compiles once more, and calls the driver with these options for that. */
static void instrument_lto(void)
{
    const char *options = getenv("COLLECT_GCC_OPTIONS");
    size_t room = (options != NULL ? strlen(options) : 0) + 256;
    char *more = allocate(room, 1);
    snprintf(more, room, "%s '-fsanitize=thread' '--param=tsan-instrument-func-entry-exit=0'",
             options != NULL ? options : "");
    setenv("COLLECT_GCC_OPTIONS", more, 1);
    free(more);
}

/* For shared libraries that the program loads. (A static one that is position-independent would end
 * before it begins: the C library finds no room for a variable of threads that has a name.) */
static const char *const exported[] = {"--export-dynamic-symbol=__tsan_*",
                                       "--export-dynamic-symbol=__wrap_*",
                                       "--export-dynamic-symbol=tlb_trace_*"};
enum { EXPORTED = sizeof exported / sizeof *exported };

static void add_named(struct line *line, const char *option, const char *name)
{
    size_t size = strlen(option) + strlen(name) + 2;
    char *word = allocate(size, 1);
    snprintf(word, size, "%s=%s", option, name);
    add(line, word);
}

/* The linker takes the runtime first of all, but not into a shared library, whose calls go to that
 * of the program, nor into a part of a program. Weak names as the runtime's do not make it look for
 * new and delete in static libraries. */
static void link_stage(char **words)
{
    struct line line = {NULL, 0};
    bool is_part = has_word(words, "-r"), is_library = has_word(words, "-shared");
    bool is_static = has_word(words, "-static") || has_word(words, "-static-pie");
    size_t first = 0;
    while (is_static && strcmp(wrapped[first], "malloc") != 0)
        first++;
    add(&line, words[0]);
    instrument_lto();
    for (size_t i = first; i < WRAPPED && !is_part; i++) {
        bool is_cxx = strncmp(wrapped[i], "_Z", 2) == 0;
        if (is_static && is_cxx && !has_word(words, "-lstdc++"))
            continue;
        add_named(&line, "--wrap", wrapped[i]);
        if (is_static && is_cxx)
            add_named(&line, "--undefined", wrapped[i]);
    }
    for (size_t i = 0; i < EXPORTED && !is_part && !is_library && !is_static; i++)
        add(&line, exported[i]);
    if (!is_part && !is_library)
        add(&line, find_runtime());
    for (char **word = words + 1; *word != NULL; word++)
        add(&line, *word);
    execute(words[0], line.words);
}

/* The assembler reads a copy of the compiler's output, in which calls of the runtime are rare. */
static void assemble_stage(char **words)
{
    struct line line = {NULL, 0};
    size_t last = 0;
    while (words[last + 1] != NULL)
        last++;
    size_t length = strlen(words[last]);
    FILE *copy;
    if (!has_word(words, "--64") || length < 3 || strcmp(words[last] + length - 2, ".s") != 0)
        execute(words[0], words);
    if ((copy = tmpfile()) == NULL)
        die("no temporary file: %s", strerror(errno));
    inline_checks(words[last], copy);
    if (fflush(copy) != 0 || fseek(copy, 0, SEEK_SET) != 0 || dup2(fileno(copy), STDIN_FILENO) != 0)
        die("the temporary file cannot be written: %s", strerror(errno));
    for (size_t i = 0; i < last; i++)
        add(&line, words[i]);
    add(&line, "--");
    execute(words[0], line.words);
}

static void run_stage(char **words)
{
    struct line line = {NULL, 0};
    if (is_stage(words[0], "as"))
        assemble_stage(words);
    if (is_stage(words[0], "collect2") || is_stage(words[0], "ld"))
        link_stage(words);
    if (!is_stage(words[0], "cc1") && !is_stage(words[0], "cc1plus") && !is_stage(words[0], "lto1"))
        execute(words[0], words);
    for (char **word = words; *word != NULL; word++)
        add(&line, *word);
    for (size_t i = 0; i < COMPILE_OPTIONS; i++)
        if (!is_stage(words[0], "lto1") || compile_options[i][1] != 'U') /* it knows no macros */
            add(&line, compile_options[i]);
    execute(words[0], line.words);
}

/* ---- the driver ---- */

static const char *compiler(bool cxx)
{
    const char *named = getenv(cxx ? "TLBLAB_CXX" : "TLBLAB_CC");
    return named != NULL && *named != '\0' ? named : cxx ? "g++" : "gcc";
}

int main(int argc, char **argv)
{
    struct line line = {NULL, 0};
    char self[4096];
    const char *slash = strrchr(argv[0], '/');
    bool cxx = strstr(slash != NULL ? slash : argv[0], "++") != NULL;
    char wrapper[sizeof self + sizeof stage_word + 1];
    error_begin(cxx ? "tlbc++" : "tlbcc");
    if (argc > 2 && strcmp(argv[1], stage_word) == 0)
        run_stage(argv + 2);
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_usage();
        return finish(STATUS_DONE);
    }
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        version_print(program_name);
        return finish(STATUS_DONE);
    }
    if (argc < 2)
        die_usage("no arguments");
    if (!platform_self(self, sizeof self))
        die("this system does not say where this program lies");
    snprintf(wrapper, sizeof wrapper, "%s,%s", self, stage_word);
    add(&line, compiler(cxx));
    add(&line, "-wrapper");
    add(&line, wrapper);
    for (int i = 1; i < argc; i++)
        add(&line, argv[i]);
    execute(line.words[0], line.words);
}
