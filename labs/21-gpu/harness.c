/* Calls functions of the program one at a time.
 *
 * Usage: ./harness flat FROM TO BYTES NS [BYTES NS]...
 *        ./harness load MANY FEW MANY_NS FEW_NS EMPTY_MANY_NS EMPTY_FEW_NS
 *        ./harness sectors ITEMS STRIDE BYTES SECTOR
 *        ./harness under GB_PER_S LATENCY_NS BYTES
 */
#include "program.c"
#include "support.h"

int harness_main(int argc, char *argv[])
{
    double given[100] = {0}, bytes[50], ns[50];
    int count = argc - 2;

    if (argc < 5 || count > 100)
        return 2;
    for (int i = 0; i < count; i++)
        given[i] = atof(argv[i + 2]);
    if (strcmp(argv[1], "flat") == 0) {
        for (int i = 2; i + 1 < count; i += 2) {
            bytes[i / 2 - 1] = given[i];
            ns[i / 2 - 1] = given[i + 1];
        }
        printf("%.3f\n", flatness(bytes, ns, (count - 2) / 2, given[0], given[1]));
    } else if (strcmp(argv[1], "load") == 0) {
        struct launch l = {given[0], given[1], given[2], given[3], given[4], given[5]};
        printf("%.3f\n", load_ns(&l));
    } else if (strcmp(argv[1], "sectors") == 0) {
        printf("%ld\n", sectors((long)given[0], (long)given[1], (long)given[2], (long)given[3]));
    } else {
        printf("%.3f\n", under_way(given[0], given[1], given[2]));
    }
    return 0;
}
