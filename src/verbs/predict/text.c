/* SPDX-License-Identifier: BSD-3-Clause */
/* See text.h. */
#include "verbs/predict/text.h"

#include "base/files.h"
#include "base/text.h"
#include "report/format.h"
#include "report/strata.h"
#include "report/table.h"
#include <math.h>
#include <string.h>

enum { PHASES_SHOWN = 12 };

/* A smaller slowdown isn't told from firma's own work. */
static const double WORTH_SAYING_SLOWDOWN = 1.05;

/* If the interval is wider than this share of the prediction, the text says how to narrow the
 * interval. */
static const double WIDE_INTERVAL = 0.5;

static bool is_of_states(const PhaseTimes *times)
{
    return strcmp(times->mode, "checkpoint") == 0;
}

/* Half of the interval's square is what runs differ by. */
static bool is_drift(const Prediction *prediction)
{
    double half_width = prediction->interval_s[1] / prediction->predicted_s - 1;
    return prediction->drift * prediction->drift > half_width * half_width / 2;
}

static const char *advice(const Prediction *prediction, const PhaseTimes *times)
{
    if (prediction->slowdown > WORTH_SAYING_SLOWDOWN)
        return "; measuring on a quiet machine narrows it";
    if (is_drift(prediction))
        return prediction->traced_runs == 1 ? "; --repeat of firma study narrows it" : "";
    if (prediction->interval_s[1] - prediction->interval_s[0] <= WIDE_INTERVAL * prediction->predicted_s)
        return "";
    if (fabs(prediction->stationarity) > WIDE_INTERVAL / 2 && !is_of_states(times))
        return "; the run's beginning is unlike its rest: saved states may tell more";
    return is_of_states(times) ? "; measuring with --repeat, or more windows, may narrow it"
                               : "; a larger --budget may narrow it";
}

static const char *headline(const Prediction *prediction, const PhaseTimes *times, Arena *arena)
{
    return arena_printf(
        arena,
        "%s, %u process%s, on %s\n"
        "  predicted run time   %s   (95 %% interval %s to %s%s)\n"
        "  signature            %s   (%s of the predicted time, %s included)\n"
        "%s%s",
        text_as_line(files_base_name(times->application.executable), arena), times->application.n_processes,
        times->application.n_processes == 1 ? "" : "es", text_as_line(times->host, arena),
        format_seconds(arena, prediction->predicted_s), format_seconds(arena, prediction->interval_s[0]),
        format_seconds(arena, prediction->interval_s[1]), advice(prediction, times),
        format_seconds(arena, prediction->signature_s),
        format_percent(arena, prediction->signature_s / prediction->predicted_s),
        is_of_states(times) ? "restarts" : "launch",
        prediction->is_whole_run
            ? ""
            : "  incomplete           the signature is of a part of the run, and so is this prediction\n",
        times_are_incomplete(times)
            ? arena_printf(arena,
                           "  incomplete           %u of %u planned states were measured; nothing shows the parts "
                           "of the run where the others lie\n",
                           times->measured_states, times->planned_states)
            : "");
}

static const char *comparison(const Prediction *prediction, double actual_s, Arena *arena)
{
    if (actual_s <= 0)
        return "";
    bool inside = actual_s >= prediction->interval_s[0] && actual_s <= prediction->interval_s[1];
    return arena_printf(arena, "  actual run time      %s   (error %.2f %%, predicted too %s; %s the interval)\n",
                        format_seconds(arena, actual_s), prediction_error_percent(prediction->predicted_s, actual_s),
                        prediction->predicted_s < actual_s ? "low" : "high", inside ? "inside" : "outside");
}

static void add_row(Table *table, const char *what, const char *one, double total_s, const char *source,
                    const Prediction *prediction, Arena *arena)
{
    table_cells(table, "%s|%s|%s|%s|%s%s|%.1f %%|%s", what, "", "", one, total_s < 0 ? "-" : "",
                format_seconds(arena, fabs(total_s)),
                prediction->predicted_s > 0 ? 100 * total_s / prediction->predicted_s : 0, source);
}

/* The strata that a phase's row consists of. */
static void add_strata(Table *table, const PhasePrediction *phase, const Prediction *prediction, Arena *arena)
{
    for (uint32_t i = 0; i < phase->n_strata; i++) {
        const StratumPrediction *stratum = &phase->strata[i];
        table_cells(
            table, "  of %u|%s|%s|%s|%s|%s|%s: %s", phase->id, format_count(arena, (uint64_t)llround(stratum->weight)),
            format_count(arena, (uint64_t)llround(stratum->rest)), format_seconds(arena, stratum->time_s),
            format_seconds(arena, stratum->total_s), format_percent(arena, stratum->total_s / prediction->predicted_s),
            stratum_places_text(phase->phase, i, arena), stratum->measured ? "measured" : "from the trace, scaled");
        table_row_style(table, TABLE_DIM);
    }
}

/* Its rows, except those with `of`, add up to the prediction. */
static const char *phase_table(const Prediction *prediction, const PhaseTimes *times, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, "phase|>weight|>to predict|>one occurrence|>together|>share|from");
    if (is_of_states(times))
        add_row(table, "startup", "", prediction->executed_s, "the trace, scaled", prediction, arena);
    else
        add_row(table, "executed", "", prediction->executed_s, "measured as it ran", prediction, arena);
    uint32_t shown = prediction->n_phases < PHASES_SHOWN ? prediction->n_phases : PHASES_SHOWN;
    for (uint32_t i = 0; i < shown; i++) {
        const PhasePrediction *phase = &prediction->phases[i];
        table_cells(table, "%u|%s|%s|%s|%s|%.1f %%|%s", phase->id, format_count(arena, phase->weight),
                    format_count(arena, (uint64_t)llround(phase->rest)), format_seconds(arena, phase->time_s),
                    format_seconds(arena, phase->total_s), 100 * phase->share,
                    phase->measured ? "measured" : "the trace, scaled");
        table_row_style(table, phase->measured ? TABLE_PLAIN : TABLE_DIM);
        add_strata(table, phase, prediction, arena);
    }
    double rest_s = 0;
    for (uint32_t i = shown; i < prediction->n_phases; i++)
        rest_s += prediction->phases[i].total_s;
    if (shown < prediction->n_phases)
        add_row(table, arena_printf(arena, "%u others", prediction->n_phases - shown), "", rest_s, "", prediction,
                arena);
    if (prediction->correction_s != 0)
        add_row(table, "correction", "", prediction->correction_s, "the trace, which isn't stationary", prediction,
                arena);
    if (prediction->drawn_s != 0)
        add_row(table, "same machine", "", prediction->drawn_s,
                "towards the traced run, as far as both differ by noise", prediction, arena);
    if (prediction->recording_s != 0)
        add_row(table, "recording", "", prediction->recording_s, "the recorder, which isn't there without firma",
                prediction, arena);
    add_row(table, "shutdown", "", prediction->shutdown_s, "the trace, scaled", prediction, arena);
    return table_text(table, color);
}

static const char *estimates(const Prediction *prediction, Arena *arena)
{
    const char *text = "";
    for (uint32_t i = 0; i < prediction->n_estimates; i++)
        text = arena_printf(arena, "%s%s%s %s", text, i ? ", " : "", prediction->estimates[i].estimator,
                            format_seconds(arena, prediction->estimates[i].predicted_s));
    return text;
}

/* Why the interval is wide, if the program's order is a reason. */
static const char *order_text(const Prediction *prediction, const PhaseTimes *times, Arena *arena)
{
    static const double WORTH_SAYING = 0.001;
    if (prediction->order_variation < WORTH_SAYING)
        return "";
    return arena_printf(arena,
                        "  order                %s of the phases came as in the traced run: %s%s; this widens the "
                        "interval by ± %s\n",
                        format_percent(arena, prediction->agreement),
                        times_have_other_volumes(times) ? "the volumes of its messages differ"
                                                        : "the program communicates in another order each time",
                        times->n_phases ? "" : ", so its pace alone predicts it",
                        format_percent(arena, 1.96 * prediction->order_variation));
}

/* What another number of steps repeats. */
static const char *steps_text(const Prediction *prediction, Arena *arena)
{
    if (prediction->steps == 1)
        return "";
    return arena_printf(
        arena,
        "  steps                %.4g × those of the traced run, whose main loop has %s iterations and %s of "
        "its time; the rest stays\n",
        prediction->steps, format_count(arena, prediction->loop_times), format_percent(arena, prediction->loop_share));
}

/* Why the prediction is rough, if the program hardly communicates. */
static const char *few_events_text(const Prediction *prediction, Arena *arena)
{
    if (prediction->events_per_s >= FEW_EVENTS_PER_S)
        return "";
    return arena_printf(arena,
                        "  few events           the program communicates %.2g times a second; its run can be divided "
                        "only there, so a short part of it says little\n",
                        prediction->events_per_s);
}

/* Why the interval reaches far down, if the machine was busy. */
static const char *busy_text(const Prediction *prediction, const PhaseTimes *times, Arena *arena)
{
    if (prediction->slowdown < WORTH_SAYING_SLOWDOWN)
        return "";
    return arena_printf(
        arena,
        "  busy machine         other programs kept %.1f processors busy during the measurement, of %u; the interval "
        "reaches down to what it may be without them, and up to what it may be with more\n",
        times->busy_processors, times->n_processors);
}

/* What else the interval is from, and what the traced run isn't good for. */
static const char *sources_text(const Prediction *prediction, const PhaseTimes *times, Arena *arena)
{
    const char *traced =
        prediction->traced_slowdown > WORTH_SAYING_SLOWDOWN
            ? arena_printf(arena,
                           "  busy when traced     other programs may have slowed the traced run down by %.2f ×, so it "
                           "counts no more than the measurement; trace again on a quiet machine\n",
                           prediction->traced_slowdown)
            : "";
    return arena_printf(arena, "%s%s", traced,
                        times->n_noises ? "  noise                of the target, from its machine model (--machine)\n"
                                        : "");
}

const char *prediction_headline(const Prediction *prediction, const PhaseTimes *times, double actual_s, Arena *arena)
{
    return arena_printf(arena, "%s%s", headline(prediction, times, arena), comparison(prediction, actual_s, arena));
}

const char *prediction_text(const Prediction *prediction, const PhaseTimes *times, double actual_s, bool color,
                            Arena *arena)
{
    return arena_printf(
        arena,
        "%s\n"
        "%s\n"
        "  coverage             %s of the traced run's time is in relevant phases; phases with %s of it were measured "
        "here\n"
        "  thesis's terms       PET %s: relevant phases alone, by their weights; SET %s: one occurrence of each\n"
        "  estimators           %s\n"
        "  pace                 the measured stretch took %.3f × what it took in the traced run (%s in all)\n"
        "  stationarity         the traced run's rest took %.1f %% %s than its measured stretch says\n"
        "%s%s%s%s%s",
        prediction_headline(prediction, times, actual_s, arena), phase_table(prediction, times, color, arena),
        format_percent(arena, prediction->coverage), format_percent(arena, prediction->measured_coverage),
        format_seconds(arena, prediction->pet_s), format_seconds(arena, prediction->set_s),
        estimates(prediction, arena), prediction->pace, format_seconds(arena, prediction->traced_s),
        100 * fabs(prediction->stationarity), prediction->stationarity < 0 ? "less" : "more",
        steps_text(prediction, arena), sources_text(prediction, times, arena), order_text(prediction, times, arena),
        few_events_text(prediction, arena), busy_text(prediction, times, arena));
}

/* ---- JSON ---- */

static const FieldList stratum_fields =
    FIELDS(StratumPrediction, FIELD(StratumPrediction, weight, "occurrences of this kind"),
           FIELD_AS(StratumPrediction, rest, "to_predict", "occurrences that weren't executed"),
           FIELD(StratumPrediction, time_s, "one occurrence"),
           FIELD(StratumPrediction, total_s, "those that are predicted, together"),
           FIELD(StratumPrediction, measured, "false: the time is from the trace, scaled"));

static const FieldList phase_fields =
    FIELDS(PhasePrediction, FIELD(PhasePrediction, id, "as in the signature"),
           FIELD_AS(PhasePrediction, n_ticks, "ticks", "its length"),
           FIELD(PhasePrediction, weight, "number of its occurrences"),
           FIELD_AS(PhasePrediction, rest, "to_predict", "occurrences that weren't executed"),
           FIELD(PhasePrediction, time_s, "one occurrence"),
           FIELD(PhasePrediction, total_s, "those that are predicted, together"),
           FIELD(PhasePrediction, share, "of the predicted time"),
           FIELD(PhasePrediction, measured, "false: the time is from the trace, scaled"),
           FIELD_LIST(PhasePrediction, strata, n_strata, "strata", "kinds of occurrences with different times",
                      .of = &stratum_fields));

static json_t *estimates_json(const FieldContext *context, const void *record)
{
    const Prediction *prediction = record;
    json_t *all = json_object();
    (void)context;
    for (uint32_t i = 0; i < prediction->n_estimates; i++)
        json_object_set_new(all, prediction->estimates[i].estimator, json_real(prediction->estimates[i].predicted_s));
    return all;
}

static const FieldList result_fields = FIELDS(
    Prediction,
    FIELD(Prediction, predicted_s,
          "`executed_s` + the phases' `total_s` + `correction_s` + `drawn_s` + `recording_s` + `shutdown_s`"),
    FIELD_FIXED(Prediction, interval_s, "interval_s", "[low, high]: 95 %"),
    FIELD(Prediction, estimator, "the method that predicted the rest"),
    FIELD_OWN("estimates_s", SHAPE_ONE, estimates_json, NULL, "what each estimator predicts, by its name",
              .noun = "object"),
    FIELD(Prediction, pet_s,
          "the thesis's, equation 4.1: relevant phases alone, at the slowest process's times, by their weights"),
    FIELD(Prediction, set_s, "the thesis's: one such occurrence of each relevant phase"),
    FIELD(Prediction, signature_s, "how long measuring took"),
    FIELD(Prediction, traced_s, "the traced run's time, with the recorder"),
    FIELD(Prediction, pace, "time of the measured stretch over its time in the traced run"),
    FIELD(Prediction, steps, "how many times as many as the traced run had (`--steps`)"),
    FIELD(Prediction, loop_times,
          "iterations of the traced run's main loop, which further steps repeat; 0: without them"),
    FIELD(Prediction, loop_share, "that loop's share of the traced run's time"),
    FIELD(Prediction, coverage, "share of the traced run's time in relevant phases"),
    FIELD(Prediction, measured_coverage, "share of it in phases that were measured"),
    FIELD(Prediction, stationarity,
          "the traced run's rest relative to an extrapolation of its measured stretch; 0: equal"),
    FIELD(Prediction, planned_states, "windows that should have a saved state; 0 without saved states"),
    FIELD(Prediction, measured_states, "saved states that were measured; if fewer, parts of the run weren't seen"),
    FIELD(Prediction, executed_s, "measured as it ran; with saved states: the start-up, scaled from the trace"),
    FIELD(Prediction, correction_s, "from the trace, which isn't stationary"),
    FIELD(Prediction, drawn_s, "towards the traced run, if it is of the same machine"),
    FIELD(Prediction, same_machine,
          "share of the difference between traced run and measurement that is more than noise; only this share counts. "
          "1 if they are of different machines"),
    FIELD(Prediction, recording_s,
          "what firma's recorder takes; negative, because the prediction is of the run without it"),
    FIELD(Prediction, shutdown_s, "from the trace, scaled"),
    FIELD_LIST(Prediction, phases, n_phases, "phases", "by time, longest first", .of = &phase_fields),
    FIELD(Prediction, agreement, "share of the measured phases that are as in the traced run"),
    FIELD(Prediction, events_per_s,
          "occurrences of phases a second in the traced run: only there can it be divided into stretches"),
    FIELD(Prediction, traced_slowdown, "the same of the traced run; above 1, it counts no more than the measurement"),
    FIELD(
        Prediction, slowdown,
        "factor by which other programs may have slowed the measurement down; the interval reaches as far below and above"),
    FIELD(Prediction, drift,
          "half width, relative, by which one run differs from another by drift: beyond the noise in a run"),
    FIELD(Prediction, traced_runs, "number of traced runs that `drift` is from; 0: from none on this machine"),
    FIELD(Prediction, order_variation, "relative standard deviation that the program's order adds to the interval"));

typedef struct PredictionDocument {
    const Prediction *prediction;
    double actual_s, error_percent; /* NAN: the actual run time isn't known */
} PredictionDocument;

const FieldList prediction_fields =
    FIELDS(PredictionDocument, FIELD_INLINE_POINTED(PredictionDocument, prediction, result_fields),
           FIELD(PredictionDocument, actual_s, "the actual run time, if it is known", .flags = FIELD_ABSENT),
           FIELD(PredictionDocument, error_percent,
                 "relative difference of `predicted_s` and `actual_s`: the thesis's PETE", .flags = FIELD_ABSENT));

json_t *prediction_json(const Prediction *prediction, double actual_s)
{
    PredictionDocument document = {prediction, NAN, NAN};
    if (actual_s > 0) {
        document.actual_s = actual_s;
        document.error_percent = prediction_error_percent(prediction->predicted_s, actual_s);
    }
    return fields_to_json(&prediction_fields, &document, 0);
}
