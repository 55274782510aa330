/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ways of finding phases have in common, and the table's entry that each of them is. */
#pragma once

#include "signature/phases/durations.h"
#include "signature/phases/phases.h"

typedef struct PhaseFinder PhaseFinder;

typedef struct PhaseMethod {
    const char *name;
    bool recognises; /* phases that are known beforehand */
    PhaseFinder *(*new)(const PhaseParameters *parameters, uint32_t n_processes, const Phase *known, uint32_t n_known);
    void (*free)(PhaseFinder *finder);
    /* Fills in the signature, see phase_finder_finish. */
    bool (*finish)(PhaseFinder *finder, const OrderReport *report, Arena *arena, Signature *signature, Err *err);
} PhaseMethod;

/* First member of what a method makes of it; the method sets `sink` and initialises and frees `durations`. */
struct PhaseFinder {
    TickSink sink;
    const PhaseMethod *method;
    Durations durations;
};

/* The similarity must exist. `known` (may be NULL): phases to recognise before new ones are made, keeping their ids;
 * there must be none if the similarity doesn't recognise phases. */
PhaseFinder *phase_finder_new(const PhaseParameters *parameters, uint32_t n_processes, const Phase *known,
                              uint32_t n_known);
void phase_finder_free(PhaseFinder *finder);

/* Where the order stage hands its ticks. */
TickSink *phase_finder_sink(PhaseFinder *finder);

/* From here on: keep the start of each occurrence in each process. */
void phase_finder_keep_occurrences(PhaseFinder *finder);

/* Those kept so far; all of them after finish. Valid until the next tick. */
const OccurrenceStart *phase_finder_occurrences(const PhaseFinder *finder, size_t *count);

/* Ends the search after the last tick, and fills in everything of the signature but `application`. All results in the
 * arena. */
bool phase_finder_finish(PhaseFinder *finder, const OrderReport *report, Arena *arena, Signature *signature, Err *err);

extern const PhaseMethod phase_method_scan;   /* "phase": scan.c */
extern const PhaseMethod phase_method_blocks; /* "block": blocks.c */
