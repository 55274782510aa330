/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of a launch, found by the recording directory in their environment. Private to trace/. */
#ifndef FIRMA_TRACE_PROCESSES_H
#define FIRMA_TRACE_PROCESSES_H

#include <stddef.h>

/* Sends a signal (0: none) to every process of the launch on this host; how many there are. A dead one that nobody has
 * collected has no environment any more, and doesn't count. `recording` is the directory's absolute path. */
size_t launch_signal_processes(const char *recording, int number);

#endif
