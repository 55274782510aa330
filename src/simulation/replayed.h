/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs prepared work on a machine; the result is the same trace, with simulated times. Private to the
 * folder. */
#pragma once

#include "simulation/job_file.h"
#include "simulation/machine_files.h"

typedef struct Replayed {
    EventSource source; /* the first member, so that pointers to both convert; without completions */
    const Work *work;
    JobFile file;
    uint64_t *read; /* [n_processes] events delivered */
} Replayed;

/* directory: for files. ERR_ENVIRONMENT: firma was built without SimGrid. ERR_INPUT: SimGrid refuses the
 * platform, or the processes wait for each other for ever; the message says who waits for what. */
bool replayed_run(const Work *work, const MachineFiles *files, const JobMachine *machine, const char *directory,
                  Replayed *replayed, Err *err);
void replayed_free(Replayed *replayed);

/* The events of a process with simulated times, completions included: as many as in the work. */
static inline const Event *replayed_events(const Replayed *replayed, uint32_t process)
{
    return replayed->file.job.events + replayed->file.job.processes[process].first_event;
}

/* Lets the source be read again. */
void replayed_rewind(Replayed *replayed);
