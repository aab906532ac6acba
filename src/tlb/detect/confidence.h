/* confidence.h: decides how certain an answer is, from the criteria that its method finds met. */
#ifndef TLBLAB_DETECT_CONFIDENCE_H
#define TLBLAB_DETECT_CONFIDENCE_H

#include "table/note.h"

enum confidence { CONFIDENCE_UNKNOWN = -1, CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH };

/* Names, NULL after the last. confidence_name() is "" for CONFIDENCE_UNKNOWN. */
extern const char *const confidence_names[];
const char *confidence_name(enum confidence confidence);

/* High if both of the method's criteria of a sure answer are met, medium with one, else low. Words
 * of the note that express doubt set an upper limit. */
enum confidence confidence_of(int criteria, const struct note *note);

#endif
