/* Tries what a command in the sandbox can reach. Whether mounts and namespaces are as wanted is
 * verified before, in bubblewrap.sh. */
#define _GNU_SOURCE
#include "reach.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/keyctl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Mounted file systems, and whether they are writable. */
static void files(void)
{
    FILE *table = fopen("/proc/self/mountinfo", "re");
    char line[PATH_MAX], point[1024], mode[3];

    while (table != NULL && fgets(line, sizeof line, table) != NULL)
        if (sscanf(line, "%*d %*d %*s %*s %1023s %2s", point, mode) == 2)
            printf("files %s %s\n", mode, point);
    if (table != NULL)
        fclose(table);
}

static void descriptors(void)
{
    char path[64], target[PATH_MAX];

    for (int k = 0; k < 1024; k++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", k);
        ssize_t length = readlink(path, target, sizeof target - 1);
        if (length > 0)
            printf("descriptor %d %.*s\n", k, (int)length, target);
    }
}

/* Whether something of a process can be opened, and has a byte that is not zero. */
static bool opens(int process, const char *part)
{
    char path[64], bytes[4096];
    bool any = false;

    snprintf(path, sizeof path, "/proc/%d/%s", process, part);
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t count = read(file, bytes, sizeof bytes);
    for (ssize_t k = 0; k < count; k++)
        any = any || bytes[k] != 0;
    close(file);
    return any || strcmp(part, "cmdline") != 0;
}

static void process(int number)
{
    static const char *const parts[] = {"cmdline", "environ", "maps", "mem", "fd",
                                        "fdinfo",  "cwd",     "root", "exe", "map_files"};

    printf("process %d\n", number);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (opens(number, parts[k]))
            printf("open /proc/%d/%s\n", number, parts[k]);
}

static void processes(void)
{
    DIR *folder = opendir("/proc");

    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        int number = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;
        if (number > 0 && number != getpid())
            process(number);
    }
    if (folder != NULL)
        closedir(folder);
}

static void sockets(void)
{
    for (int family = 0; family < 64; family++) {
        int end = socket(family, SOCK_DGRAM, 0);
        if (end >= 0)
            printf("socket of family %d%s\n", family, family == AF_UNIX ? ", of this machine" : "");
        if (end >= 0)
            close(end);
    }
}

static void keys(void)
{
    static const int rings[] = {KEY_SPEC_THREAD_KEYRING, KEY_SPEC_PROCESS_KEYRING,
                                KEY_SPEC_SESSION_KEYRING, KEY_SPEC_USER_KEYRING,
                                KEY_SPEC_USER_SESSION_KEYRING};

    int found = 0;

    for (size_t k = 0; k < sizeof rings / sizeof *rings; k++)
        if (syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, rings[k], 0) >= 0) {
            printf("key ring %d\n", rings[k]);
            found++;
        }
    if (found == 0)
        printf("no keys\n");
}

void reach(void)
{
    files();
    descriptors();
    processes();
    sockets();
    keys();
    fflush(stdout);
}
