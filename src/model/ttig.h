/* SPDX-License-Identifier: BSD-3-Clause */
/* The temporal task interaction graph (TTIG): tasks with their computation times, edges with the volume that is
 * communicated and the degree of parallelism that the two tasks can reach. JSON form: docs/FORMATS.md. Source: spec 4
 * §4.2. A TIG is the same with all p = 1, a TPG with all p = 0 and the edges of one direction. */
#pragma once

#include "base/arena.h"
#include "base/fields.h"
#include "model/tfg.h"

typedef struct TtigNode {
    const char *name;
    double seconds; /* w: sum of its computation */
} TtigNode;

/* From i to j, where i sends to j. A pair that talks in both directions has two edges. */
typedef struct TtigEdge {
    uint32_t from, to;
    double bytes;       /* c: sum of what `from` sends to `to` */
    double messages;    /* how many these are */
    double parallelism; /* p(from, to): overlap of both over w(to), in [0, 1] */
} TtigEdge;

typedef enum TtigModel { MODEL_TTIG, MODEL_TIG, MODEL_TPG } TtigModel;

typedef struct Ttig {
    TtigModel model;
    const char *source;
    uint32_t n_nodes, n_edges;
    const TtigNode *nodes;
    const TtigEdge *edges;  /* ascending by from, then to */
    const TaskGraph *tasks; /* the graph that it was made from, kept with it: mapping simulates it; NULL: written by
                               hand without */
    uint32_t n_inexact;     /* pairs whose loops are too long to run through: p is that of folded loops */
} Ttig;

#define TTIG_FORMAT "firma ttig"
#define TTIG_VERSION 1

/* "TTIG", "TIG", "TPG", by TtigModel; NULL ends them. */
extern const char *const ttig_model_names[];

/* By from, then to; for qsort. */
int ttig_compare_edges(const void *left, const void *right);

/* Read with or without its tasks; whether what it says agrees with these isn't looked at, and if neither nodes nor edges
 * are there, they are still to be made of the tasks: graph_load does both. */
DOCUMENT(ttig, Ttig);
