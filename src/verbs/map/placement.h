/* SPDX-License-Identifier: BSD-3-Clause */
/* How launchers get a mapping; and what runs with the mapping brought, against the prediction. As
 * text and as JSON (docs/FORMATS.md). */
#pragma once

#include "base/fields.h"
#include "placement/launching/files.h"
#include "placement/mapping/mapping.h"
#include <stdint.h>

/* Runs of the default and of the mapping in turn: item i of both belong together. */
typedef struct PlacementRuns {
    uint32_t n;            /* of each, at least 1 */
    const double *usual_s; /* launcher's times, from its start to its end */
    const double *mapped_s;
    const Mapping *usual; /* the prediction for the default */
    const Mapping *mapped;
} PlacementRuns;

/* A command line for each launcher. */
const char *launch_files_describe(const LaunchFiles *files, Arena *arena);
extern const FieldList launch_way_fields; /* of each */
json_t *launch_files_json(const LaunchFiles *files);
extern const FieldList launch_order_fields;
json_t *launch_order_json(const LaunchFiles *files);

const char *placement_runs_text(const PlacementRuns *runs, bool color, Arena *arena);
extern const FieldList placement_runs_fields;
json_t *placement_runs_json(const PlacementRuns *runs);
