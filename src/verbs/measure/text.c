/* SPDX-License-Identifier: BSD-3-Clause */
/* See text.h. */
#include "verbs/measure/text.h"

#include "report/format.h"
#include "report/table.h"

const char *times_table(const Signature *signature, const PhaseTimes *times, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, ">phase|>weight|>measured|>slowest process|>± spread|>traced there");
    for (uint32_t i = 0; i < times->n_phases; i++) {
        const MeasuredPhase *phase = &times->phases[i];
        const Phase *known = &signature->phases[signature_find_phase(signature, phase->id)];
        if (!known->relevant)
            continue;
        table_cells(table, "%u|%s|%s|%s|%s|%s", phase->id, format_count(arena, known->weight),
                    format_count(arena, phase->occurrences), format_seconds(arena, phase->slowest_mean_s),
                    format_seconds(arena, phase->sd_s), format_seconds(arena, phase->reference_s));
    }
    return table_text(table, color);
}

/* ---- JSON ---- */

static const FieldList phase_fields = FIELDS(
    MeasuredPhase, FIELD(MeasuredPhase, id, "as in the signature"), FIELD(MeasuredPhase, occurrences, "measured ones"),
    FIELD(MeasuredPhase, slowest_mean_s, "mean of the slowest process's durations"),
    FIELD(MeasuredPhase, sd_s, "standard deviation over occurrences"));

static const FieldList phases_fields = FIELDS(
    PhaseTimes, FIELD_LIST(PhaseTimes, phases, n_phases, "phases", "those that were measured", .of = &phase_fields));

static const FieldList agreement_fields =
    FIELDS(PhaseTimes, FIELD(PhaseTimes, agreement, "share of the occurrences that the signature has too"),
           FIELD(PhaseTimes, event_agreement, "share of the events that the signature has too, in whatever phase"));

static const FieldList cost_fields =
    FIELDS(PhaseTimes, FIELD(PhaseTimes, signature_s, "how long measuring took, the launch included"));

static const FieldList prefix_fields =
    FIELDS(PhaseTimes, FIELD(PhaseTimes, warmup_occurrences, "run but not counted, in each run"),
           FIELD(PhaseTimes, prefix_occurrences, "all that ran, in each run"));

const FieldList measured_prefix_fields =
    FIELDS(MeasuredPrefix, FIELD_AS(MeasuredPrefix, output, "times", "the file of phase times"),
           FIELD(MeasuredPrefix, log, "the file of the program's output"),
           FIELD(MeasuredPrefix, recording, "the raw recording's directory, if it was kept", .flags = FIELD_ABSENT),
           FIELD(MeasuredPrefix, difference,
                 "how the program differs from the signature's application, if that was accepted; empty: it doesn't"),
           FIELD_INLINE_POINTED(MeasuredPrefix, times, cost_fields),
           FIELD_INLINE_POINTED(MeasuredPrefix, times, agreement_fields),
           FIELD_AS(MeasuredPrefix, n_runs, "runs", "how often the prefix was run"),
           FIELD(MeasuredPrefix, coverage, "share of the traced run's time in relevant phases that the prefix holds"),
           FIELD(MeasuredPrefix, planned_share, "share of the traced run that the prefix is"),
           FIELD(MeasuredPrefix, stationarity,
                 "the traced run's rest relative to an extrapolation of its planned stretch; 0: equal"),
           FIELD_INLINE_POINTED(MeasuredPrefix, times, prefix_fields),
           FIELD_INLINE_POINTED(MeasuredPrefix, times, phases_fields));

static const FieldList state_cost_fields =
    FIELDS(PhaseTimes, FIELD(PhaseTimes, mode, "`checkpoint`"),
           FIELD(PhaseTimes, signature_s, "`restart_s` + `warmup_s` + `window_s`"),
           FIELD_AS(PhaseTimes, costs.restart_s, "restart_s", "until the processes ran, of all restarts"),
           FIELD_AS(PhaseTimes, costs.warmup_s, "warmup_s", "from then to the windows"),
           FIELD_AS(PhaseTimes, costs.window_s, "window_s", "of the windows"), FIELD_INLINE_ALL(agreement_fields));

static const FieldList count_fields =
    FIELDS(PhaseTimes, FIELD(PhaseTimes, planned_states, "windows that should have a state"),
           FIELD(PhaseTimes, measured_states, "states that were measured at least once"));

const FieldList measured_states_fields =
    FIELDS(MeasuredStates, FIELD_AS(MeasuredStates, output, "times", "the file of phase times"),
           FIELD_INLINE_POINTED(MeasuredStates, times, state_cost_fields),
           FIELD_AS(MeasuredStates, is_complete, "complete", "whether each planned window has its state"),
           FIELD_INLINE_POINTED(MeasuredStates, times, count_fields),
           FIELD_AS(MeasuredStates, n_executed, "executed", "restarts that were measured"),
           FIELD_AS(MeasuredStates, n_failed, "failed", "restarts that failed"),
           FIELD(MeasuredStates, problem, "why the first of them failed; empty: none did"),
           FIELD_INLINE_POINTED(MeasuredStates, times, phases_fields));
