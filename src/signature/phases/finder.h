/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ways of finding phases have in common, and the table's entry that each of them is. */
#ifndef FIRMA_SIGNATURE_PHASES_FINDER_H
#define FIRMA_SIGNATURE_PHASES_FINDER_H

#include "signature/phases/durations.h"
#include "signature/phases/phases.h"

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

extern const PhaseMethod phase_method_scan;   /* "phase": scan.c */
extern const PhaseMethod phase_method_blocks; /* "block": blocks.c */

#endif
