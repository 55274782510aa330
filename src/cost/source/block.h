/* SPDX-License-Identifier: BSD-3-Clause */
/* PAMELA nodes in the making. Private to the folder. */
#pragma once

#include "cost/source/generator.h"

/* Equal operations of one straight-line stretch are added up. */
typedef struct Block {
    VEC(PamelaNode *) nodes;
    size_t stretch; /* its first node */
} Block;

PamelaNode *node_new(Generator *all, PamelaKind kind);
bool node_has_symbol(const PamelaNode *node, const char *name);

void block_operation(Generator *all, Block *block, CpuOperation operation, CpuType type);
void block_named_cost(Generator *all, Block *block, const char *name);
void block_append(Block *block, PamelaNode *node);
PamelaNode *block_end(Generator *all, Block *block);
/* `if`; nothing if both sides are empty; the side alone if the probability is 0 or 1. otherwise may be NULL. */
void block_if(Generator *all, Block *block, const char *condition, const char *comment, const Expr *probability,
              PamelaNode *node, PamelaNode *otherwise);
