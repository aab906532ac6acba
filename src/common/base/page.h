/* page.h: how long a line may be that people read. */
#ifndef TLBLAB_BASE_PAGE_H
#define TLBLAB_BASE_PAGE_H

#include <stddef.h>
#include <stdio.h>

/* The characters of a line: COLUMNS if it is from 40 to 1000, else those of the terminal that
 * `stream` is, else 80. */
size_t page_width(FILE *stream);

#endif
