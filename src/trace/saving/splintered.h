/* splintered.h: whether the host backs huge pages with small ones. */
#ifndef TLBLAB_SAVING_SPLINTERED_H
#define TLBLAB_SAVING_SPLINTERED_H

/* "yes" or "no", as detect(1) notes it in this table of boundaries; without the table (NULL), or
 * where it says nothing, "unknown" in a guest, else "no". */
const char *splintered(const char *file);

#endif
