/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of phase times (docs/FORMATS.md). What older files don't have is optional. */
#include "model/times.h"

#include "model/application.h"

/* Of a MeasuredPhase, or of a MeasuredStratum. */
#define PROCESS_FIELDS(Struct)                                                                                         \
    FIELD_EACH_INNER(Struct, processes, ProcessTime, count, "process_occurrences",                                     \
                     "per process: occurrences in which it has an event"),                                             \
        FIELD_EACH_INNER(Struct, processes, ProcessTime, total_s, "process_total_s", "per process: their time")

static const FieldList stratum_fields = FIELDS(
    MeasuredStratum, FIELD(MeasuredStratum, occurrences, "measured ones"),
    FIELD(MeasuredStratum, slowest_mean_s, "mean of the slowest process's durations"), PROCESS_FIELDS(MeasuredStratum));

static const FieldList phase_fields = FIELDS(
    MeasuredPhase, FIELD(MeasuredPhase, id, "as in the signature"), FIELD(MeasuredPhase, occurrences, "measured ones"),
    FIELD(MeasuredPhase, slowest_mean_s, "mean of the slowest process's durations: the thesis's PhaseET"),
    FIELD(MeasuredPhase, sd_s,
          "standard deviation over occurrences; where several saved states hold the phase, of their means"),
    FIELD(MeasuredPhase, reference_s, "mean duration of the same occurrences in the traced run; 0: not known"),
    PROCESS_FIELDS(MeasuredPhase),
    FIELD_LIST(MeasuredPhase, strata, n_strata, "strata", "none, or as many as the signature's phase has",
               .flags = FIELD_OPTIONAL, .of = &stratum_fields, .limit = STRATA_LIMIT));

static const FieldList window_fields =
    FIELDS(Window, FIELD(Window, from_occurrence, "the first occurrence of the sequence in it"),
           FIELD(Window, to_occurrence, "the first one behind it"),
           FIELD(Window, elapsed_s, "how long it took, mean over processes"),
           FIELD(Window, reference_s, "how long the same took in the traced run"),
           FIELD(Window, state,
                 "number of the saved state; windows of one number follow each other, or repeat each other; "
                 "absent in older files: 0",
                 .flags = FIELD_OPTIONAL));

static const FieldList costs_fields =
    FIELDS(StateCosts, FIELD(StateCosts, restart_s, "until the processes ran"),
           FIELD(StateCosts, warmup_s, "from then to the windows"), FIELD(StateCosts, window_s, "of the windows"));

static const FieldList times_fields = FIELDS(
    PhaseTimes, FIELD(PhaseTimes, mode, "`prefix`; `checkpoint`: from several saved states, nothing in between"),
    FIELD(PhaseTimes, application, "what was measured", .of = &application_fields),
    FIELD(PhaseTimes, accepted_difference,
          "how it differs from the signature's application, if the user accepted that"),
    FIELD(PhaseTimes, command, "how it was started"), FIELD(PhaseTimes, host, "where rank 0 ran"),
    FIELD(PhaseTimes, signature_s, "from the start of the launcher to its end; from saved states the sum of `costs`"),
    FIELD(PhaseTimes, agreement, "share of the occurrences that the signature has too"),
    FIELD(PhaseTimes, event_agreement, "share of the events that the signature has too, in whatever phase"),
    FIELD(PhaseTimes, warmup_occurrences, "run but not counted"),
    FIELD(PhaseTimes, prefix_occurrences, "all that ran from the start on; saved states: 0"),
    FIELD_EACH(
        PhaseTimes, prefix_s, "prefix_s",
        "per process: MPI_Init to the end of the prefix; saved states: to the first send-like event, as traced, scaled"),
    FIELD_EACH(PhaseTimes, startup_s, "startup_s",
               "per process: MPI_Init to the first send-like event; saved states: as traced, scaled"),
    FIELD_LIST(PhaseTimes, windows, n_windows, "windows", "stretches that were measured", .of = &window_fields),
    FIELD_LIST(PhaseTimes, phases, n_phases, "phases", "those that were measured", .of = &phase_fields),
    FIELD(PhaseTimes, costs, "of all saved states together; 0 in mode `prefix`, absent in older files",
          .flags = FIELD_OPTIONAL, .of = &costs_fields));

double times_speed(const PhaseTimes *times)
{
    double elapsed_s = 0, reference_s = 0;
    for (uint32_t i = 0; i < times->n_windows; i++) {
        elapsed_s += times->windows[i].elapsed_s;
        reference_s += times->windows[i].reference_s;
    }
    return reference_s > 0 ? elapsed_s / reference_s : 1;
}

const Document times_document = {"firma phase times", TIMES_VERSION, &times_fields,
                                 .n_each_offset = offsetof(PhaseTimes, application.n_processes)};
