/* SPDX-License-Identifier: BSD-3-Clause */
/* Mappings as text and as JSON (docs/FORMATS.md): all of them, best first, and why the
 * best one is better. */
#pragma once

#include "base/fields.h"
#include "placement/mapping/mapping.h"

/* The default is among them. */
const char *mapping_text(const MappingProblem *problem, const Mapping *mappings, uint32_t n, bool color, Arena *arena);
extern const FieldList mapping_fields; /* of what mapping_json makes */
json_t *mapping_json(const MappingProblem *problem, const Mapping *mappings, uint32_t n);

/* What each task does when, in both mappings, as rows of page_activities (verbs/report/page.h). With very many tasks, a
 * row is a node. */
json_t *mapping_schedule_json(const MappingProblem *problem, const Mapping *mapping, const Mapping *usual,
                              Arena *arena);
