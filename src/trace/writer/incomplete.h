/* SPDX-License-Identifier: BSD-3-Clause */
/* Says in which ways a recording is only a part of the run. Private to trace/. */
#pragma once

#include "trace/writer/recording.h"

/* "3, 5, 7 and 12 more": the ranks for which `holds` is true. NULL if there are none. */
const char *recording_list_ranks(const Recording *recording, bool (*holds)(const RecordedProcess *), Arena *arena);

/* True if the recorder stopped before the process did. */
bool process_is_cut_off(const RecordedProcess *process);

/* Sets recording->incomplete. */
void recording_find_incomplete(Recording *recording, Arena *arena);
