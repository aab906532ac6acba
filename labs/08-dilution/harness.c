/* Calls a function of program.c.
 *
 * Usage: ./harness walk LINKS ACCESSES          the end of a path of LINKS words; beyond it a load
 *                                               crashes
 *        ./harness miss MEAN HIT ACCESSES
 *        ./harness line STRIDE NS [STRIDE NS]... */
#include "program.c"
#include "support.h"

static int harness_walk_path(long links, long accesses)
{
    void **path = links < 1 ? NULL : calloc((size_t)links, sizeof *path);

    if (path == NULL)
        return 2;
    for (long i = 0; i < links; i++)
        path[i] = i < links - 1 ? (void *)&path[i + 1] : NULL;
    void **end = walk(path, accesses);
    printf("%ld\n", end == NULL ? links : (long)(end - path));
    return 0;
}

int harness_main(int argc, char *argv[])
{
    long stride[16];
    double ns[16];
    int n = 0;

    if (argc == 4 && strcmp(argv[1], "walk") == 0)
        return harness_walk_path(atol(argv[2]), atol(argv[3]));
    if (argc == 5 && strcmp(argv[1], "miss") == 0) {
        printf("%.3f\n", miss_ns(atof(argv[2]), atof(argv[3]), atol(argv[4])));
        return 0;
    }
    for (; n < 16 && 3 + 2 * n < argc; n++) {
        stride[n] = atol(argv[2 + 2 * n]);
        ns[n] = atof(argv[3 + 2 * n]);
    }
    printf("%ld\n", line_by_stride(stride, ns, n));
    return 0;
}
