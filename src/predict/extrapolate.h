/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to predict/: what all estimators start from. */
#ifndef FIRMA_PREDICT_EXTRAPOLATE_H
#define FIRMA_PREDICT_EXTRAPOLATE_H

#include "model/signature.h"
#include "model/times.h"

/* A phase as it was measured and as the traced run shows it going on behind the measured stretch. */
typedef struct PhaseOutlook {
    const Phase *phase;
    const MeasuredPhase *measured; /* NULL: not in the measured stretch */
    double rest;        /* occurrences behind the prefix that was run */
    double correction;  /* of the measured duration for the rest of the run */
} PhaseOutlook;

typedef struct Outlook {
    const Signature *signature;
    const PhaseTimes *times;
    PhaseOutlook *phases; /* [signature->n_phases] */
    double speed;
    double stationarity;  /* of the traced run, see predict.h */
    double drift;         /* relative standard deviation, over the traced run, of stretches as long as the measured one */
} Outlook;

bool outlook_make(const Signature *signature, const PhaseTimes *times, Arena *arena, Outlook *outlook, Err *err);

/* Duration of an occurrence in a process on the target: measured and corrected, or traced and scaled. */
double outlook_duration_s(const Outlook *outlook, uint32_t phase_index, uint32_t process);

/* Half width of the 95 % interval, relative to the part of the run that was not executed. */
double outlook_half_width(const Outlook *outlook);

#endif
