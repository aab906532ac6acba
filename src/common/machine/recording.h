/* recording.h: a recorded machine in place of this one. */
#ifndef TLBLAB_MACHINE_RECORDING_H
#define TLBLAB_MACHINE_RECORDING_H

/* Reads all files of the system below `folder` from now on (platform_set_root()). Dies where that
 * is no recording, or has what no recording has (platform_odd_file()). */
void recording_open(const char *folder);

#endif
