/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to predict/: what all estimators start from. */
#pragma once

#include "model/signature.h"
#include "model/times.h"
#include "signature/predict/stretches.h"

/* A phase as it was measured and as the traced run shows it going on behind the measured stretch. */
typedef struct PhaseOutlook {
    const Phase *phase;
    const MeasuredPhase *measured; /* NULL: not in the measured stretch */
    double rest;                   /* occurrences behind the prefix that was run */
    uint32_t n_strata;             /* 1: the occurrences are of one kind, or were not told apart */
    double stratum_weight[STRATA_LIMIT], stratum_rest[STRATA_LIMIT];
} PhaseOutlook;

typedef struct Outlook {
    const Signature *signature;
    const PhaseTimes *times;
    PhaseOutlook *phases; /* [signature->n_phases] */
    Stretches measured;
    double speed;        /* target's time over the traced run's, on the measured stretch */
    double stationarity; /* of the traced run, see predict.h */
    double correction_s; /* what the rest of the run takes beyond the measured durations, on the target */
    double drift;        /* relative standard deviation of as many stretches as were measured, as long as these, along
                            the traced run */
} Outlook;

bool outlook_make(const Signature *signature, const PhaseTimes *times, Arena *arena, Outlook *outlook, Err *err);

/* Was the stratum (0: the only one) among what was measured? */
bool outlook_is_measured(const Outlook *outlook, uint32_t phase_index, uint32_t stratum);

/* Duration of an occurrence of a stratum in a process on the target: measured, or another stratum's, scaled by what the
 * trace says of the two (the fewer were measured, the nearer to the stratum's own traced duration, scaled by the
 * speed); if none was measured, traced and scaled by the speed. */
double outlook_duration_s(const Outlook *outlook, uint32_t phase_index, uint32_t stratum, uint32_t process);

/* The same of the slowest process (the thesis's PhaseET). */
double outlook_slowest_s(const Outlook *outlook, uint32_t phase_index, uint32_t stratum);

/* Half width of the 95 % interval, relative to the part of the run that was not executed. */
double outlook_half_width(const Outlook *outlook);
