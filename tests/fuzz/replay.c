/* replay: gives a target each of the files, in place of libFuzzer's main(). Ends by a signal, or as
 * a sanitizer says, if one is a finding.
 *
 * usage: table FILE...
 */
#include "target.h"
#include <stdio.h>

enum { ROOM = 1 << 20 };
static uint8_t input[ROOM];

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL) {
            perror(argv[i]);
            return 2;
        }
        size_t size = fread(input, 1, sizeof input, file);
        fclose(file);
        fprintf(stderr, "%s\n", argv[i]);
        LLVMFuzzerTestOneInput(input, size);
    }
    return argc < 2;
}
