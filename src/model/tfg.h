/* SPDX-License-Identifier: BSD-3-Clause */
/* The temporal flow graph (TFG): what each task, a process of the application, does in order: computes, sends,
 * receives. Loops are folded: each is there once, with how often it runs, and its steps stand for all its iterations
 * together. A graph may come from a trace (graph/) or be written by hand. JSON form: docs/FORMATS.md. Source: spec 4
 * §4.1. */
#pragma once

#include "base/arena.h"
#include "base/fields.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum StepKind {
    STEP_COMPUTE,
    STEP_SEND,
    STEP_RECV,
    STEP_LOOP,
    STEP_COLLECTIVE /* only while a trace is read (placement/graph/collectives.h): no graph has one */
} StepKind;

typedef struct Step Step;

/* A step of a task. In a loop, its seconds, bytes and messages are those of one iteration (means, where iterations
 * differ); a folded view multiplies them. */
struct Step {
    StepKind kind;
    double seconds;   /* compute */
    uint32_t peer;    /* send: to; recv: from */
    double bytes;     /* of each message */
    uint64_t times;   /* loop: iterations; send, recv of a folded view: messages that it stands for; else 1 */
    uint64_t first;   /* send, recv of a folded view: the peer's messages before its first one; else 0 */
    uint32_t n_body;  /* loop */
    const Step *body; /* loop */
};

typedef struct Task {
    const char *name; /* "3" for process 3 of a trace */
    uint32_t n_steps;
    const Step *steps;
} Task;

typedef struct TaskGraph {
    const char *source; /* the trace that it was made from, or "" */
    uint32_t n_tasks;
    const Task *tasks;
    bool has_collectives;            /* as messages; or they are no precedences, as in the thesis (§2.2.2) */
    uint64_t n_collectives;          /* that became messages */
    uint64_t n_collective_messages;  /* that they became */
    double collective_bytes;         /* of these */
    uint64_t n_collectives_left_out; /* the others; a collective counts once, however many processes call it */
    uint64_t n_one_sided_left_out;   /* puts, gets and the like have no receive that waits for them */
    double left_out_share;           /* of all processes' time: in the calls that are left out */
    uint64_t n_unmatched;            /* receives without a send in the trace, left out */
    bool is_folded;                  /* a view: each message step stands for all the messages of its loops */
} TaskGraph;

enum { TASKS_LIMIT = 1 << 20, LOOP_DEPTH_LIMIT = 64 };

/* Iterations of a loop with those of all loops around it; bytes of a message, and of all from a task to another; how
 * many these are: beyond, sums lose their meaning. What a task computes has SECONDS_LIMIT. */
#define TIMES_LIMIT ((uint64_t)1 << 40)
#define BYTES_LIMIT 1e18
#define MESSAGES_LIMIT 1e15
#define COLLECTIVE_BYTES_LIMIT 1e30

#define TFG_FORMAT "firma task graph"
#define TFG_VERSION 1

/* "expanded", "left-out" */
const char *tfg_collectives_name(bool has_collectives);

extern const FieldList tfg_counts_fields; /* of a TaskGraph: what a graph from a trace says of it */

/* Checked: peers exist, nothing negative, each receive has its send (j receives at most as many messages from i as i
 * sends to j; a trace may end before the last ones are received). ERR_INPUT with the place. */
DOCUMENT(tfg, TaskGraph);

/* For documents that hold a task graph. */
bool tfg_from_json(const json_t *object, const JsonPlace *place, Arena *arena, TaskGraph **graph, Err *err);

/* Tasks by name: a JSON object whose members are their numbers. ERR_INPUT: two of the array at `place` have the same. The caller owns it. */
bool task_names_collect(const char *const *names, uint32_t n_tasks, const JsonPlace *place, json_t **numbers, Err *err);

/* A task's number, which stands there as such or as its name. */
bool json_get_task(const json_t *object, const char *key, const JsonPlace *place, const json_t *numbers,
                   uint32_t n_tasks, uint32_t *task, Err *err);
