/* SPDX-License-Identifier: BSD-3-Clause */
/* A block: PAMELA nodes that the generator appends to a list. Private to cost/source. */
#pragma once

#include "cost/source/values/generator.h"

/* Equal operations of one straight-line stretch are added up, in the order of their first
 * occurrence: `3 sum_double; 2 access_int64`. */
typedef struct Block {
    VEC(PamelaNode *) nodes;
    size_t stretch; /* index of the stretch's first node */
} Block;

PamelaNode *node_new(Generator *all, PamelaKind kind);
bool node_has_symbol(const PamelaNode *node, const char *name);

/* Adds so many operations of this name, or named costs. */
void block_cost(Generator *all, Block *block, const char *name, const Expr *count);
void block_append(Block *block, PamelaNode *node);
PamelaNode *block_end(Generator *all, Block *block);
/* The condition of an `if`. */
typedef struct Condition {
    const char *text, *comment;
    const void *origin; /* what branches in the source: a statement or an expression; NULL: nothing does */
} Condition;
/* Appends an `if`. Appends nothing if both sides are empty, and one side alone if the probability
 * is 0 or 1, unless it matters which side of a conditional of the source runs (for_context). `otherwise` may be
 * NULL. */
void block_if(Generator *all, Block *block, Condition condition, const Expr *probability, PamelaNode *node,
              PamelaNode *otherwise);
