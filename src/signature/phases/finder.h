/* SPDX-License-Identifier: BSD-3-Clause */
/* What both ways of finding phases share: a table of methods, and the finder that each method
 * extends. */
#pragma once

#include "signature/phases/durations.h"
#include "signature/phases/phases.h"

typedef struct PhaseFinder PhaseFinder;

typedef struct PhaseMethod {
    const char *name;
    bool recognises; /* can recognise phases that are known beforehand */
    PhaseFinder *(*new)(const PhaseParameters *parameters, uint32_t n_processes, const Phase *known, uint32_t n_known);
    void (*free)(PhaseFinder *finder);
    /* Fills in the signature, see phase_finder_finish(). */
    bool (*finish)(PhaseFinder *finder, const OrderReport *report, Arena *arena, Signature *signature, Err *err);
} PhaseMethod;

/* The first member of each method's finder. The method sets `sink`, and initialises and frees
 * `durations`. */
struct PhaseFinder {
    TickSink sink;
    const PhaseMethod *method;
    Durations durations;
};

/* The similarity must exist. `known` (may be NULL): phases that are recognised before new ones are
 * made; they keep their ids. It must be NULL if the similarity doesn't recognise phases. */
PhaseFinder *phase_finder_new(const PhaseParameters *parameters, uint32_t n_processes, const Phase *known,
                              uint32_t n_known);
void phase_finder_free(PhaseFinder *finder);

/* The sink for the order stage's ticks. */
TickSink *phase_finder_sink(PhaseFinder *finder);

/* From here on, the finder keeps the start of each occurrence in each process. */
void phase_finder_keep_occurrences(PhaseFinder *finder);

/* The starts kept so far; after phase_finder_finish() all of them. Valid until the next tick. */
const OccurrenceStart *phase_finder_occurrences(const PhaseFinder *finder, size_t *count);

/* To be called after the last tick. Fills in everything of the signature except `application`. All
 * results in the arena. ERR_INPUT: the trace has no events, or too many phases. */
bool phase_finder_finish(PhaseFinder *finder, const OrderReport *report, Arena *arena, Signature *signature, Err *err);

extern const PhaseMethod phase_method_scan;   /* "phase": scan.c */
extern const PhaseMethod phase_method_blocks; /* "block": blocks.c */
