/* beside.c: files installed alongside a program. */
#include "base/beside.h"
#include "base/error.h"
#include "platform.h"
#include <string.h>
#include <unistd.h>

const char *beside_find(const char *const *places)
{
    static char *path; /* stays valid */
    char self[4096];
    const char *wanted = strrchr(places[0], '/') + 1;
    if (!platform_self(self, sizeof self))
        die("%s: this system does not say where this program is", wanted);
    *strrchr(self, '/') = '\0';
    for (; *places != NULL; places++) {
        size_t size = strlen(self) + strlen(*places) + 1;
        path = reallocate(path, size, 1);
        memcpy(path, self, strlen(self));
        strcpy(path + strlen(self), *places);
        if (access(path, R_OK) == 0)
            return path;
    }
    die("%s is missing: rebuild or reinstall tlblab", wanted);
}
