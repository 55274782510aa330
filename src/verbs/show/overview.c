/* SPDX-License-Identifier: BSD-3-Clause */
/* See overview.h. A process's time is computation, calls with events, and the rest: calls without events (waiting for
 * sends, polls that found nothing), and time in which another program had the processor. */
#include "verbs/show/overview.h"

#include "base/files.h"
#include "base/json.h"
#include "report/format.h"
#include "report/plot.h"
#include "report/table.h"
#include "verbs/plots.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_PROCESSES = 24, SHOWN_EXTREMES = 5, SHOWN_COMMS = 8 };

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* ---- head ---- */

/* MPI_Get_library_version tells more than a line holds: "Open MPI v4.1.4, package: …, ident: …". */
static const char *library_text(const Application *application, Arena *arena)
{
    const char *name = application->mpi_library;
    return *name ? arena_printf(arena, ", %.*s", (int)strcspn(name, ",\n"), name) : "";
}

static const char *head(const Profile *profile, const Trace *trace, Arena *arena)
{
    const Application *application = &trace->application;
    uint32_t unfinished = profile_count_unfinished(profile);
    TimeSpent all = profile_time_spent(profile);
    const char *name = files_base_name(application->executable);
    const char *end = unfinished ? arena_printf(arena, "%u never reached MPI_Finalize", unfinished) : "all finished";
    return arena_printf(
        arena,
        "%-13s %s%s%s%s\n%-13s %s in the slowest process, from MPI_Init to MPI_Finalize\n%-13s %u, %s\n"
        "%-13s %s of the time; on average a process computes %s of what the busiest does\n"
        "%-13s %s of the time, in %s calls; %s messages\n%-13s %s of the time: waiting for sends, polls, "
        "others on the processor\n",
        "application", *name ? name : "unknown", application->n_arguments ? " " : "",
        arena_join(arena, application->arguments, application->n_arguments), library_text(application, arena), "time",
        format_seconds(arena, profile_slowest_s(profile)), "processes", profile->n_processes, end, "computation",
        format_percent(arena, share(all.compute_s, all.whole_s)), format_percent(arena, profile_balance(profile)),
        "communication", format_percent(arena, share(all.mpi_s, all.whole_s)),
        format_count(arena, profile->all.n_calls), format_count(arena, profile->n_messages), "other",
        format_percent(arena, share(all.rest_s, all.whole_s)));
}

/* ---- calls ---- */

static int by_time(const void *left, const void *right, void *calls)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int64_t of_a = ((const CallProfile *)calls)[a].time_ns, of_b = ((const CallProfile *)calls)[b].time_ns;
    if (of_a != of_b)
        return of_a > of_b ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* The kinds that occur, dearest first; their number. */
static uint32_t sort_kinds(const Profile *profile, uint32_t kinds[CALL_KIND_COUNT])
{
    uint32_t n = 0;
    for (uint32_t kind = 0; kind < CALL_KIND_COUNT; kind++)
        if (profile->calls[kind].n_calls)
            kinds[n++] = kind;
    qsort_r(kinds, n, sizeof *kinds, by_time, (void *)profile->calls);
    return n;
}

static void add_calls(Table *table, const CallProfile *calls, double whole_s, Arena *arena)
{
    double time_s = (double)calls->time_ns / 1e9;
    table_cells(table, "%s|%s|%s|%s|%s|%s|%s", format_count(arena, calls->n_calls), format_seconds(arena, time_s),
                format_percent(arena, share(time_s, whole_s)),
                format_seconds(arena, calls->n_calls ? time_s / (double)calls->n_calls : 0),
                format_seconds(arena, (double)calls->longest_ns / 1e9), format_bytes(arena, (double)calls->bytes_sent),
                format_bytes(arena, (double)calls->bytes_received));
}

static Table *call_columns(const char *first, Arena *arena)
{
    Table *table = table_new(arena);
    static const char *const names[] = {"calls", "time", "of all time", "mean", "longest", "sent", "received"};
    table_column(table, first, TABLE_LEFT);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        table_column(table, names[i], TABLE_RIGHT);
    return table;
}

static const char *call_table(const Profile *profile, bool color, Arena *arena)
{
    uint32_t kinds[CALL_KIND_COUNT], n = sort_kinds(profile, kinds);
    double whole_s = profile_time_spent(profile).whole_s;
    Table *table = call_columns("call", arena);
    for (uint32_t i = 0; i < n; i++) {
        table_cells(table, "%s", call_kind_name(kinds[i]));
        add_calls(table, &profile->calls[kinds[i]], whole_s, arena);
    }
    return n ? table_text(table, color) : "no calls that communicate\n";
}

/* Each communicator's calls together; the communicators that have any, dearest first, into *order; their number. */
static uint32_t sum_comms(const Profile *profile, const Trace *trace, CallProfile *sums, uint32_t *order)
{
    uint32_t n = 0;
    for (size_t i = 0; i < profile->n_comms; i++) {
        const CallProfile *calls = &profile->comms[i].calls;
        CallProfile *sum = &sums[profile->comms[i].comm];
        sum->n_calls += calls->n_calls;
        sum->time_ns += calls->time_ns;
        sum->longest_ns = calls->longest_ns > sum->longest_ns ? calls->longest_ns : sum->longest_ns;
        sum->bytes_sent += calls->bytes_sent;
        sum->bytes_received += calls->bytes_received;
    }
    for (uint32_t comm = 0; comm < trace->n_comms; comm++)
        if (sums[comm].n_calls)
            order[n++] = comm;
    qsort_r(order, n, sizeof *order, by_time, sums);
    return n;
}

static const char *comm_table(const Profile *profile, const Trace *trace, const OverviewView *view, Arena *arena)
{
    CallProfile *sums = arena_new_array(arena, CallProfile, trace->n_comms);
    uint32_t *order = arena_new_array(arena, uint32_t, trace->n_comms);
    uint32_t n = sum_comms(profile, trace, sums, order), shown = view->all || n < SHOWN_COMMS ? n : SHOWN_COMMS;
    double whole_s = profile_time_spent(profile).whole_s;
    if (n < 2)
        return "";
    Table *table = call_columns("communicator", arena);
    for (uint32_t i = 0; i < shown; i++) {
        const Comm *comm = &trace->comms[order[i]];
        const char *name = comm->name && *comm->name ? comm->name : arena_printf(arena, "%u", order[i]);
        table_cells(table, "%s, %u members", name, comm->n_members);
        add_calls(table, &sums[order[i]], whole_s, arena);
    }
    const char *others = shown < n ? arena_printf(arena, "%u other communicators (--all)\n", n - shown) : "";
    return arena_printf(arena, "\n%s%s", table_text(table, view->color), others);
}

/* ---- processes ---- */

static void add_process(Table *table, const char *name, const TimeSpent *spent, double sent, double received,
                        Arena *arena)
{
    table_cells(table, "%s|%s|%s|%s|%s|%s|%s|%s", name, format_seconds(arena, spent->whole_s),
                format_seconds(arena, spent->compute_s), format_percent(arena, share(spent->compute_s, spent->whole_s)),
                format_percent(arena, share(spent->mpi_s, spent->whole_s)),
                format_percent(arena, share(spent->rest_s, spent->whole_s)), format_bytes(arena, sent),
                format_bytes(arena, received));
}

static int by_computation(const void *left, const void *right)
{
    const ProcessProfile *a = *(const ProcessProfile *const *)left, *b = *(const ProcessProfile *const *)right;
    if (a->compute_ns != b->compute_ns)
        return a->compute_ns > b->compute_ns ? -1 : 1;
    return a < b ? -1 : a > b;
}

static const char *process_table(const Profile *profile, const OverviewView *view, Arena *arena)
{
    uint32_t n = profile->n_processes;
    const ProcessProfile **order = arena_new_array(arena, const ProcessProfile *, n);
    for (uint32_t i = 0; i < n; i++)
        order[i] = &profile->processes[i];
    bool whole = view->all || n <= SHOWN_PROCESSES;
    if (!whole)
        qsort(order, n, sizeof *order, by_computation);
    static const char *const names[] = {"time", "computation", "of its time", "MPI", "other", "sent", "received"};
    Table *table = table_new(arena);
    table_column(table, "process", TABLE_LEFT);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        table_column(table, names[i], TABLE_RIGHT);
    for (uint32_t i = 0; i < n; i++) {
        if (!whole && i == SHOWN_EXTREMES) {
            table_cells(table, "%s", "…");
            for (size_t j = 0; j < sizeof names / sizeof *names; j++)
                table_cells(table, "%s", "");
            i = n - SHOWN_EXTREMES;
        }
        TimeSpent spent = process_time_spent(order[i]);
        const char *name = arena_printf(arena, "%u%s", (uint32_t)(order[i] - profile->processes),
                                        order[i]->lifetime.finished ? "" : ", unfinished");
        add_process(table, name, &spent, (double)order[i]->calls.bytes_sent, (double)order[i]->calls.bytes_received,
                    arena);
    }
    TimeSpent mean = profile_time_spent(profile);
    mean = (TimeSpent){mean.whole_s / n, mean.compute_s / n, mean.mpi_s / n, mean.rest_s / n};
    add_process(table, "mean", &mean, (double)profile->all.bytes_sent / n, (double)profile->all.bytes_received / n,
                arena);
    const char *note = whole ? "" : arena_printf(arena, "most and least computation of %u processes (--all)\n", n);
    return arena_printf(arena, "%s%s", table_text(table, view->color), note);
}

const char *overview_text(const Profile *profile, const Trace *trace, const OverviewView *view, Arena *arena)
{
    return arena_printf(arena, "%s\n%s%s\n%s", head(profile, trace, arena), call_table(profile, view->color, arena),
                        comm_table(profile, trace, view, arena), process_table(profile, view, arena));
}

/* ---- JSON ---- */

static json_t *calls_json(const CallProfile *calls)
{
    return json_pack("{s:I, s:f, s:f, s:I, s:I}", "calls", (json_int_t)calls->n_calls, "time_s",
                     (double)calls->time_ns / 1e9, "longest_s", (double)calls->longest_ns / 1e9, "sent_bytes",
                     (json_int_t)calls->bytes_sent, "received_bytes", (json_int_t)calls->bytes_received);
}

static json_t *process_json(uint32_t number, const ProcessProfile *process)
{
    TimeSpent spent = process_time_spent(process);
    return json_pack("{s:I, s:b, s:f, s:f, s:f, s:f, s:I, s:I, s:I}", "process", (json_int_t)number, "finished",
                     process->lifetime.finished, "time_s", spent.whole_s, "compute_s", spent.compute_s, "mpi_s",
                     spent.mpi_s, "other_s", spent.rest_s, "calls", (json_int_t)process->calls.n_calls, "sent_bytes",
                     (json_int_t)process->calls.bytes_sent, "received_bytes",
                     (json_int_t)process->calls.bytes_received);
}

json_t *overview_json(const Profile *profile, const Trace *trace)
{
    const Application *application = &trace->application;
    json_t *processes = json_array(), *calls = json_array(), *comms = json_array(), *arguments = json_array();
    for (uint32_t i = 0; i < application->n_arguments; i++)
        json_array_append_new(arguments, json_from_text(application->arguments[i]));
    for (uint32_t i = 0; i < profile->n_processes; i++)
        json_array_append_new(processes, process_json(i, &profile->processes[i]));
    uint32_t kinds[CALL_KIND_COUNT], n = sort_kinds(profile, kinds);
    for (uint32_t i = 0; i < n; i++) {
        json_t *one = calls_json(&profile->calls[kinds[i]]);
        json_object_set_new(one, "call", json_string(call_kind_name(kinds[i])));
        json_array_append_new(calls, one);
    }
    for (size_t i = 0; i < profile->n_comms; i++) {
        const CommProfile *comm = &profile->comms[i];
        const char *name = trace->comms[comm->comm].name;
        json_t *one = calls_json(&comm->calls);
        json_object_set_new(one, "communicator", json_integer(comm->comm));
        json_object_set_new(one, "communicator_name", json_from_text(name ? name : ""));
        json_object_set_new(one, "members", json_integer(trace->comms[comm->comm].n_members));
        json_object_set_new(one, "call",
                            json_string(comm->kind < CALL_ONE_SIDED ? "messages" : call_kind_name(comm->kind)));
        json_array_append_new(comms, one);
    }
    return json_pack("{s:o, s:o, s:o, s:f, s:f, s:I, s:I, s:I, s:o, s:o, s:o}", "executable",
                     json_from_text(application->executable), "arguments", arguments, "mpi_library",
                     json_from_text(application->mpi_library), "application_s", profile_slowest_s(profile),
                     "computation_balance", profile_balance(profile), "processes", (json_int_t)profile->n_processes,
                     "processes_unfinished", (json_int_t)profile_count_unfinished(profile), "messages",
                     (json_int_t)profile->n_messages, "calls", calls, "communicators", comms, "per_process", processes);
}

/* ---- picture ---- */

const char *overview_picture(const Profile *profile, const char *name, Arena *arena)
{
    Text data = {0};
    text_add(&data, "name = %s\n$times << END\n", plot_quote(name, arena));
    for (uint32_t i = 0; i < profile->n_processes; i++) {
        TimeSpent spent = process_time_spent(&profile->processes[i]);
        text_add(&data, "%" PRIu32 " %.9g %.9g %.9g\n", i, spent.compute_s, spent.mpi_s, spent.rest_s);
    }
    text_add(&data, "END\n");
    return plot_script(&data, PLOT_SHOW_OVERVIEW, arena);
}
