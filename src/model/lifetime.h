/* SPDX-License-Identifier: BSD-3-Clause */
/* The application's time in one process. The longest lifetime of all processes is the AET
 * (application execution time). */
#pragma once

#include "model/event.h"

typedef struct Lifetime {
    int64_t begin_ns; /* return of MPI_Init, or the first event's entry if the trace has none */
    int64_t end_ns;   /* entry of MPI_Finalize, or the last return if the trace ends before */
    bool has_begun;
    bool finished; /* reached MPI_Finalize */
} Lifetime;        /* zero-initialise */

/* Takes the next event of the process. */
static inline void lifetime_add(Lifetime *lifetime, const Event *event)
{
    if (!lifetime->has_begun)
        lifetime->begin_ns = lifetime->end_ns = event->enter_ns;
    lifetime->has_begun = true;
    if (event->kind == EVENT_BEGIN) {
        lifetime->begin_ns = lifetime->end_ns = event->leave_ns;
    } else if (event->kind == EVENT_END) {
        lifetime->end_ns = event->enter_ns;
        lifetime->finished = true;
    } else if (!lifetime->finished) {
        int64_t latest_ns = event->leave_ns > event->enter_ns ? event->leave_ns : event->enter_ns;
        lifetime->end_ns = latest_ns > lifetime->end_ns ? latest_ns : lifetime->end_ns;
    }
}

static inline int64_t lifetime_ns(const Lifetime *lifetime)
{
    return lifetime->end_ns - lifetime->begin_ns;
}
