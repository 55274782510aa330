/* SPDX-License-Identifier: BSD-3-Clause */
/* The answer: how long, from what, and what would help. Each piece of advice follows from a number that it names. */
#include "verbs/report/page.h"

#include "report/format.h"
#include "report/svg.h"
#include <math.h>
#include <string.h>

/* Smaller shares of the time, and wider intervals, aren't worth a piece of advice. */
static const double WORTH_SAYING = 0.05, WIDE_INTERVAL = 0.2, WORTH_SAYING_SLOWDOWN = 1.05;

static const json_t *traced_efficiencies(const Page *page)
{
    const json_t *traces = json_object_get(json_object_get(page->documents, "efficiencies"), "traces");
    return json_array_size(traces) == 1 ? json_array_get(traces, 0) : NULL;
}

/* ---- the sentence ---- */

static const char *predicted_sentence(const Page *page)
{
    const json_t *prediction = json_object_get(page->documents, "prediction");
    const json_t *measurement = json_object_get(page->documents, "measurement");
    const json_t *interval = json_object_get(prediction, "interval_s");
    const char *host = data_text(measurement, "host", page->arena);
    Arena *arena = page->arena;
    return arena_printf(arena, "The program takes %s%s%s: between %s and %s with a probability of 95 %%.",
                        format_seconds(arena, data_real(prediction, "predicted_s")), *host ? " on " : "", host,
                        format_seconds(arena, json_number_value(json_array_get(interval, 0))),
                        format_seconds(arena, json_number_value(json_array_get(interval, 1))));
}

static const char *actual_sentence(const Page *page)
{
    const json_t *prediction = json_object_get(page->documents, "prediction");
    const json_t *interval = json_object_get(prediction, "interval_s");
    double actual_s = data_real(prediction, "actual_s"), predicted_s = data_real(prediction, "predicted_s");
    if (!(actual_s > 0))
        return "";
    bool is_inside = actual_s >= json_number_value(json_array_get(interval, 0)) &&
                     actual_s <= json_number_value(json_array_get(interval, 1));
    return arena_printf(page->arena, " A full run took %s: the prediction is %s too %s, and the interval %s it.",
                        format_seconds(page->arena, actual_s),
                        format_percent(page->arena, fabs(predicted_s / actual_s - 1)),
                        predicted_s < actual_s ? "low" : "high", is_inside ? "holds" : "doesn't hold");
}

static const char *simulated_sentence(const Page *page)
{
    const json_t *simulation = json_object_get(page->documents, "simulation");
    if (!simulation)
        return "";
    Arena *arena = page->arena;
    return arena_printf(arena, " On %s it would take %s (%s to %s). %s", data_text(simulation, "platform", arena),
                        format_seconds(arena, data_real(simulation, "predicted_s")),
                        format_seconds(arena, data_real(simulation, "low_s")),
                        format_seconds(arena, data_real(simulation, "high_s")), data_text(simulation, "answer", arena));
}

/* The phase with most computation, and its share of all processes' time. */
static const char *phase_text(const Page *page, double all_s)
{
    const json_t *phases = json_object_get(json_object_get(page->documents, "waits"), "phases"), *phase;
    const json_t *most = NULL;
    size_t i;
    json_array_foreach(phases, i, phase) if (!most || data_real(phase, "computation_s") >
                                                          data_real(most, "computation_s")) most = phase;
    if (!most || !(all_s > 0))
        return "";
    return arena_printf(page->arena, ", %s in phase %zu",
                        format_percent(page->arena, data_real(most, "computation_s") / all_s), data_count(most, "id"));
}

/* By how much the busiest process computes longer than the mean, as a share of the run. */
static double imbalance(const json_t *efficiency)
{
    return data_real(efficiency, "parallel") * (1 / data_real(efficiency, "load_balance") - 1);
}

static const char *efficiency_sentence(const Page *page)
{
    const json_t *trace = traced_efficiencies(page), *efficiency = json_object_get(trace, "efficiency");
    const json_t *all = json_object_get(trace, "all");
    double all_s = data_real(all, "time_s");
    Arena *arena = page->arena;
    if (!trace || !(all_s > 0))
        return "";
    return arena_printf(
        arena,
        " %s of the traced run is computation%s. A network that costs nothing would save at most %s. The "
        "busiest process computes longer than the mean, by %s of the run.",
        format_percent(arena, data_real(all, "compute_s") / all_s), phase_text(page, all_s),
        format_percent(arena, fmax(0, 1 - data_real(efficiency, "transfer"))),
        format_percent(arena, imbalance(efficiency)));
}

static const char *traced_sentence(const Page *page)
{
    const json_t *profile = json_object_get(page->documents, "profile");
    const char *time = format_seconds(page->arena, data_real(profile, "application_s"));
    return profile ? arena_printf(page->arena, "The traced run took %s.", time) : "";
}

static const char *mapping_sentence(const Page *page)
{
    const json_t *mapping = json_object_get(page->documents, "mapping");
    const json_t *best = json_array_get(json_object_get(mapping, "mappings"), 0);
    Arena *arena = page->arena;
    if (!best)
        return "";
    if (!json_is_true(json_object_get(mapping, "gain_expected")))
        return arena_printf(arena, " No mapping is expected to be faster than the default, %s.",
                            data_text(mapping, "default", arena));
    return arena_printf(arena, " The mapping %s is predicted to take %s, %s less than the default (%s to %s less).",
                        data_text(best, "mapper", arena), format_seconds(arena, data_real(best, "predicted_s")),
                        format_percent(arena, data_real(best, "gain")),
                        format_percent(arena, data_real(best, "gain_low")),
                        format_percent(arena, data_real(best, "gain_high")));
}

static const char *scaling_sentence(const Page *page)
{
    const json_t *scaling = json_object_get(page->documents, "scaling"), *sizes = json_object_get(scaling, "sizes");
    const json_t *size = json_array_get(sizes, json_array_size(sizes) - 1);
    double most = data_real(size, "most_processes");
    Arena *arena = page->arena;
    if (!size || !(most > 0))
        return "";
    return arena_printf(arena, " Up to %.0f processes, the efficiency stays at %s or more%s.", most,
                        format_percent(arena, data_real(scaling, "efficiency_limit")),
                        json_is_true(json_object_get(size, "most_is_extrapolated")) ? ", extrapolated" : "");
}

static const char *cost_sentence(const Page *page)
{
    const json_t *predictions = json_object_get(json_object_get(page->documents, "cost"), "predictions"), *prediction;
    const json_t *fastest = NULL;
    double least_s = INFINITY;
    Arena *arena = page->arena;
    size_t i;
    json_array_foreach(predictions, i, prediction)
    {
        double most_s = json_number_value(json_array_get(json_object_get(prediction, "time_s"), 1));
        if (most_s < least_s) {
            least_s = most_s;
            fastest = prediction;
        }
    }
    if (!fastest)
        return "";
    return arena_printf(arena, " By its source, the program takes %s to %s on %zu worker%s.",
                        format_seconds(arena, json_number_value(json_array_get(json_object_get(fastest, "time_s"), 0))),
                        format_seconds(arena, least_s), data_count(fastest, "workers"),
                        data_count(fastest, "workers") == 1 ? "" : "s");
}

/* ---- the bar ---- */

static void draw_bar(Page *page, const json_t *prediction)
{
    enum { LEFT = 150, RIGHT = SVG_WIDTH - 30, TOP = 4, LINE = 30, THICK = 18 };
    const json_t *interval = json_object_get(prediction, "interval_s");
    double predicted_s = data_real(prediction, "predicted_s"), actual_s = data_real(prediction, "actual_s");
    double low_s = json_number_value(json_array_get(interval, 0));
    double high_s = json_number_value(json_array_get(interval, 1));
    bool has_actual = actual_s > 0;
    double below = TOP + LINE * (has_actual ? 2 : 1);
    Arena *arena = page->arena;
    Text *text = &page->text;
    Axis axis = {.most = has_actual ? fmax(high_s, actual_s) : high_s,
                 .from = LEFT,
                 .to = RIGHT,
                 .format = format_seconds,
                 .title = "the line is the 95 % interval"};
    if (!(predicted_s > 0) || !(high_s > 0))
        return;
    axis_round(&axis);
    svg_begin(text, below + 42, "predicted time with its interval, and the actual time", arena);
    svg_axis_below(text, &axis, below, TOP, arena);
    svg_label(text, LEFT - 8, TOP + 17, "e", arena_printf(arena, "predicted %s", format_seconds(arena, predicted_s)),
              arena);
    svg_box(text, LEFT, TOP + 4, axis_at(&axis, predicted_s) - LEFT, THICK, "computation", NULL, arena);
    svg_line(text, axis_at(&axis, low_s), TOP + 13, axis_at(&axis, high_s), TOP + 13, "mark");
    if (has_actual) {
        svg_label(text, LEFT - 8, TOP + LINE + 17, "e",
                  arena_printf(arena, "actual %s", format_seconds(arena, actual_s)), arena);
        svg_box(text, LEFT, TOP + LINE + 4, axis_at(&axis, actual_s) - LEFT, THICK, "other", NULL, arena);
    }
    svg_end(text);
}

/* ---- advice ---- */

static void advise(Page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void advise(Page *page, const char *format, ...)
{
    Text sentence = {0};
    va_list arguments;
    va_start(arguments, format);
    text_add_list(&sentence, format, arguments);
    va_end(arguments);
    html_element(&page->text, "li", text_take(&sentence, page->arena), page->arena);
}

/* A kind of waiting that takes much of the time, with its longest cause. */
static void advise_on_wait(Page *page, const char *member, const char *kind, const char *sentence, double all_s)
{
    const json_t *waits = json_object_get(page->documents, "waits"), *cause, *longest = NULL;
    double share = data_sum(json_object_get(waits, "phases"), member) / all_s;
    size_t i;
    json_array_foreach(json_object_get(waits, "causes"), i,
                       cause) if (!longest && strcmp(data_text(cause, "kind", page->arena), kind) == 0) longest = cause;
    if (longest && share >= WORTH_SAYING)
        advise(page, "%s of the time, processes wait %s Most: process %zu for process %zu, %s in all.",
               format_percent(page->arena, share), sentence, data_count(longest, "process"),
               data_count(longest, "cause"), format_seconds(page->arena, data_real(longest, "time_s")));
}

static void advise_on_waits(Page *page, double all_s)
{
    advise_on_wait(page, "late_sender_s", "late sender",
                   "in receives for messages that aren't sent yet: send earlier, or compute before receiving.", all_s);
    advise_on_wait(page, "late_receiver_s", "late receiver",
                   "in sends until the receive is called: post receives earlier, or send without blocking.", all_s);
    advise_on_wait(page, "collective_s", "collective", "in collectives until the last member comes.", all_s);
}

static void advise_on_times(Page *page)
{
    const json_t *phases = json_object_get(json_object_get(page->documents, "waits"), "phases");
    double all_s = data_sum(phases, "duration_s");
    double transfer = data_sum(phases, "transfer_s") / all_s, other = data_sum(phases, "other_s") / all_s;
    if (!(all_s > 0))
        return;
    advise_on_waits(page, all_s);
    if (transfer >= WORTH_SAYING)
        advise(
            page,
            "%s of the time is transfer: larger and fewer messages, or a better mapping (firma map), may help; firma "
            "comm measures what messages cost here.",
            format_percent(page->arena, transfer));
    if (other >= WORTH_SAYING)
        advise(page,
               "%s of the time, processes had no processor or were in calls without messages: fewer processes than "
               "processors may help.",
               format_percent(page->arena, other));
}

static void advise_on_trace(Page *page)
{
    const json_t *efficiency = json_object_get(traced_efficiencies(page), "efficiency");
    double ranks = data_real(json_object_get(page->documents, "profile"), "ranks_per_processor");
    if (imbalance(efficiency) >= WORTH_SAYING)
        advise(page,
               "The computation is unevenly distributed: on average, a process computes %s of what the busiest one "
               "does.",
               format_percent(page->arena, data_real(efficiency, "load_balance")));
    /* Where processes take turns on a processor, waits tell little about the program. */
    if (ranks > 1)
        advise(page,
               "In the traced run, %.3g processes shared a processor: most waiting, and much of the transfer, may be "
               "for the processor. Trace with a processor for each process to see the program's own waits.",
               ranks);
    else
        advise_on_times(page);
}

static void advise_on_prediction(Page *page)
{
    const json_t *prediction = json_object_get(page->documents, "prediction");
    const json_t *measurement = json_object_get(page->documents, "measurement");
    const json_t *interval = json_object_get(prediction, "interval_s");
    double high = json_number_value(json_array_get(interval, 1)) / data_real(prediction, "predicted_s");
    if (data_real(prediction, "slowdown") > WORTH_SAYING_SLOWDOWN && measurement)
        advise(page,
               "Other programs kept %.1f of %zu processors busy during the measurement: measure on a quiet machine.",
               data_real(measurement, "busy_processors"), data_count(measurement, "processors"));
    else if (data_real(prediction, "slowdown") > WORTH_SAYING_SLOWDOWN)
        advise(page, "Other programs kept processors busy during the measurement: measure on a quiet machine.");
    if (data_real(prediction, "traced_slowdown") > WORTH_SAYING_SLOWDOWN)
        advise(page, "Other programs may have slowed the traced run down: trace again on a quiet machine.");
    if (high > 1 + WIDE_INTERVAL && data_count(prediction, "traced_runs") < 3)
        advise(
            page,
            "The interval reaches to %.3g times the prediction: more traced runs (firma study --repeat 5) may narrow "
            "it.",
            high);
}

void section_answer(Page *page, const json_t *documents)
{
    const json_t *prediction = json_object_get(documents, "prediction");
    const char *sentence = prediction
                               ? arena_printf(page->arena, "%s%s", predicted_sentence(page), actual_sentence(page))
                               : traced_sentence(page);
    const char *details = arena_printf(page->arena, "%s%s%s%s%s", efficiency_sentence(page), simulated_sentence(page),
                                       mapping_sentence(page), scaling_sentence(page), cost_sentence(page));
    if (*sentence)
        html_element(&page->text, "p class=lead", sentence, page->arena);
    if (prediction)
        draw_bar(page, prediction);
    if (*details)
        html_element(&page->text, "p", details, page->arena);
    text_add(&page->text, "<ul class=advice>\n");
    advise_on_trace(page);
    advise_on_prediction(page);
    text_add(&page->text, "</ul>\n");
}
