/* recording.h: a recorded machine in place of this one: a folder of the files that it had, or one
 * text file with a line for each line of each file:
 *
 *     # an optional comment, before all files
 *     /proc/cpuinfo<TAB>processor	: 0
 *     /proc/cpuinfo<TAB>vendor_id	: GenuineIntel
 *     /sys/devices/system/cpu/online<TAB>0-3
 *
 * The lines of a file follow each other. In their text `\\` is a backslash, `\xHH` any byte, and a
 * backslash at the end joins the next line to it, if there is one. A path alone is an empty file.
 */
#ifndef TLBLAB_MACHINE_RECORDING_H
#define TLBLAB_MACHINE_RECORDING_H

/* Reads all system files from `recording` from now on: such a text file, a folder with one
 * named system.txt, or a folder of the files. Dies if that contains anything a recording cannot,
 * with line and column where it is text.
 */
void recording_use(const char *recording);

/* The same of a whole machine: also dies if that is none, or has a `cpuid.tsv` that is no table of
 * CPUID. */
void recording_open(const char *recording);

/* For a library that reads a folder itself: a temporary one with the files of the text, or the
 * recording if it is a folder. Dies if it cannot be made. recording_leave_folder() removes it if it
 * is temporary. */
char *recording_folder(void);
void recording_leave_folder(char *folder);

#endif
