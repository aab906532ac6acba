/* calls.h: the calls that led to one of the program's, by the unwinder of the compiler's library,
 * which works with every C library.
 *
 *     void *calls[STACK_MAX];
 *     int count = calls_from(SITE, calls, NULL, STACK_MAX);
 */
#ifndef TLBLAB_RUNTIME_CALLS_H
#define TLBLAB_RUNTIME_CALLS_H

#include <stddef.h>
#include <stdint.h>
#include <unwind.h>

#ifndef __GLIBC__
/* Debian's musl-gcc links an unwinder made for the GNU C library, which asks it where to find the
 * unwind tables. It finds none, and the stack ends with the call itself. */
__attribute__((weak, visibility("default"))) int _dl_find_object(void *address, void *tables)
{
    (void)address;
    (void)tables;
    return -1;
}
#endif

struct calls {
    void *site, **found, ***places;
    int count, seen, most;
};

static inline _Unwind_Reason_Code calls_add(struct _Unwind_Context *context, void *passed)
{
    struct calls *calls = passed;
    int interrupted = 0; /* by a signal, before it: it has called nothing */
    void *site = (void *)(uintptr_t)_Unwind_GetIPInfo(context, &interrupted);
    if (site == NULL || calls->seen++ == calls->most)
        return _URC_END_OF_STACK;
    if (calls->count > 0 || site == calls->site) {
        if (calls->places != NULL)
            calls->places[calls->count] = interrupted
                                              ? NULL
                                              : (void **)(uintptr_t)_Unwind_GetCFA(context) - 1;
        calls->found[calls->count++] = site;
    }
    return _URC_NO_REASON;
}

/* Return addresses from `site` on, the innermost first, and their number: `site` alone if it is
 * not among the first `most` of the stack. `places`, unless NULL, are where on the stack an x86
 * has them; elsewhere something else may be there. NULL: the call was none, but a signal. */
static inline int calls_from(void *site, void *found[], void **places[], int most)
{
    struct calls calls = {.site = site, .found = found, .places = places, .most = most};
    found[0] = site;
    _Unwind_Backtrace(calls_add, &calls);
    return calls.count > 0 ? calls.count : 1;
}

#endif
