/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up what each process does, for the replay. Computation before events that matching keeps to
 * itself (posts, the end) is handed on with the next event. Private to the folder. */
#pragma once

#include "model/event.h"
#include "model/lifetime.h"

typedef struct MeteredProcess {
    Lifetime lifetime;
    int64_t compute_ns, mpi_ns;
    int64_t before_ns; /* computation since the last event that was handed on; at the end, the
                          rest */
    int64_t leave_ns;  /* return of the latest call */
    bool has_call;
} MeteredProcess;

/* Takes the process's next event, and puts into it the computation that is handed on with it. */
void meter_take(MeteredProcess *process, Event *event);
