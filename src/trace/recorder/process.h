/* SPDX-License-Identifier: BSD-3-Clause */
/* The ProcessFile: who this process is, when it began and ended, and what was counted; and the ControlFile. */
#pragma once

#include "trace/segment.h"
#include <stdbool.h>
#include <stdint.h>

#define PATH_BYTES 4352 /* directory, host, numbers */

/* What MPI says about the process. */
typedef struct ProcessStart {
    const char *directory;
    MpiFlavour flavour;
    int rank, n_processes, thread_level;
    bool spawned;
    char mpi_library[256];
    char host[256]; /* only of a simulated process */
    int64_t init_enter_ns, init_leave_ns;
} ProcessStart;

/* Makes the ProcessFile. 0 or an errno. What follows needs it, except where said. */
int process_open(const ProcessStart *start);

/* The control file, or NULL: there is none. */
const ControlFile *process_map_control(void);

/* The stops, or NULL: there are none for this process. */
const StopsFile *process_map_stops(void);

const char *process_directory(void);
const char *process_host(void);

/* DIRECTORY/HOST-PID and a suffix. */
void process_path(const char *suffix, char path[PATH_BYTES]);

/* The number of a new thread's segment. */
uint32_t process_new_thread(void);

/* .comms holds so many records. */
void process_set_comms(uint32_t n_comms);

/* Some thread sleeps at a stop: 1 + its number; never less than before. */
void process_set_asleep(uint32_t asleep);

void process_end_recording(RecordingEnd end, int error);
void process_stamp_init_leave(int64_t time_ns);
void process_stamp_finalize_leave(int64_t time_ns);
