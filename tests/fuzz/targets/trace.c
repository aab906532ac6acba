/* trace: traces of all forms. Blocks of binary ones are sealed first, since no fuzzer finds a
 * checksum. */
#include "trace/format/trace.h"
#include "sealing.h"
#include "target.h"
#include <stdlib.h>
#include <string.h>

static void read_records(void)
{
    struct trace *trace = trace_open("-");
    const struct record *r;
    while ((r = trace_next(trace)) != NULL) {
        target_check(!record_is_access(r) || record_is_possible(r));
        if (r->op == TRACE_MAPS)
            target_check(strlen(trace_maps(trace)) < BLOCK_CONTENT_MAX);
        trace_symbol(trace);
    }
    trace_close(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t sealed_size;
    char *sealed;
    FILE *out = open_memstream(&sealed, &sealed_size);
    seal(data, size, out);
    fclose(out);
    target_read(read_records, (const uint8_t *)sealed, sealed_size);
    free(sealed);
    return 0;
}
