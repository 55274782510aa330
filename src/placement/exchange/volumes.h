/* SPDX-License-Identifier: BSD-3-Clause */
/* Volumes between tasks, as a matrix gives them, and the graph that they make. Private to the
 * folder. */
#pragma once

#include "base/vec.h"
#include "model/ttig.h"

typedef struct Volume {
    uint32_t from, to;
    uint32_t line; /* of the file */
    double bytes;
} Volume;

typedef struct Volumes {
    const char *file;
    uint32_t n_tasks;
    const char *const *names; /* NULL: numbers */
    const double *seconds;    /* NULL: unknown, 0 */
    uint32_t n_own;           /* volumes of a task with itself, which are left out */
    VEC(Volume) list;
} Volumes;

/* Adds a volume, or counts it if it is of a task with itself. */
void volumes_add(Volumes *volumes, Volume volume);

/* Frees the list. ERR_INPUT: a pair has two volumes. Result in the arena. */
bool volumes_to_ttig(Volumes *volumes, Arena *arena, const Ttig **ttig, Err *err);

/* A number in as few digits as give it again. */
const char *volume_text(double bytes, Arena *arena);

bool volumes_read_csv(const char *path, Arena *arena, Volumes *volumes, Err *err);
bool volumes_csv_text(const Ttig *ttig, Arena *arena, const char **text, Err *err);
bool volumes_read_market(const char *path, Arena *arena, Volumes *volumes, Err *err);
const char *volumes_market_text(const Ttig *ttig, Arena *arena);

/* The units of a graph in Scotch's format, whose weights are whole numbers of 32 bits. */
typedef struct ScotchUnits {
    double bytes, seconds;
} ScotchUnits;

/* *has_weights: of vertices, of edges. */
bool volumes_read_scotch(const char *path, Arena *arena, Volumes *volumes, bool has_weights[2], Err *err);
bool volumes_scotch_text(const Ttig *ttig, Arena *arena, const char **text, ScotchUnits *units, Err *err);
