/* help.h: what --help and --version print, within 80 columns. */
#ifndef TLBLAB_BASE_HELP_H
#define TLBLAB_BASE_HELP_H

struct choice;
struct program;

/* A word and what it means, on as many lines as needed. */
void help_entry(const char *word, const char *meaning);
void help_words(const struct choice *words);

/* The whole help, or what one topic has where `topic` names one; dies for another word that is no
 * option. `topic` may be NULL. */
void help_print(const struct program *program, const char *topic);

/* Name and version, then the commit, the compiler and the libraries of this build. */
void version_print(const char *name);

#endif
