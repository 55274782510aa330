/* SPDX-License-Identifier: BSD-3-Clause */
/* Earlier predictions, which stand beside a new one: of another version of the application, with other values, or on
 * another machine model. */
#pragma once

#include "base/fields.h"
#include "model/interval.h"
#include <popt.h>

enum { BESIDE_LIMIT = 3 }; /* a picture has colours for as many */

typedef struct BesideChoice {
    const char *machines;
    uint64_t n_workers;
    Interval time_s;
} BesideChoice;

typedef struct BesidePrediction {
    const char *name; /* of the file, without its ending */
    const char *application;
    uint32_t n_choices;
    const BesideChoice *choices;
} BesidePrediction;

typedef struct Beside {
    uint32_t count;
    const BesidePrediction *items;
} Beside;

/* --beside FILE, at most BESIDE_LIMIT times */
extern const struct poptOption beside_option_table[];
bool beside_is_given(void);

/* Reads what `firma cost predict --json` printed. ERR_INPUT: with the place. */
bool beside_load(Arena *arena, Beside *beside, Err *err);

/* The time on the same machines; NULL: it isn't predicted there. */
const Interval *beside_time_s(const BesidePrediction *prediction, const char *machines, uint64_t n_workers);

extern const FieldList beside_fields; /* of a BesidePrediction */
