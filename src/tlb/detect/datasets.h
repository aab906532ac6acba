/* datasets.h: the samples of one analysis: all of them, or those of one file or host (--by). */
#ifndef TLBLAB_DETECT_DATASETS_H
#define TLBLAB_DETECT_DATASETS_H

#include "access/series.h"
#include "base/args.h"
#include "table/row.h"
#include "table/table.h"
#include "tlb/detect/boundary.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dataset {
    const char *label; /* the file or host; "": all samples are one dataset */
    const struct table *table;
    int file;     /* the file whose metadata describe the machine; -1: the last value in any file */
    size_t metas; /* how many of that file's metadata lines precede its rows */
    struct table_machine machine; /* of the first samples */
    struct series series;
};

struct datasets {
    struct dataset *at;
    size_t count;
};

/* Option --by, which makes several datasets, for a table of flags. */
#define DATASETS_BY                                                                                \
    {                                                                                              \
        "by", FLAG_WORD, &datasets_choice, "file|host",                                            \
            "answer for each file or host, and add that column"                                    \
    }
extern struct choice datasets_choice;

/* The option for the columns that --by adds (row.h): COLUMN_BY_FILE, COLUMN_BY_HOST or 0. */
unsigned datasets_option(void);

/* Reads all samples. Every file gets a dataset, even one without rows. Sorts each series, and
 * leaves impossible samples out (impossible.h). Dies if they are of several machines; with --by,
 * warns if those of a dataset are. The labels live as long as the table. */
struct datasets datasets_read(struct table *table);
void datasets_free(struct datasets *datasets);

/* The body of a program that writes rows for each dataset of its operands, unless it needs all of
 * them first: `answer` returns whether it has written an answer. Returns the exit status. */
int datasets_answer(char *const *files, int count, const struct column *columns, unsigned options,
                    bool (*answer)(struct dataset *data));

/* Prints one line on standard error, prefixed with the label. */
void dataset_warn(const struct dataset *data, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A metadata value of the machine, or NULL; and as a size, `otherwise` if it is not one. */
const char *dataset_meta(const struct dataset *data, const char *key);
uint64_t dataset_size(const struct dataset *data, const char *key, uint64_t otherwise);

/* The machine's claim about the entries or ways (`what`) of a structure in the metadata: a number,
 * or words such as "8-15"; or NULL. A cache's lines are its bytes by those of a line. */
const char *dataset_claim(const struct dataset *data, enum structure structure, int level,
                          const char *what);

/* Whether a value of the metadata `hypervisor` (or NULL) names one, and whether the machine's does.
 */
bool names_hypervisor(const char *value);
bool dataset_is_guest(const struct dataset *data);

#endif
