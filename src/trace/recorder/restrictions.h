/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program forbids itself, and so the recorder inside it. Linux then ends the process at the
 * first forbidden instruction or system call, so recording stops before the restriction begins. */
#pragma once

#include "trace/segment.h"

/* The first restriction so far as a reason to end recording, or RECORDING_WHOLE: none. */
RecordingEnd restrictions_found(void);
