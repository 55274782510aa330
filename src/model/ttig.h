/* SPDX-License-Identifier: BSD-3-Clause */
/* The temporal task interaction graph (TTIG). A node is a task with its computation time. An edge
 * has the volume that a task sends to another, and the degree of parallelism that both can reach. A
 * TIG is a TTIG with all p = 1. A TPG has all p = 0, and edges in one direction. JSON form:
 * docs/FORMATS.md. Method: docs/METHOD.md §13. */
#pragma once

#include "base/arena.h"
#include "base/fields.h"
#include "model/tfg.h"

typedef struct TtigNode {
    const char *name;
    double seconds; /* w: sum of the task's computation */
} TtigNode;

/* From i to j, if i sends to j. A pair that sends in both directions has two edges. */
typedef struct TtigEdge {
    uint32_t from, to;
    double bytes;       /* c: sum of what `from` sends to `to` */
    double messages;    /* number of these messages */
    double parallelism; /* p(from, to): time in which both compute, over w(to); in [0, 1] */
} TtigEdge;

typedef enum TtigModel { MODEL_TTIG, MODEL_TIG, MODEL_TPG } TtigModel;

typedef struct Ttig {
    TtigModel model;
    const char *source;
    uint32_t n_nodes, n_edges;
    const TtigNode *nodes;
    const TtigEdge *edges; /* ascending by from, then to */
    /* The graph that the TTIG was made from, which mapping simulates; NULL: the TTIG was written by
     * hand without it. */
    const TaskGraph *tasks;
    uint32_t n_inexact; /* pairs with loops that are too long to simulate open; their p is that of folded loops */
} Ttig;

#define TTIG_FORMAT "firma ttig"
#define TTIG_VERSION 1

/* "TTIG", "TIG", "TPG", by TtigModel; ends with NULL. */
extern const char *const ttig_model_names[];

/* Orders edges by from, then to; for qsort(). */
int ttig_compare_edges(const void *left, const void *right);

/* Loads a TTIG with or without its tasks. Doesn't check that nodes and edges agree with the tasks,
 * and doesn't derive missing nodes and edges; graph_load() does both. */
DOCUMENT(ttig, Ttig);
