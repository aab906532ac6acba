/* confidence.h: decides how certain an answer is, from the evidence that callers collect. */
#ifndef TLBLAB_DETECT_CONFIDENCE_H
#define TLBLAB_DETECT_CONFIDENCE_H

#include "table/note.h"

enum confidence { CONFIDENCE_UNKNOWN = -1, CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH };

/* Names, NULL after the last. confidence_name() is "" for CONFIDENCE_UNKNOWN. */
extern const char *const confidence_names[];
const char *confidence_name(enum confidence confidence);

/* The evidence for an answer. */
struct evidence {
    double errors; /* the step in standard errors; INFINITY if noise does not matter */
    int criteria;  /* how many of the method's two criteria of a sure answer are met */
};

/* High with both criteria and a step of at least 12 standard errors; medium with one criterion and
 * at least 6 standard errors; else low. Words of the note that express doubt set an upper limit. */
enum confidence confidence_of(const struct evidence *evidence, const struct note *note);

#endif
