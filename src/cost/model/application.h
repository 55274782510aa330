/* SPDX-License-Identifier: BSD-3-Clause */
/* What an application is made of. Private to the folder. */
#pragma once

#include "base/vec.h"
#include "cost/model/walk.h"

/* What each task of a batch calls. */
typedef struct JoinedEntry {
    const char *name;
    bool takes_task; /* as its last argument, besides the batch's own */
} JoinedEntry;

struct CostApplication {
    ExprSpace *space;
    Arena *arena;
    size_t n_batches;
    const CostBatch *batches;   /* their expressions in `space` */
    const JoinedEntry *entries; /* [n_batches] */
    const uint32_t *levels;     /* [n_batches] of the flow */
    bool is_written;
    /* The last sub-model is `main`; the others stay the same however it is placed, and so do their costs. */
    PamelaModel model;
    PamelaSub *subs;
    Walk walk;
    CostPlatform platform;
};

/* Of `main`, whose batches have counts[batch][worker] tasks. */
PamelaNode *placed_body(CostApplication *application, const uint64_t *const *counts);

/* T0 and the like of a sub-model, with walk->platform. */
bool compile(Walk *walk, const PamelaSub *main, CostExpressions **result, Err *err);

typedef VEC(PamelaSub) Subs;
typedef VEC(PamelaParameter) Parameters;

/* Of several models one: names that are taken get the batch's name before them. */
typedef struct Joined {
    ExprSpace *space;
    Arena *arena;
    Subs subs;
    Parameters parameters;
    VEC(const char *) languages; /* of subs */
} Joined;

/* Adds a batch's sub-models and parameters. Values that hold parameters of the entry are handed down from it to where
 * they're needed. */
bool join_batch(Joined *joined, const CostBatch *batch, JoinedEntry *entry, Err *err);
