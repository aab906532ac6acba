/* recording.h: a recorded machine in place of this one. */
#ifndef TLBLAB_MACHINE_RECORDING_H
#define TLBLAB_MACHINE_RECORDING_H

/* Reads all system files from `recording` from now on: a text file (recording_file.h), a folder
 * with such a system.txt, or one of the files. Dies if that contains anything a recording cannot.
 */
void recording_use(const char *recording);

/* The same of a whole machine: also dies if that is none, or has a `cpuid.tsv` that is no table of
 * CPUID. */
void recording_open(const char *recording);

#endif
