/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a source's events for the replay, and adds up what each process does. Computation before
 * events that matching keeps to itself (posts, the end) is handed on with the next event. Private
 * to the folder. */
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

typedef struct Meter {
    EventSource source; /* the source to read from; it reads `from` */
    EventSource *from;
    MeteredProcess *processes;
} Meter;

void meter_init(Meter *meter, EventSource *from);
void meter_free(Meter *meter);
