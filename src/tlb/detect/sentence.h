/* sentence.h: a boundary as a sentence. */
#ifndef TLBLAB_DETECT_SENTENCE_H
#define TLBLAB_DETECT_SENTENCE_H

#include "tlb/detect/boundary.h"

/* "first-level ", or "" for no level or one above the third. */
const char *sentence_level(int level);

/* "First-level data TLB": the subject of a row, here or in an organisation. */
enum { SENTENCE_ROOM = 512 }; /* [bound] */
const char *sentence_subject(enum structure structure, int level, char text[SENTENCE_ROOM]);

/* The sentence; "" for a prefetcher, whose note says enough. */
const char *boundary_sentence(const struct boundary *row, char text[SENTENCE_ROOM]);

#endif
