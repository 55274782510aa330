/* SPDX-License-Identifier: BSD-3-Clause */
/* The temporal flow graph (TFG). A task is a process of the application. Its steps, in order, are
 * computation, sends and receives. Loops are folded: a loop stands in the graph once, with its
 * number of iterations. A graph comes from a trace (placement/graph), or people write it by hand.
 * JSON form: docs/FORMATS.md. Method: docs/METHOD.md §13. */
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
    STEP_PUT,       /* a message to a task that doesn't receive it */
    STEP_GET,       /* a message from a task that doesn't send it */
    STEP_COLLECTIVE /* only while a trace is read (placement/graph/collectives.h); a finished graph has none */
} StepKind;

typedef struct Step Step;

/* A step of a task. In a loop, a step's seconds, bytes and messages are those of one iteration, or
 * means if iterations differ. In a folded view they are multiplied by the iterations. */
struct Step {
    StepKind kind;
    uint32_t peer;    /* send, put: the receiver; recv, get: the sender */
    double seconds;   /* of computation */
    double bytes;     /* of each message */
    uint64_t times;   /* loop: iterations; send, recv of a folded view: number of messages; else 1 */
    uint64_t first;   /* send, recv of a folded view: the pair's messages before the step's first one;
                         STEP_COLLECTIVE: which half of its messages; else 0 */
    const Step *body; /* loop */
    bool blocks;      /* send: the task waits until a long message has left; recv: long messages wait
                         for it; put, get: the task waits until this one and all its earlier ones are
                         complete. False: nonblocking */
    uint32_t n_body;  /* loop */
};

typedef struct Task {
    const char *name; /* "3" for process 3 of a trace */
    uint32_t n_steps;
    const Step *steps;
} Task;

typedef struct TaskGraph {
    const char *source; /* the trace that the graph was made from, or "" */
    uint32_t n_tasks;
    const Task *tasks;
    bool has_collectives; /* collectives have become messages; false: they bind no tasks, as in the thesis (§2.2.2) */
    uint64_t n_collectives;          /* collectives that have become messages */
    uint64_t n_collective_messages;  /* the number of these messages */
    double collective_bytes;         /* the bytes of these messages */
    uint64_t n_collectives_left_out; /* other collectives; each counts once, whatever the number of its processes */
    /* one-sided operations that the trace doesn't complete */
    uint64_t n_one_sided_left_out;
    double left_out_share; /* share of all processes' time in the calls that are left out */
    double guessed_share;  /* the same, in collectives such as alltoallv: the trace has each process's sums, so its
                              parts count as equal */
    uint64_t n_unmatched;  /* receives without a send in the trace, which are left out */
    bool is_folded;        /* a view in which a message step stands for all messages of its loops */
} TaskGraph;

enum { TASKS_LIMIT = 1 << 20, LOOP_DEPTH_LIMIT = 64 };

/* Limits. Sums beyond them would lose precision. TIMES_LIMIT: iterations of a loop, multiplied by
 * those of all loops around it. BYTES_LIMIT: bytes of a message, and of all messages from a task to
 * another. MESSAGES_LIMIT: messages from a task to another. For computation, see SECONDS_LIMIT. */
#define TIMES_LIMIT ((uint64_t)1 << 40)
#define BYTES_LIMIT 1e18
#define MESSAGES_LIMIT 1e15
#define COLLECTIVE_BYTES_LIMIT 1e30

#define TFG_FORMAT "firma task graph"
#define TFG_VERSION 1

extern const FieldList tfg_counts_fields; /* the fields of a TaskGraph that describe how a trace became this graph */

/* Loading checks that peers exist, that nothing is negative, and that each receive has its send: j
 * receives at most as many messages from i as i sends to j. (A trace may end before the last
 * messages are received.) ERR_INPUT names the place. */
DOCUMENT(tfg, TaskGraph);

/* Reads a task graph that is part of another document. */
bool tfg_from_json(const json_t *object, const JsonPlace *place, Arena *arena, TaskGraph **graph, Err *err);

/* Collects the tasks' names: *numbers becomes a JSON object from names to numbers, which the caller
 * owns. ERR_INPUT: two names in the array at `place` are equal. */
bool task_names_collect(const char *const *names, uint32_t n_tasks, const JsonPlace *place, json_t **numbers, Err *err);

/* Reads the member `key`, which is a task's number or its name. */
bool json_get_task(const json_t *object, const char *key, const JsonPlace *place, const json_t *numbers,
                   uint32_t n_tasks, uint32_t *task, Err *err);
