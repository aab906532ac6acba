/* version.c: what --version prints. The Makefile compiles it for each program. */
#include "base/args.h"
#include <stdio.h>

#ifndef COMPILER /* in a test */
#define COMMIT    "unknown"
#define COMPILER  "unknown"
#define LIBRARIES ""
#endif

void version_print(const char *name)
{
    printf("%s (tlblab) %s\ncommit: %s\ncompiler: %s\n", name, TLBLAB_VERSION, COMMIT, COMPILER);
    if (*LIBRARIES != '\0')
        printf("libraries: %s\n", LIBRARIES);
}
