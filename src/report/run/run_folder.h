/* run_folder.h: the tables in a folder. */
#ifndef TLBLAB_RUN_RUN_FOLDER_H
#define TLBLAB_RUN_RUN_FOLDER_H

struct run_files {
    char **at;
    int count;
};

/* The operands, with those tables (*.tsv) of a folder in its place that run_tables_read() reads.
 * Dies for a folder that has none. */
struct run_files run_files_of(char *const *operands, int count);
void run_files_free(struct run_files *files);

#endif
