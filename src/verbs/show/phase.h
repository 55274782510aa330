/* SPDX-License-Identifier: BSD-3-Clause */
/* One phase: its events, tick by tick; its startpoint and endpoint; how often it occurs, and how
 * long it takes in each process. And the pictures of a signature. As text, JSON (docs/FORMATS.md)
 * and picture. */
#pragma once

#include "base/fields.h"
#include "model/signature.h"

typedef struct PhaseView {
    bool all; /* every process's times */
    bool color;
    size_t columns; /* of the terminal */
} PhaseView;

const char *phase_text(const Signature *signature, const Phase *phase, const PhaseView *view, Arena *arena);
extern const FieldList phase_view_fields;
json_t *phase_json(const Signature *signature, const Phase *phase);

/* Files of SVG: a phase's events and its duration in each process; the shares of phases in the time along the run.
 * ERR_USAGE if a picture would be too large. */
bool phase_picture(const Signature *signature, const Phase *phase, Arena *arena, const char **picture, Err *err);
const char *phases_picture(const Signature *signature, Arena *arena);
