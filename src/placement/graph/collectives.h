/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns the collectives of a trace into messages. While processes are read, each call is one step
 * that stands for its messages, so that loops fold early. When all processes are read, firma knows
 * which calls all members agree on. These steps then become messages. Private to the folder. */
#pragma once

#include "model/event.h"
#include "model/tfg.h"
#include "model/traffic.h"
#include "placement/graph/rules.h"

typedef struct Collectives Collectives;

Collectives *collectives_new(const Trace *trace, CollectiveLibrary library);
void collectives_free(Collectives *collectives);

/* Which messages a collective's step stands for: `first` of the step. */
enum { COLLECTIVE_WHOLE, COLLECTIVE_SENDS, COLLECTIVE_RECEIVES };

/* A call of a process; processes come one after another. Fills in the step that stands for the
 * call's messages. False: the call will be left out. */
bool collectives_take(Collectives *collectives, uint32_t process, const Event *event, Step *step);

/* To be called when all calls are taken: chooses those that become messages. Leaves out collectives
 * of communicators whose members disagree on their calls. Then leaves out those with the most
 * messages, until the rest fits memory and simulation. */
void collectives_choose(Collectives *collectives, const Task *tasks, uint32_t n_tasks);

/* Leaves out nonblocking collectives, or all. Nonblocking ones stand where they were posted, so
 * they can make tasks wait in a circle. The first returns whether more is left out than before. */
bool collectives_leave_out_nonblocking(Collectives *collectives);
void collectives_leave_out_all(Collectives *collectives);

/* Replaces the calls of a task by messages, or by nothing. Counts them in `graph`, and all messages
 * of the task in `traffic`. */
void collectives_expand(const Collectives *collectives, uint32_t process, Task *task, TrafficTable *traffic,
                        TaskGraph *graph, Arena *arena);

/* Fills in the graph's counts of calls, adds the time of those that are left out, and fills in that of
 * those whose parts aren't known, over all processes. */
void collectives_count(const Collectives *collectives, TaskGraph *graph, double *left_out_s, double *guessed_s);

/* Whether some expanded collectives are nonblocking, so that tasks may wait in a circle. */
bool collectives_may_lock(const Collectives *collectives);
