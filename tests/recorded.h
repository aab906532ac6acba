/* recorded.h: a recorded machine that a test makes from files below a separate root, and the
 * platform where nothing can be measured. */
#ifndef TLBLAB_TEST_RECORDED_H
#define TLBLAB_TEST_RECORDED_H

#include "platform.h"
#include "tap.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char why[PLATFORM_WHY_ROOM];

/* True, after a check that everything is refused with a reason, where there is no measuring. */
static inline bool cannot_measure(struct platform_outcome refused)
{
    if (platform_can_measure(why))
        return false;
    CU_ASSERT(why[0] != '\0');
    CU_ASSERT_EQUAL(refused.verdict, PLATFORM_NO);
    CU_ASSERT(refused.why[0] != '\0');
    return true;
}

/* ---- its files ---- */

static char root[64];

static inline void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

static inline void put_file(const char *path, const char *text)
{
    char full[512];
    if (root[0] == '\0') {
        snprintf(root, sizeof root, "/tmp/tlblab.XXXXXX");
        CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(root));
        platform_set_root(root);
    }
    snprintf(full, sizeof full, "%s%s", root, path);
    make_folders(full);
    FILE *file = fopen(full, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
}

static inline void put_cpu(int cpu, const char *file, const char *text)
{
    char path[160];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/%s", cpu, file);
    put_file(path, text);
}

static inline void put_cache(int cpu, int index, const char *level, const char *type,
                             const char *size)
{
    char path[64];
    const char *const files[][2] = {{"level", level}, {"type", type}, {"size", size}};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "cache/index%d/%s", index, files[i][0]);
        put_cpu(cpu, path, files[i][1]);
    }
}

static inline void drop_root(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", root);
    CU_ASSERT_EQUAL(system(command), 0);
    root[0] = '\0';
    platform_set_root("");
}

/* ---- its claims, as lines "key=value" ---- */

static char claims[1 << 16];

static inline void note(void *context, const char *key, const char *value, const char *unit,
                        const char *source)
{
    size_t length = strlen(claims);
    CU_ASSERT(context == NULL && unit != NULL && source != NULL && source[0] != '\0');
    snprintf(claims + length, sizeof claims - length, "%s=%s\n", key, value);
}

static inline bool claimed(const char *line)
{
    const char *found = strstr(claims, line);
    return found != NULL && (found == claims || found[-1] == '\n') && found[strlen(line)] == '\n';
}

/* Each of these claims, whose values have no blanks. */
static inline bool claimed_all(const char *lines)
{
    char copy[1024];
    snprintf(copy, sizeof copy, "%s", lines);
    for (char *line = strtok(copy, " "); line != NULL; line = strtok(NULL, " "))
        if (!claimed(line)) {
            printf("# not claimed: %s\n", line);
            return false;
        }
    return true;
}

static inline bool mentioned(const char *text)
{
    return strstr(claims, text) != NULL;
}

static inline void gather(void)
{
    claims[0] = '\0';
    platform_claims(note, NULL);
    platform_sysconf(note, NULL);
}

#endif
