/* machine: machine descriptions. A written one reads back, and is written alike. */
#include "target.h"
#include "tlb/simulate/model.h"
#include <stdlib.h>
#include <string.h>

static void read_twice(void)
{
    struct model model = {0}, again = {0};
    size_t size, size_again;
    model_read(&model, "-");
    strcpy(model.name, "a machine"); /* characters that cannot be printed are not written */
    model_write(&model);
    uint8_t *text = target_written(&size);
    target_give(text, size);
    model_read(&again, "-");
    model_write(&again);
    uint8_t *text_again = target_written(&size_again);
    target_check(size == size_again && memcmp(text, text_again, size) == 0);
    free(text);
    free(text_again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return target_read(read_twice, data, size);
}
