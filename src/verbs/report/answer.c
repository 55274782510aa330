/* SPDX-License-Identifier: BSD-3-Clause */
/* The answer: how long, from what, and what would help. Each piece of advice follows from a number that it names. */
#include "verbs/report/answer.h"
#include "verbs/report/page.h"

#include "report/format.h"
#include "report/svg.h"
#include <math.h>
#include <string.h>

/* Smaller shares of the time, and wider intervals, aren't worth a piece of advice. */
static const double WORTH_SAYING = 0.05, WIDE_INTERVAL = 0.2, WORTH_SAYING_SLOWDOWN = 1.05;

/* ---- the bar ---- */

static void draw_bar(Page *page, const json_t *prediction)
{
    enum { LEFT = 150, RIGHT = SVG_WIDTH - 30, TOP = 4, LINE = 30, THICK = 18 };
    double predicted_s = data_real(prediction, "predicted_s"), actual_s = data_real(prediction, "actual_s");
    double low_s = data_end(prediction, "interval_s", 0), high_s = data_end(prediction, "interval_s", 1);
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
    json_array_foreach(json_object_get(waits, "causes"), i, cause)
        if (!longest && strcmp(data_text(cause, "kind", page->arena), kind) == 0)
            longest = cause;
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
    const json_t *efficiency = json_object_get(answer_efficiencies(page->documents), "efficiency");
    double ranks = data_real(json_object_get(page->documents, "profile"), "ranks_per_processor");
    if (answer_imbalance(efficiency) >= WORTH_SAYING)
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
    double high = data_end(prediction, "interval_s", 1) / data_real(prediction, "predicted_s");
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
    const char *lead = answer_lead(documents, page->arena), *details = answer_details(documents, page->arena);
    if (*lead)
        html_element(&page->text, "p class=lead", lead, page->arena);
    if (prediction)
        draw_bar(page, prediction);
    if (*details)
        html_element(&page->text, *lead ? "p" : "p class=lead", details, page->arena);
    text_add(&page->text, "<ul class=advice>\n");
    advise_on_trace(page);
    advise_on_prediction(page);
    text_add(&page->text, "</ul>\n");
}
