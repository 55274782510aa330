/* SPDX-License-Identifier: BSD-3-Clause */
/* What changed between two studies of a program: times, efficiencies, calls. */
#include "verbs/report/answer.h"
#include "verbs/report/bars.h"
#include "verbs/report/page.h"

#include "base/files.h"
#include "base/json.h"
#include "report/format.h"
#include <math.h>
#include <string.h>

enum { CALLS_SHOWN = 12 };

/* Members of the documents "waits", phases' times of all processes together, in the order of page_activities. */
static const char *const activity_members[N_PAGE_ACTIVITIES] = {"computation_s", "transfer_s", "waiting_s", "other_s"};

json_t *change_before(const json_t *documents, const char *path)
{
    static const char *const kept[] = {"application", "measurement", "prediction", "profile", "efficiencies", "waits"};
    json_t *before = json_pack("{s:o}", "path", json_from_text(path));
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        json_t *document = json_object_get(documents, kept[i]);
        if (document)
            json_object_set_new(before, kept[i], json_copy(document));
    }
    json_object_del(json_object_get(before, "prediction"), "phases");
    json_object_del(json_object_get(before, "waits"), "causes");
    return before;
}

/* ---- the sentence ---- */

static const char *program_of(const json_t *documents, Arena *arena)
{
    return files_base_name(data_text(json_object_get(documents, "application"), "executable", arena));
}

static void add_sentence(Page *page, const json_t *before)
{
    const json_t *then = json_object_get(before, "prediction"), *now = json_object_get(page->documents, "prediction");
    double then_s = data_real(then, "predicted_s"), now_s = data_real(now, "predicted_s");
    bool overlap = data_end(then, "interval_s", 0) <= data_end(now, "interval_s", 1) &&
                   data_end(now, "interval_s", 0) <= data_end(then, "interval_s", 1);
    Arena *arena = page->arena;
    if (strcmp(program_of(before, arena), program_of(page->documents, arena)) != 0)
        html_element(&page->text, "p",
                     arena_printf(arena, "The studies are of different programs: %s before, %s now.",
                                  program_of(before, arena), program_of(page->documents, arena)),
                     arena);
    if (then_s > 0 && now_s > 0)
        html_element(
            &page->text, "p",
            arena_printf(arena, "The predicted time is %s, and was %s in %s: %s %s. %s", format_seconds(arena, now_s),
                         format_seconds(arena, then_s), data_text(before, "path", arena),
                         format_percent(arena, fabs(now_s / then_s - 1)), now_s < then_s ? "less" : "more",
                         overlap ? "The intervals overlap, so it may be chance." : "The intervals don't overlap."),
            arena);
}

/* ---- where the time goes ---- */

static double process_s(const json_t *documents, size_t activity)
{
    size_t n = data_count(json_object_get(documents, "application"), "processes");
    double sum_s = data_sum(json_object_get(json_object_get(documents, "waits"), "phases"), activity_members[activity]);
    return n ? sum_s / (double)n : NAN;
}

static Bar bar_of(const json_t *documents, const char *name, double *length_s, Arena *arena)
{
    Bar bar = {.name = name};
    *length_s = 0;
    for (size_t i = 0; i < N_PAGE_ACTIVITIES; i++) {
        bar.parts[i] = process_s(documents, i);
        *length_s += fmax(0, bar.parts[i]);
    }
    bar.value = format_seconds(arena, *length_s);
    return bar;
}

static void draw_times(Page *page, const json_t *before)
{
    double then_s, now_s;
    const Bar bars[] = {bar_of(before, "before", &then_s, page->arena),
                        bar_of(page->documents, "now", &now_s, page->arena)};
    draw_bars(page, "where the time goes, before and now", bars, 2, page_activities, N_PAGE_ACTIVITIES,
              fmax(then_s, now_s));
}

/* ---- the table ---- */

static void add_time(Table *table, const char *what, double then_s, double now_s, Arena *arena)
{
    if (then_s > 0 || now_s > 0)
        table_cells(table, "%s|%s|%s|%s", what, format_seconds(arena, then_s), format_seconds(arena, now_s),
                    then_s > 0 && now_s > 0 ? arena_printf(arena, "%+.1f %%", 100 * (now_s / then_s - 1)) : "");
}

static void add_efficiency(Table *table, const json_t *before, const json_t *documents, const char *member,
                           const char *name, Arena *arena)
{
    double then = data_real(json_object_get(answer_efficiencies(before), "efficiency"), member);
    double now = data_real(json_object_get(answer_efficiencies(documents), "efficiency"), member);
    if (isfinite(then) && isfinite(now))
        table_cells(table, "%s|%s|%s|%+.1f points", name, format_percent(arena, then), format_percent(arena, now),
                    100 * (now - then));
}

static void add_text(Table *table, const char *what, const json_t *before, const json_t *documents, const char *object,
                     const char *member, Arena *arena)
{
    const char *then = data_text(json_object_get(before, object), member, arena);
    const char *now = data_text(json_object_get(documents, object), member, arena);
    if (strcmp(then, now) != 0)
        table_cells(table, "%s|%s|%s|", what, then, now);
}

static double call_s(const json_t *documents, const char *name, Arena *arena)
{
    const json_t *call;
    size_t i;
    json_array_foreach(json_object_get(json_object_get(documents, "profile"), "calls"), i, call)
        if (strcmp(data_text(call, "call", arena), name) == 0)
            return data_real(call, "time_s");
    return 0;
}

/* Calls of either study, those of this one first. */
static void add_calls(Table *table, const json_t *before, const json_t *documents, Arena *arena)
{
    const json_t *both[] = {documents, before}, *call;
    size_t i;
    for (int k = 0; k < 2; k++)
        json_array_foreach(json_object_get(json_object_get(both[k], "profile"), "calls"), i, call) {
            const char *name = data_text(call, "call", arena);
            double then_s = call_s(before, name, arena), now_s = call_s(documents, name, arena);
            if (i < CALLS_SHOWN && (k == 0 || now_s == 0))
                add_time(table, arena_printf(arena, "in %s, all processes", name), then_s, now_s, arena);
        }
}

void section_change(Page *page, const json_t *before)
{
    static const struct {
        const char *member, *name;
    } efficiencies[] = {{"parallel", "parallel efficiency"},
                        {"load_balance", "load balance"},
                        {"serialisation", "serialisation"},
                        {"transfer", "transfer"}};
    Arena *arena = page->arena;
    const json_t *documents = page->documents;
    const json_t *then = json_object_get(before, "prediction"), *now = json_object_get(documents, "prediction");
    Table *table = table_new(arena);
    add_sentence(page, before);
    draw_times(page, before);
    table_columns(table, "what|>before|>now|>change");
    add_time(table, "predicted", data_real(then, "predicted_s"), data_real(now, "predicted_s"), arena);
    add_time(table, "actual", data_real(then, "actual_s"), data_real(now, "actual_s"), arena);
    add_time(table, "traced run", data_real(json_object_get(before, "profile"), "application_s"),
             data_real(json_object_get(documents, "profile"), "application_s"), arena);
    for (size_t i = 0; i < N_PAGE_ACTIVITIES; i++)
        add_time(table, arena_printf(arena, "%s, of a process", page_activities[i]), process_s(before, i),
                 process_s(documents, i), arena);
    for (size_t i = 0; i < sizeof efficiencies / sizeof *efficiencies; i++)
        add_efficiency(table, before, documents, efficiencies[i].member, efficiencies[i].name, arena);
    add_calls(table, before, documents, arena);
    add_text(table, "build", before, documents, "application", "build_id", arena);
    add_text(table, "MPI", before, documents, "application", "mpi_library", arena);
    add_text(table, "measured on", before, documents, "measurement", "host", arena);
    html_table(&page->text, table);
}
