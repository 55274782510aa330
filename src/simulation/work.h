/* SPDX-License-Identifier: BSD-3-Clause */
/* What is simulated: the events of each process in the chosen occurrences. Private to the folder. */
#pragma once

#include "simulation/cuts.h"
#include "simulation/sample.h"

typedef struct RankWork {
    VEC(Event) events;         /* as of the trace, with completions; requests are numbers of their own */
    VEC(uint32_t) occurrences; /* [events.count] index into the sample; before the first one: 0 */
    VEC(int64_t) sent_ns;      /* [events.count] of a receive: when its send returned; set by job_prepare() */
    uint64_t n_slots;          /* of requests; set by job_prepare() */
    uint64_t last_send;        /* index of the last send-like event */
    bool has_sends;
} RankWork;

/* Of an occurrence, in the trace; sums over processes. On an ideal network: set by surrogate_compare(). */
typedef struct TracedTime {
    double compute_ns, mpi_ns, ideal_ns;
} TracedTime;

/* How long processes take on an ideal network; set by surrogate_compare(). NULL: not known */
typedef struct IdealTimes {
    double *run_s, *sample_s; /* [n_processes] the whole run, and what is kept of it */
    double *kept_s;           /* [sample × n_processes] the occurrences that are kept */
} IdealTimes;

typedef struct Work {
    const Trace *trace;
    uint32_t n_processes;
    RankWork *ranks;
    VEC(OccurrenceStart)
    starts;             /* by occurrence, then process; numbers of occurrences and events are those
                                    of the sample */
    TracedTime *traced; /* [n_occurrences] of all occurrences; NULL: there are none */
    /* [sample] of those kept. What was computed before an occurrence belongs to the one that was kept before it. */
    TracedTime *kept;
    IdealTimes ideal;
    double pace; /* how many times as long as in the trace what is kept computes; set by computation_scale() */
    uint64_t n_events;
    bool has_unreceived; /* messages are sent that nobody receives; set by job_prepare() */
    const char *misfit;  /* why what was left out doesn't leave a run that could happen; NULL: it does */
} Work;

/* Reads the events of the source, which delivers completions. ERR_INPUT: threads of a process communicate
 * at the same time, or the trace can't be read. */
bool work_read(EventSource *source, const Cuts *cuts, const Sample *sample, const Progress *progress, Work *work,
               Err *err);
void work_free(Work *work);
