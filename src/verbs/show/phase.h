/* SPDX-License-Identifier: BSD-3-Clause */
/* One phase: what it holds, tick by tick, where its startpoint and endpoint are, how often it comes and how long
 * it takes in each process. And the pictures of a signature. Text, JSON (docs/FORMATS.md) and picture. */
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

/* Scripts for plot_draw: a phase's content with its duration in each process; which phases took how much of the time
 * along the run. More than a picture can hold: ERR_USAGE. */
bool phase_picture(const Signature *signature, const Phase *phase, Arena *arena, const char **script, Err *err);
const char *timeline_picture(const Signature *signature, Arena *arena);
