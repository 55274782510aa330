/* SPDX-License-Identifier: BSD-3-Clause */
/* A stretch of one process's events as text, JSON (docs/FORMATS.md) and picture. */
#pragma once

#include "base/fields.h"
#include "signature/profile/event_places.h"

/* places: [events->count] */
const char *events_text(const ProcessEvents *events, const EventPlace *places, const Trace *trace, bool color,
                        Arena *arena);
extern const FieldList events_fields;
json_t *events_json(const ProcessEvents *events, const EventPlace *places, const Trace *trace, Arena *arena);

/* A file of SVG: calls over time, by kind; name: of the application. */
const char *events_picture(const ProcessEvents *events, const char *name, Arena *arena);
