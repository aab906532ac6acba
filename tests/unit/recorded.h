/* recorded.h: a recorded machine that a test makes from files below a separate root. */
#ifndef TLBLAB_TEST_RECORDED_H
#define TLBLAB_TEST_RECORDED_H

#include "platform.h"
#include "tap.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static inline void drop_root(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", root);
    CU_ASSERT_EQUAL(system(command), 0);
    root[0] = '\0';
    platform_set_root("");
}

#endif
