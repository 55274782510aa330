/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of an application. Private to this folder. */
#pragma once

#include "base/vec.h"
#include "cost/model/walk.h"

/* The sub-model that each task of a batch calls. */
typedef struct JoinedEntry {
    const char *name;
    bool takes_task; /* as its last argument, behind the batch's own */
} JoinedEntry;

/* Neighbouring workers with equally many tasks of each batch of a level, and what each does. */
typedef struct PlacedRun {
    uint32_t level;
    uint64_t first, last;
    const PamelaNode *node; /* in terms of `worker` */
} PlacedRun;

struct CostApplication {
    ExprSpace *space;
    Arena *arena;
    size_t n_batches;
    const CostBatch *batches;   /* their expressions belong to `space` */
    const JoinedEntry *entries; /* [n_batches] */
    const uint32_t *levels;     /* [n_batches] in the flow */
    bool is_written;
    /* The last sub-model is `main`. The others, and their costs, don't depend on the placement. */
    PamelaModel model;
    PamelaSub *subs;
    Walk walk;
    CostPlatform platform;
    VEC(PlacedRun) runs; /* of the batches that were placed last */
};

/* The body of `main`; batches have counts[batch][worker] tasks. Lists the runs. */
PamelaNode *placed_body(CostApplication *application, const uint64_t *const *counts);

/* The body of `main` if any worker may get each of a batch's n_tasks[batch] tasks. A child is a loop over the
 * tasks of a batch on a worker of a group, batch by batch, [n_batches*n_groups]; its body has SHARED_PARTS parts: the
 * message to the worker, the call, and the message back. */
enum { SHARED_PARTS = 3 };
PamelaNode *placed_shared(CostApplication *application, const uint64_t *n_tasks);

/* T0, T1 … TR and T of a sub-model, on walk->platform. */
bool compile(Walk *walk, const PamelaSub *main, CostExpressions **result, Err *err);

typedef VEC(PamelaSub) Subs;
typedef VEC(PamelaParameter) Parameters;

/* Several models joined to one. A name that is taken gets the batch's name before it. */
typedef struct Joined {
    ExprSpace *space;
    Arena *arena;
    Subs subs;
    Parameters parameters;
    VEC(const char *) languages; /* [subs] */
} Joined;

/* Adds a batch's sub-models and parameters. Values that depend on parameters of the entry are
 * passed down from the entry to where they are needed. */
bool join_batch(Joined *joined, const CostBatch *batch, JoinedEntry *entry, Err *err);
