/* confidence.h: the one judge of how certain an answer is. All others hand it what they saw. */
#ifndef TLBLAB_DETECT_CONFIDENCE_H
#define TLBLAB_DETECT_CONFIDENCE_H

#include "table/note.h"

enum confidence { CONFIDENCE_UNKNOWN = -1, CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH };

/* Their names, NULL after the last. confidence_name() is "" for CONFIDENCE_UNKNOWN. */
extern const char *const confidence_names[];
const char *confidence_name(enum confidence confidence);

/* What speaks for an answer. */
struct evidence {
    double errors; /* the step in standard errors; INFINITY where noise is no question */
    double width;  /* of a range that a fit gives, as a part of the entries; 0: one page, or none */
    int signs;     /* how many of its method's two signs of a sure answer were seen */
};

/* High with both signs, a step of 12 standard errors or more and a range of at most 1 per cent;
 * medium with one sign, from 6 standard errors on and up to 10 per cent; else low. Words of the
 * note that are doubts set an upper limit. */
enum confidence confidence_of(const struct evidence *evidence, const struct note *note);

#endif
