/* card_source.h: the kernels of card.h in OpenCL C 1.2. */
#ifndef TLBLAB_CARD_CARD_SOURCE_H
#define TLBLAB_CARD_CARD_SOURCE_H

#include "memory/card/card.h"

/* The name of a kernel in the source. */
const char *card_kernel_name(enum card_kernel kernel);

/* The source of all kernels, with a chase and arithmetic for this many chains, and positions for
 * near chains or far ones (card.h). The caller frees it. */
char *card_source(unsigned chains, bool far);

#endif
