/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of a page as SVG files of their own, for the verbs whose results they show. Each is NULL if the document has
 * nothing to draw. */
#pragma once

#include "base/arena.h"
#include <jansson.h>

/* Of what from_comm() makes. */
const char *messages_file(const json_t *communication, bool is_bandwidth, Arena *arena);
const char *collectives_file(const json_t *communication, Arena *arena);

/* Of what `firma scale runs` prints with --json. */
typedef enum ScalingPicture {
    SCALING_TIME,
    SCALING_SPEEDUP,
    SCALING_EFFICIENCY,
    SCALING_ISOEFFICIENCY,
    SCALING_PICTURES
} ScalingPicture;
const char *scaling_file(const json_t *scaling, ScalingPicture picture, Arena *arena);

/* Of what `firma scale counts` prints with --json. */
const char *counts_file(const json_t *counts, Arena *arena);

/* Of what `firma scale trace` prints with --json. */
const char *efficiencies_file(const json_t *document, Arena *arena);

/* Of what `firma cost predict` prints with --json. */
const char *costs_file(const json_t *cost, Arena *arena);

/* Of what `firma show` prints with --json: of an occurrence, and of --matrix. */
const char *occurrence_file(const json_t *occurrence, const char *heading, Arena *arena);
const char *matrix_file(const json_t *matrix, bool is_volume, const char *heading, Arena *arena);

/* Of a run: what each process does when, in which phases (NULL: not known), and the phases alone. note: NULL: none. */
const char *activity_file(const json_t *activity, const json_t *timeline, const char *heading, const char *note,
                          Arena *arena);
const char *timeline_file(const json_t *timeline, double length_s, const char *heading, Arena *arena);

/* Of the schedule of `firma map`. */
const char *schedule_file(const json_t *schedule, Arena *arena);

/* Of the "sweep" of `firma simulate --json`. */
const char *sweep_file(const json_t *sweep, const char *heading, Arena *arena);
