/* recording_file.h: a recorded machine as one text file, with a line for each line of each file:
 *
 *     # an optional comment, before all files
 *     /proc/cpuinfo<TAB>processor	: 0
 *     /proc/cpuinfo<TAB>vendor_id	: GenuineIntel
 *     /sys/devices/system/cpu/online<TAB>0-3
 *
 * The lines of a file follow each other. In their text `\\` is a backslash, `\xHH` any byte, and a
 * backslash at the end joins the next line to it, if there is one. A path alone is an empty file.
 */
#ifndef TLBLAB_MACHINE_RECORDING_FILE_H
#define TLBLAB_MACHINE_RECORDING_FILE_H

/* Reads the recording and gives its files to the platform (platform_set_files()). Dies, naming line
 * and column, if it is no recording. */
void recording_file_use(const char *name);

/* For a library that reads a folder itself: a temporary one with the given files, or the root if
 * none are given. Dies if it cannot be made. */
char *recording_folder(void);

/* Removes that folder if it is temporary. */
void recording_leave_folder(char *folder);

#endif
