/* method.h: the methods of `detect`: their names, the samples they need, and their description in
 * the report. To add a method, add its row. */
#ifndef TLBLAB_DETECT_METHOD_H
#define TLBLAB_DETECT_METHOD_H

#include "access/series.h"
#include "tlb/detect/boundary.h"
#include <stdbool.h>

struct method {
    const char *name;    /* as in --method and in the column `method` */
    const char *meaning; /* for the report */
    const char *needs;   /* the layouts of its samples, in words */
    /* Whether the series has a curve for it. */
    bool (*suits)(const struct series *series);
    /* Adds the rows of a sorted series; NULL: segment, which needs more (segment.h). */
    void (*detect)(const struct series *series, struct boundaries *found);
};

/* The first rows of the table. */
enum { METHOD_CONTROL, METHOD_LINE, METHOD_PREFETCH, METHOD_CACHES, METHOD_SEGMENT };

/* In the order in which they are chosen for samples that suit several, up to segment, for layout
 * box, which no other suits; ends with a NULL name. */
extern const struct method methods[];

/* The wanted method, or, without one (NULL), the first that suits the samples; dies if they do not
 * suit it. */
const struct method *method_for(const struct series *series, const struct method *wanted);

/* Why the method has found nothing in the samples: a sentence. */
const char *method_why_nothing(const struct method *method, const struct series *series);

/* The method of this name, or NULL. */
const struct method *method_find(const char *name);

#endif
