/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites parts of models for compiled code. First, each region of the source gets a named cost of its own, its mark.
 * A time is linear in costs, so the time where this cost is a second and all others are nothing is how often the region
 * runs. With these counts, compiled/ says what regions take; then their operations are replaced. Private to this
 * folder. */
#pragma once

#include "cost/context/rewrite.h"

/* Marks begin so. */
#define REWRITER_MARKS "cost_region_"
/* The marks of the bytes that are allocated; and of those in blocks that may have been used before. */
#define REWRITER_BYTES REWRITER_MARKS "bytes"
#define REWRITER_RECYCLED REWRITER_MARKS "recycled"

/* How often a branch surprises whose probability nobody gave: the mean of the rarer sides' shares over the probabilities
 * that were counted in the kernels of cost/cpu/kernels. */
#define REWRITER_ASSUMED_SURPRISE 0.175

typedef struct Rewriter {
    const PamelaModel *model;
    CompiledRegions *regions;
    double bytes;    /* of data */
    double recycled; /* bytes of blocks that may have been used before, of all of them */
    double live;     /* of these, as many as live at a time */
    bool is_marking; /* adds marks; otherwise, replaces operations */
    const SourceProgram *program;
    const char *entry;
    bool *is_by_data;        /* [regions->n] of sides and loops */
    const double *remaining; /* [regions->n] the share of their surprises that the processor doesn't learn */
    size_t n_assumed;
    const char **assumed; /* probabilities that nobody gave */
    size_t n_walks;
    CompiledWalks **walks; /* of each source */
    Arena *arena;
} Rewriter;

/* One that marks, without a model. ERR_INPUT: there is no such function. */
bool rewriter_new(const ContextSource *source, const char *entry, Arena *arena, Rewriter *rewriter, Err *err);

/* The function or loop with this origin; -1: none. */
int rewriter_find_unit(const Rewriter *rewriter, const void *origin);
/* A node in this function or loop. NULL: nothing remains. */
PamelaNode *rewriter_rewrite(const Rewriter *rewriter, PamelaNode *node, int unit);
/* Another body of the sub-model. */
PamelaNode *rewriter_rewrite_sub(const Rewriter *rewriter, const PamelaSub *sub);

const char *rewriter_mark(int region, Arena *arena);
bool rewriter_is_mark(const char *name);
/* Takes how often a mark counts. */
void rewriter_take(Rewriter *rewriter, const char *mark, double amount);

/* Finds what of the recycled blocks lives at a time, by the regions' counts. */
void rewriter_find_live(Rewriter *rewriter);

/* Walks through the compiled code of all sources, by the regions' counts. compiled_schedule() must follow. */
bool rewriter_walk(Rewriter *rewriter, const ContextSource *source, const char *entry, Err *err);
/* Finds what regions cost as they were compiled. From then on, operations are replaced. */
void rewriter_price(Rewriter *rewriter, const ContextSource *source, ContextLoops *loops);
/* Both, and what is between. */
bool rewriter_compile(Rewriter *rewriter, const ContextSource *source, const char *entry, ContextLoops *loops,
                      Err *err);
