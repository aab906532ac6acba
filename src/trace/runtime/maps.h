/* maps.h: the mappings of this process. */
#ifndef TLBLAB_RUNTIME_MAPS_H
#define TLBLAB_RUNTIME_MAPS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct mapping {
    uintptr_t begin, end;
    uintptr_t base;  /* where its file is mapped first */
    char path[4096]; /* "": memory without a file */
};

/* The mapping that has an address; false where none does. */
static inline bool find_mapping(uintptr_t address, struct mapping *m)
{
    char line[4352], before[sizeof m->path] = "";
    uintmax_t begin, end;
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (!found && maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        m->path[0] = '\0';
        if (sscanf(line, "%jx-%jx %*s %*s %*s %*s %4095[^\n]", &begin, &end, m->path) < 2)
            continue;
        m->base = strcmp(m->path, before) == 0 ? m->base : (uintptr_t)begin;
        strcpy(before, m->path);
        m->begin = (uintptr_t)begin;
        m->end = (uintptr_t)end;
        found = address >= m->begin && address < m->end;
    }
    if (maps != NULL)
        fclose(maps);
    return found;
}

#endif
