/* SPDX-License-Identifier: BSD-3-Clause */
/* The order in which a process's messages become steps of its task (docs/METHOD.md, section 13). Two things
 * differ from the order of the trace.
 *
 *  - Completions that the program takes as they come (MPI_Waitany) have an order of their own in each iteration.
 *    A group of them that is complete before anything depends on it gets one order, so that loops fold.
 *  - If threads of the process communicate at the same time, one of them leads. What the others receive stands
 *    where the threads join again, so that the leading thread doesn't wait for it.
 *
 * Private to the folder. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "model/event.h"
#include "model/tfg.h"

/* Where the steps go. before_ns: the computation between the previous step and this one. */
typedef struct StepSink {
    bool (*add)(struct StepSink *sink, const Step *step, int64_t before_ns, Err *err);
} StepSink;

typedef struct Arrangement {
    StepSink *sink;
    bool has_threads;
    uint8_t leading;    /* the sequence of the thread that leads */
    int64_t compute_ns; /* since the last step */
    VEC(struct Completion) group;
    Map fresh;             /* receives that were posted after the group's first completion */
    VEC(struct Held) held; /* collectives that the process is in */
    VEC(Step) late;        /* receives of threads that don't lead, each kind once; `times` is their number */
    Map late_kinds;
    int64_t enter_ns, busy_until_ns; /* of the last call; of all calls */
    bool overlaps;                   /* calls of the process overlap */
} Arrangement;

Arrangement arrangement_new(const Trace *trace, uint32_t process, StepSink *sink);
void arrangement_free(Arrangement *arrangement);

/* Takes the computation before an event, and other facts that bear on the order. For all events. */
bool arrangement_take_event(Arrangement *arrangement, const Event *event, Err *err);

/* Takes an event's step: a message or a collective. */
bool arrangement_take_step(Arrangement *arrangement, const Event *event, const Step *step, Err *err);

/* To be called at the end: adds the steps that are left. The computation after them is compute_ns. */
bool arrangement_finish(Arrangement *arrangement, Err *err);
