/* SPDX-License-Identifier: BSD-3-Clause */
/* See overview.h. A process's time is computation, calls with events, and the rest: calls without events (waiting for
 * sends, polls that found nothing), and time in which another program had the processor. */
#include "verbs/show/overview.h"

#include "base/files.h"
#include "base/text.h"
#include "report/format.h"
#include "report/table.h"
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
    const char *end =
        unfinished ? arena_printf(arena, "the records of %u end before MPI_Finalize", unfinished) : "all finished";
    return arena_printf(
        arena,
        "%-13s %s%s%s%s\n"
        "%-13s %s in the slowest process, from MPI_Init to MPI_Finalize\n"
        "%-13s %u, %s\n"
        "%-13s %s of the time; on average a process computes %s of what the busiest does\n"
        "%-13s %s of the time, in %s calls; %s messages\n"
        "%-13s %s of the time: waiting for sends, polls, other programs on the processor\n",
        "application", *name ? text_as_line(name, arena) : "unknown", application->n_arguments ? " " : "",
        text_as_line(arena_join(arena, application->arguments, application->n_arguments), arena),
        library_text(application, arena), "time", format_seconds(arena, profile_slowest_s(profile)), "processes",
        profile->n_processes, end, "computation", format_percent(arena, share(all.compute_s, all.whole_s)),
        format_percent(arena, profile_balance(profile)), "communication",
        format_percent(arena, share(all.mpi_s, all.whole_s)), format_count(arena, profile->all.n_calls),
        format_count(arena, profile->n_messages), "other", format_percent(arena, share(all.rest_s, all.whole_s)));
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

/* The kinds that occur, longest time first; returns their number. */
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
    table_column(table, first, TABLE_LEFT);
    table_columns(table, ">calls|>time|>of all time|>mean|>longest|>sent|>received");
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

/* Adds up each communicator's calls. *order: the communicators with calls, longest time first.
 * Returns their number. */
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
    Table *table = table_new(arena);
    table_columns(table, "process|>time|>computation|>of its time|>MPI|>other|>sent|>received");
    for (uint32_t i = 0; i < n; i++) {
        if (!whole && i == SHOWN_EXTREMES) {
            table_cells(table, "…|||||||");
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

/* Calls of a kind: all of them, or those on one communicator. */
typedef struct CallsRow {
    const char *call;
    uint32_t comm_number;
    const Comm *comm;
    const CallProfile *calls;
} CallsRow;

typedef struct ProcessRow {
    uint32_t process;
    bool finished;
    TimeSpent spent;
    const CallProfile *calls;
} ProcessRow;

typedef struct OverviewDocument {
    const Application *application;
    double application_s, balance;
    uint32_t n_processes, n_unfinished, n_kinds;
    uint64_t n_messages;
    const CallsRow *kinds, *comms;
    size_t n_comms;
    const ProcessRow *processes;
} OverviewDocument;

static const FieldList volume_fields =
    FIELDS(CallProfile, FIELD_AS(CallProfile, bytes_sent, "sent_bytes", "sent, put, contributed to collectives"),
           FIELD_AS(CallProfile, bytes_received, "received_bytes", "received, also from collectives"));

static const FieldList number_fields = FIELDS(CallProfile, FIELD_AS(CallProfile, n_calls, "calls", "how many"));

static const FieldList profile_fields =
    FIELDS(CallProfile, FIELD_INLINE_ALL(number_fields),
           FIELD_AS(CallProfile, time_ns, "time_s", "in these calls, from entry to return, all processes together"),
           FIELD_AS(CallProfile, longest_ns, "longest_s", "of the longest one"), FIELD_INLINE_ALL(volume_fields));

static const FieldList kind_fields =
    FIELDS(CallsRow, FIELD(CallsRow, call, "`send`, `isend`, `recv`, `irecv`, `wait`, `sendrecv`, `put`, `bcast` …"),
           FIELD_INLINE_POINTED(CallsRow, calls, profile_fields));

static const FieldList comm_fields =
    FIELDS(Comm, FIELD_AS(Comm, name, "communicator_name", "its name; `communicator N`: it has none"),
           FIELD_AS(Comm, n_members, "members", "how many processes belong to it"));

static const FieldList comm_call_fields =
    FIELDS(CallsRow, FIELD(CallsRow, call, "the kind; `messages`: all point-to-point calls"),
           FIELD_AS(CallsRow, comm_number, "communicator",
                    "its number, as firma counts; each process's MPI_COMM_SELF is one of its own"),
           FIELD_INLINE_POINTED(CallsRow, comm, comm_fields), FIELD_INLINE_POINTED(CallsRow, calls, profile_fields));

static const FieldList process_fields = FIELDS(
    ProcessRow, FIELD(ProcessRow, process, "rank in MPI_COMM_WORLD"),
    FIELD(ProcessRow, finished, "whether it reached MPI_Finalize"),
    FIELD_AS(ProcessRow, spent.whole_s, "time_s", "from MPI_Init to MPI_Finalize"),
    FIELD_AS(ProcessRow, spent.compute_s, "compute_s", "CPU time outside MPI"),
    FIELD_AS(ProcessRow, spent.mpi_s, "mpi_s", "in calls that send, receive or belong to a collective"),
    FIELD_AS(ProcessRow, spent.rest_s, "other_s", "other calls, and time in which other programs had the processor"),
    FIELD_INLINE_POINTED(ProcessRow, calls, number_fields), FIELD_INLINE_POINTED(ProcessRow, calls, volume_fields));

static const FieldList application_fields =
    FIELDS(Application, FIELD(Application, executable, "path of the program; empty: not known"),
           FIELD_LIST(Application, arguments, n_arguments, "arguments", "without the program's name"),
           FIELD(Application, mpi_library, "first line of the library's version text"));

const FieldList overview_fields =
    FIELDS(OverviewDocument, FIELD_INLINE_POINTED(OverviewDocument, application, application_fields),
           FIELD(OverviewDocument, application_s, "the slowest process's time, from MPI_Init to MPI_Finalize"),
           FIELD_AS(OverviewDocument, balance, "computation_balance", "mean over largest computation of the processes"),
           FIELD_AS(OverviewDocument, n_processes, "processes", "how many"),
           FIELD_AS(OverviewDocument, n_unfinished, "processes_unfinished", "how many never reached MPI_Finalize"),
           FIELD_AS(OverviewDocument, n_messages, "messages", "how many were sent"),
           FIELD_LIST(OverviewDocument, kinds, n_kinds, "calls", "by kind, longest time first", .of = &kind_fields),
           FIELD_LIST(OverviewDocument, comms, n_comms, "communicators",
                      "the same for each kind of call on each communicator", .of = &comm_call_fields),
           FIELD_LIST(OverviewDocument, processes, n_processes, "per_process", "one by one", .of = &process_fields));

static const CallsRow *kind_rows(const Profile *profile, Arena *arena, uint32_t *n)
{
    uint32_t kinds[CALL_KIND_COUNT];
    *n = sort_kinds(profile, kinds);
    CallsRow *rows = arena_new_array(arena, CallsRow, *n);
    for (uint32_t i = 0; i < *n; i++)
        rows[i] = (CallsRow){.call = call_kind_name(kinds[i]), .calls = &profile->calls[kinds[i]]};
    return rows;
}

static const CallsRow *comm_rows(const Profile *profile, const Trace *trace, Arena *arena)
{
    CallsRow *rows = arena_new_array(arena, CallsRow, profile->n_comms);
    for (size_t i = 0; i < profile->n_comms; i++) {
        const CommProfile *comm = &profile->comms[i];
        const char *call = comm->kind < CALL_ONE_SIDED ? "messages" : call_kind_name(comm->kind);
        rows[i] = (CallsRow){call, comm->comm, &trace->comms[comm->comm], &comm->calls};
    }
    return rows;
}

json_t *overview_json(const Profile *profile, const Trace *trace, Arena *arena)
{
    OverviewDocument document = {.application = &trace->application,
                                 .application_s = profile_slowest_s(profile),
                                 .balance = profile_balance(profile),
                                 .n_processes = profile->n_processes,
                                 .n_unfinished = profile_count_unfinished(profile),
                                 .n_messages = profile->n_messages,
                                 .n_comms = profile->n_comms,
                                 .comms = comm_rows(profile, trace, arena)};
    ProcessRow *processes = arena_new_array(arena, ProcessRow, profile->n_processes);
    for (uint32_t i = 0; i < profile->n_processes; i++) {
        const ProcessProfile *process = &profile->processes[i];
        processes[i] = (ProcessRow){i, process->lifetime.finished, process_time_spent(process), &process->calls};
    }
    document.processes = processes;
    document.kinds = kind_rows(profile, arena, &document.n_kinds);
    return fields_to_json(&overview_fields, &document, 0);
}
