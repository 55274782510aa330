/* SPDX-License-Identifier: BSD-3-Clause */
/* Records that are kept in a directory of the node until the process ends; see trace/gathering.h. */
#pragma once

#include "trace/segment.h"

/* Makes the node's directory, if the control file names one; from now on, records go there. Returns 0
 * or an errno. */
int local_begin(const ControlFile *control);

/* Moves this process's records to the recording directory, and those of processes of this node that
 * were killed. Does nothing if records are there already. */
void local_end(void);
