/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of a trace on their way to messages. While processes are read, each call is one step that stands for its
 * messages, so that loops fold early; once all are read, and it's known which ones all members agree on, these steps
 * become messages. Private to the folder. */
#pragma once

#include "model/event.h"
#include "model/tfg.h"
#include "model/traffic.h"

typedef struct Collectives Collectives;

Collectives *collectives_new(const Trace *trace);
void collectives_free(Collectives *collectives);

/* A call of a process; processes come one after the other. The step that stands for its messages until they are put in
 * its place; false: it will be left out anyway. */
bool collectives_take(Collectives *collectives, uint32_t process, const Event *event, Step *step);

/* Once all calls are taken: which become messages. Never the ones whose members disagree on what the communicator's
 * calls were; and as few of the others, those of the most messages first, as it takes to stay below what memory and a
 * simulation can hold. */
void collectives_choose(Collectives *collectives, const Task *tasks, uint32_t n_tasks);

/* Nonblocking ones are where they were posted; if the graph then waits in a circle, these are left out as well; or all.
 * Whether anything else than before is left out. */
bool collectives_leave_out_nonblocking(Collectives *collectives);
void collectives_leave_out_all(Collectives *collectives);

/* Puts messages, or nothing, in the place of the calls of a task, and counts these and all others of the task. */
void collectives_expand(const Collectives *collectives, uint32_t process, Task *task, TrafficTable *traffic,
                        TaskGraph *graph, Arena *arena);

/* The graph's counts of calls, and the time of the calls that are left out, of all processes. */
void collectives_count(const Collectives *collectives, TaskGraph *graph, double *left_out_s);

/* Whether some that became messages don't block, so that the graph may wait in a circle. */
bool collectives_may_lock(const Collectives *collectives);
