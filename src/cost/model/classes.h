/* SPDX-License-Identifier: BSD-3-Clause */
/* Classes: machines that a model loads alike count as one resource. Private to this folder. */
#pragma once

#include "cost/model/walk.h"

/* A class of machines. Its load is that of any one machine, number `index` from first to last.
 * index is NULL if the class has one machine. */
typedef struct MachineClass {
    const char *name; /* "fast 1…3"; "master" */
    const char *index;
    int64_t first, last; /* machines, by number in their group */
    int64_t before;      /* workers of earlier groups */
    Selector selector;   /* the machine's workers */
    uint32_t capacity;   /* how many of its workers compute at the same time */
} MachineClass;

#define COST_CLASSES_LIMIT 256

/* Finds the classes. A group is cut where the model's loops over processors begin and end, and
 * around each processor that the model names. Between two cuts, the same parts of the model load
 * all machines. The first class is the master. */
bool classes_find(Walk *walk, const PamelaNode *root, const MachineClass **classes, size_t *n_classes, Err *err);
