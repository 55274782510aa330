/* SPDX-License-Identifier: BSD-3-Clause */
/* Machines that a model loads alike, as one resource. Private to the folder. */
#pragma once

#include "cost/model/walk.h"

/* Of the machines of a class any one: number `index` from first to last; NULL: there's one alone. */
typedef struct MachineClass {
    const char *name; /* "fast 1…3"; "master" */
    const char *index;
    int64_t first, last; /* machines, within their group */
    Selector selector;   /* its workers */
    uint32_t capacity;   /* how many of its workers compute at the same time */
} MachineClass;

#define COST_CLASSES_LIMIT 256

/* A group is cut where the model's loops over processors begin and end, and around each processor that it names: what
 * isn't cut is loaded by the same parts of the model. The first class is the master. */
bool classes_find(Walk *walk, const PamelaNode *root, const MachineClass **classes, size_t *n_classes, Err *err);
