/* SPDX-License-Identifier: BSD-3-Clause */
/* How the recorder gets into the program's processes: LD_PRELOAD, through whatever launcher. launch_find_recorder of
 * launch.h belongs here, too. Private to trace/. */
#ifndef FIRMA_TRACE_LAUNCH_PRELOAD_H
#define FIRMA_TRACE_LAUNCH_PRELOAD_H

#include "trace/launch.h"

/* Whether the command line, up to the program, sets LD_PRELOAD itself. */
bool preload_is_set(char *const argv[], int program);

/* In the child, before it becomes the launcher: sets LD_PRELOAD and the variable that names the recording directory,
 * and sees to it that Open MPI hands them on: that may take another command line than argv. Without a recorder
 * (SMPI: it is part of the program) nothing is preloaded. False with errno. */
bool preload_prepare(const char *recorder, const char *recording, MpiFlavour flavour, int program, char *const **argv,
                     Arena *arena);

#endif
