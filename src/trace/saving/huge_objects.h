/* huge_objects.h: finds the objects of a command that are to lie on huge pages. */
#ifndef TLBLAB_SAVING_HUGE_OBJECTS_H
#define TLBLAB_SAVING_HUGE_OBJECTS_H

/* `list`: what the library objects.so wrote at the end of each process: its mappings, and where it
 * took blocks of 2 MiB and more. Returns the lines that the library is to be given so that the
 * objects in the comma list `names` lie on huge pages (the caller frees them). NULL where there is
 * none: *known then are the objects that there are. */
char *huge_objects(const char *list, const char *names, char **known);

#endif
