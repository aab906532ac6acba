/* recording.h: a recorded machine in place of this one. */
#ifndef TLBLAB_MACHINE_RECORDING_H
#define TLBLAB_MACHINE_RECORDING_H

/* Reads all system files below `folder` from now on (platform_set_root()). Dies if that is not a
 * recording, contains anything a recording cannot (platform_odd_file()), or has a `cpuid.tsv` that
 * is no table of CPUID. */
void recording_open(const char *folder);

#endif
