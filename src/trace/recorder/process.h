/* SPDX-License-Identifier: BSD-3-Clause */
/* The ProcessFile: identity, beginning and end of this process, and counts of its calls. Also maps
 * the ControlFile and the StopsFile. */
#pragma once

#include "trace/segment.h"
#include <stdbool.h>
#include <stdint.h>

#define PATH_BYTES 4352 /* room for directory, host and numbers */

/* What MPI tells about the process. */
typedef struct ProcessStart {
    const char *directory;
    MpiFlavour flavour;
    int rank, n_processes, thread_level;
    int task, parent; /* PVM */
    bool spawned;
    char mpi_library[256];
    char host[256]; /* only for a simulated process */
    int64_t init_enter_ns, init_leave_ns;
} ProcessStart;

/* Creates the ProcessFile; the functions below need it. Returns 0 or an errno. */
int process_open(const ProcessStart *start);

/* False: another recorder of firma's is loaded into this process as well, and records it. */
bool process_claim(void);

/* When a process began: field 22 of its /proc/PID/stat. 0: not known. */
uint64_t process_start_ticks(int32_t pid);

/* Maps the control file. NULL: it doesn't exist. */
const ControlFile *process_map_control(void);

/* Maps the stops. NULL: this process has none. */
const StopsFile *process_map_stops(void);

const char *process_directory(void);
const char *process_host(void);

/* From now on, process_path() names files in this directory. */
void process_keep_records_in(const char *path);

/* Where process_path() names files. */
const char *process_records_directory(void);

/* Sets `path` to DIRECTORY/HOST-PID and the suffix. */
void process_path(const char *suffix, char path[PATH_BYTES]);

/* Returns the number for a new thread's segment. */
uint32_t process_new_thread(void);

/* Stores the number of records in .comms. */
void process_set_comms(uint32_t n_comms);

/* The number of a group of PVM, after one more call for it; -1: no room for another group. */
int process_count_group(const GroupRecord *group);

/* Stores tasks that this task spawned. */
void process_add_tasks(const int *tasks, int n_tasks);

/* Stores that a thread sleeps at a stop: 1 + the stop's number. The stored number never
 * decreases. */
void process_set_asleep(uint32_t asleep);

/* Stores that the process, adopted this often, is ready to be released. */
void process_set_ready(uint32_t adoptions);

/* Adds the time that storing a half of a segment took. */
void process_add_storing(int64_t time_ns);

/* Stores what recording costs. */
void process_set_costs(uint32_t call_ns, uint32_t sample_ns);

void process_end_recording(RecordingEnd end, int error);
void process_stamp_init_leave(int64_t time_ns);
void process_stamp_finalize_leave(int64_t time_ns);
