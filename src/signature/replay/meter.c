/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up computation and calls while events are read (meter.h). */
#include "signature/replay/meter.h"

/* Computation since the latest call, at most the elapsed time, because processor clocks are coarser
 * than wall clocks. */
static int64_t computation_ns(const MeteredProcess *process, const Event *event)
{
    int64_t passed_ns = event->enter_ns - process->leave_ns;
    bool counts = process->has_call && !process->lifetime.finished && event->kind != EVENT_BEGIN;
    if (!counts || passed_ns <= 0 || event->compute_ns <= 0)
        return 0;
    return event->compute_ns < passed_ns ? event->compute_ns : passed_ns;
}

/* Adds the time of a call. A call can have several events (Waitall), and calls follow each
 * other. */
static void note_call(MeteredProcess *process, const Event *event)
{
    int64_t from_ns = process->has_call && event->enter_ns < process->leave_ns ? process->leave_ns : event->enter_ns;
    bool counts = event->kind != EVENT_BEGIN && event->kind != EVENT_END && !process->lifetime.finished;
    if (counts && event->leave_ns > from_ns)
        process->mpi_ns += event->leave_ns - from_ns;
    if (!process->has_call || event->leave_ns > process->leave_ns)
        process->leave_ns = event->leave_ns;
    process->has_call = true;
}

void meter_take(MeteredProcess *process, Event *event)
{
    int64_t compute_ns = computation_ns(process, event);
    note_call(process, event);
    lifetime_add(&process->lifetime, event);
    process->compute_ns += compute_ns;
    process->before_ns += compute_ns;
    event->compute_ns = 0;
    if (event_is_in_order(event) || event->kind == EVENT_REQUEST_DONE) {
        event->compute_ns = process->before_ns;
        process->before_ns = 0;
    }
}
