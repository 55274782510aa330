/* SPDX-License-Identifier: BSD-3-Clause */
/* firma phases --like: a trace's phases beside those of a signature of another problem size. Text and JSON
 * (docs/FORMATS.md). */
#pragma once

#include "base/fields.h"
#include "model/signature.h"

/* A phase of the trace and its partner in the signature: the same events, whatever their volumes. One of both may be
 * missing: its id and weight are 0, and its duration and share NAN. */
typedef struct LikePhase {
    uint32_t id, other_id;
    uint64_t weight, other_weight;
    double duration_s, other_duration_s; /* mean over occurrences and processes */
    double share, other_share;           /* of the application's time */
    double volume_factor;                /* how many times as many bytes an occurrence sends as there; NAN: not known */
} LikePhase;

typedef struct PhasesLike {
    const char *other; /* the signature, as it was named */
    double application_s, other_application_s;
    uint32_t n_phases;
    const LikePhase *phases; /* those of the trace, then those that only the signature has */
    double matched;          /* share of the application's time in phases with a partner */
} PhasesLike;

/* ERR_INPUT: the signature has another number of processes. */
bool like_find(const Signature *signature, const Signature *other, const char *path, Arena *arena, PhasesLike *like,
               Err *err);

const char *like_text(const PhasesLike *like, bool all, bool color, Arena *arena);
extern const FieldList like_fields;
json_t *like_json(const PhasesLike *like);
