/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of phase times (docs/FORMATS.md). Members that older files lack are optional. */
#include "model/times.h"

#include "model/application.h"
#include <math.h>
#include <string.h>

/* Fields of a MeasuredPhase and of a MeasuredStratum. */
#define PROCESS_FIELDS(Struct)                                                                                         \
    FIELD_EACH_INNER(Struct, processes, ProcessTime, count, "process_occurrences",                                     \
                     "per process: occurrences in which the process has an event"),                                    \
        FIELD_EACH_INNER(Struct, processes, ProcessTime, total_s, "process_total_s",                                   \
                         "per process: total time of these occurrences")

static const FieldList stratum_fields =
    FIELDS(MeasuredStratum, FIELD(MeasuredStratum, occurrences, "number of measured occurrences"),
           FIELD(MeasuredStratum, slowest_mean_s, "mean of the slowest process's durations"),
           FIELD(MeasuredStratum, sd_s, "standard deviation over occurrences; absent in older files: not known",
                 .flags = FIELD_OPTIONAL),
           PROCESS_FIELDS(MeasuredStratum));

static const FieldList phase_fields = FIELDS(
    MeasuredPhase, FIELD(MeasuredPhase, id, "id of the phase in the signature"),
    FIELD(MeasuredPhase, occurrences, "number of measured occurrences"),
    FIELD(MeasuredPhase, slowest_mean_s, "mean of the slowest process's durations: the thesis's PhaseET"),
    FIELD(MeasuredPhase, sd_s,
          "standard deviation over occurrences; if several saved states, or runs, hold the phase, over their means"),
    FIELD(MeasuredPhase, reference_s, "mean duration of the same occurrences in the traced run; 0: not known"),
    FIELD(MeasuredPhase, compute_s,
          "computation of an occurrence on a processor, outside of MPI, sum over processes; 0, or absent: none, or not "
          "known",
          .flags = FIELD_OPTIONAL),
    PROCESS_FIELDS(MeasuredPhase),
    FIELD_LIST(MeasuredPhase, strata, n_strata, "strata", "one for each stratum of the signature's phase, or none",
               .flags = FIELD_OPTIONAL, .of = &stratum_fields, .limit = STRATA_LIMIT));

static const FieldList window_fields = FIELDS(
    Window, FIELD(Window, from_occurrence, "the window's first occurrence in the sequence"),
    FIELD(Window, to_occurrence, "the first occurrence behind the window"),
    FIELD(Window, elapsed_s, "duration of the window, mean over processes"),
    FIELD(Window, reference_s, "duration of the same stretch in the traced run"),
    FIELD(Window, path_s, "of `elapsed_s`, computation and waiting for it; 0, or absent in older files: not known",
          .flags = FIELD_OPTIONAL),
    FIELD(Window, reference_path_s, "the same of `reference_s`", .flags = FIELD_OPTIONAL),
    FIELD(Window, compute_s,
          "of `elapsed_s`, computation on a processor, outside of MPI; 0, or absent in older files: not known",
          .flags = FIELD_OPTIONAL),
    FIELD(Window, state,
          "number of the saved state, or of the prefix's run; windows of one state follow each other, or are "
          "repetitions; absent in older files: 0",
          .flags = FIELD_OPTIONAL));

static const FieldList costs_fields =
    FIELDS(StateCosts, FIELD(StateCosts, restart_s, "time until the processes ran"),
           FIELD(StateCosts, warmup_s, "time from then to the windows"),
           FIELD(StateCosts, traced_warmup_s, "the same stretches in the traced run; absent in older files: not known",
                 .flags = FIELD_OPTIONAL),
           FIELD(StateCosts, window_s, "time in the windows"));

static bool check_windows(const JsonPlace *place, const PhaseTimes *times, Err *err)
{
    for (uint32_t i = 0; i < times->n_windows; i++) {
        const JsonPlace at = json_place_at(place, "windows", i);
        if (times->windows[i].to_occurrence <= times->windows[i].from_occurrence)
            return json_refuse(&at, "to_occurrence", err, "must be larger than `from_occurrence`");
    }
    return true;
}

static bool check_times(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const PhaseTimes *times = record;
    (void)context;
    if (strcmp(times->mode, "prefix") != 0 && strcmp(times->mode, "checkpoint") != 0)
        return json_refuse(place, "mode", err, "expected `prefix` or `checkpoint`, found `%s`", times->mode);
    if (!(times->agreement >= 0 && times->agreement <= 1))
        return json_refuse(place, "agreement", err, "expected a share from 0 to 1");
    if (!(times->partner_agreement >= 0 && times->partner_agreement <= 1))
        return json_refuse(place, "partner_agreement", err, "expected a share from 0 to 1");
    if (!(times->event_agreement >= 0 && times->event_agreement <= 1))
        return json_refuse(place, "event_agreement", err, "expected a share from 0 to 1");
    if (times->n_places && times->n_places != times->application.n_processes)
        return json_refuse(place, "places", err, "expected one for each of %u processes",
                           times->application.n_processes);
    if (times->measured_states > times->planned_states)
        return json_refuse(place, "measured_states", err, "must not be larger than `planned_states`");
    return check_windows(place, times, err);
}

static const FieldList times_fields = FIELDS_CHECKED(
    PhaseTimes, check_times,
    FIELD(PhaseTimes, mode, "`prefix`; `checkpoint`: from saved states, without what lies between them"),
    FIELD(PhaseTimes, application, "the application that was measured", .of = &application_fields),
    FIELD(PhaseTimes, accepted_difference, "difference to the signature's application, if the user accepted one"),
    FIELD(PhaseTimes, command, "the launcher's command line"), FIELD(PhaseTimes, host, "host of rank 0"),
    FIELD_LIST(PhaseTimes, places, n_places, "places", "per process, where it ran; absent: not known",
               .flags = FIELD_OPTIONAL, .of = &process_place_fields, .limit = PROCESS_LIMIT),
    FIELD_AS(PhaseTimes, n_processors, "processors", "processors of firma's host; absent in older files: not known",
             .flags = FIELD_OPTIONAL),
    FIELD(PhaseTimes, busy_processors,
          "how many other programs kept busy before or during the measurement; more if some waited",
          .flags = FIELD_OPTIONAL | FIELD_NOT_NEGATIVE, .limit = PROCESS_LIMIT),
    FIELD(PhaseTimes, throttles, "how often a processor was too hot meanwhile, and slowed down",
          .flags = FIELD_OPTIONAL),
    FIELD(PhaseTimes, ranks_per_processor, "where most ranks share a processor; 0, or absent: not known",
          .flags = FIELD_OPTIONAL | FIELD_NOT_NEGATIVE, .limit = PROCESS_LIMIT),
    FIELD(PhaseTimes, recording_cost_s,
          "what recording one call cost, in the mean; 0, or absent: not known, or nothing", .flags = FIELD_OPTIONAL),
    FIELD(PhaseTimes, signature_s,
          "from the launcher's start to its end, of all runs; with saved states, the sum of `costs`"),
    FIELD(PhaseTimes, agreement, "share of the measured occurrences whose phase is the signature's at that place"),
    FIELD(PhaseTimes, event_agreement, "share of the executed events that are also the signature's, in any phase"),
    FIELD(PhaseTimes, partner_agreement, "the same, whatever their volumes; 0: not known", .flags = FIELD_OPTIONAL),
    FIELD(PhaseTimes, warmup_occurrences, "occurrences that were executed but not counted"),
    FIELD(PhaseTimes, prefix_occurrences,
          "occurrences that were executed, from the start on; of several runs, the mean; with saved states 0"),
    FIELD_EACH(PhaseTimes, prefix_s, "prefix_s",
               "per process: MPI_Init to the end of the prefix; with saved states as `startup_s`"),
    FIELD_EACH(PhaseTimes, startup_s, "startup_s",
               "per process: MPI_Init to the first send-like event; with saved states the traced time × pace"),
    FIELD_LIST(PhaseTimes, windows, n_windows, "windows", "the measured stretches", .of = &window_fields),
    FIELD_LIST(PhaseTimes, phases, n_phases, "phases", "the measured phases", .of = &phase_fields),
    FIELD(PhaseTimes, costs, "sums over all saved states; 0 in mode `prefix`, absent in older files",
          .flags = FIELD_OPTIONAL, .of = &costs_fields),
    FIELD(PhaseTimes, planned_states,
          "number of windows that should have a saved state; 0 in mode `prefix`, absent in older files",
          .flags = FIELD_OPTIONAL),
    FIELD(PhaseTimes, measured_states, "number of saved states that were measured; absent in older files",
          .flags = FIELD_OPTIONAL),
    FIELD_LIST(PhaseTimes, noises, n_noises, "noise",
               "one entry if the target's noise was given (`--machine`), as a machine model has it; absent: not given",
               .flags = FIELD_ABSENT, .of = &machine_noise_fields, .limit = 1));

double slowdown_by_others(double n_processes, double busy_processors, double n_processors)
{
    return n_processors > 0 && busy_processors >= BUSY_PROCESSORS_NOTED
               ? fmax(1, (n_processes + busy_processors) / n_processors) / fmax(1, n_processes / n_processors)
               : 1;
}

double times_pace(const PhaseTimes *times)
{
    double elapsed_s = 0, reference_s = 0;
    for (uint32_t i = 0; i < times->n_windows; i++) {
        elapsed_s += times->windows[i].elapsed_s;
        reference_s += times->windows[i].reference_s;
    }
    return reference_s > 0 ? elapsed_s / reference_s : 1;
}

bool times_check_application(const PhaseTimes *times, const Application *application, Arena *arena, Err *err)
{
    const char *difference;
    bool is_other = application_compare(application, &times->application, arena, &difference) == APPLICATION_OTHER,
         is_accepted = strcmp(difference, times->accepted_difference) == 0 &&
                       application->n_processes == times->application.n_processes;
    return !is_other || is_accepted ||
           err_set(err, ERR_INPUT, "the phase times belong to another application: %s", difference) ||
           err_hint(err, "run firma measure with this signature");
}

bool times_are_incomplete(const PhaseTimes *times)
{
    return times->measured_states < times->planned_states;
}

bool times_have_other_volumes(const PhaseTimes *times)
{
    const double notable = 0.01;
    return times->partner_agreement > times->event_agreement + notable;
}

const Document times_document = {"firma phase times", TIMES_VERSION, &times_fields, .is_private = true,
                                 .n_each_offset = offsetof(PhaseTimes, application.n_processes)};
