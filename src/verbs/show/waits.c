/* SPDX-License-Identifier: BSD-3-Clause */
/* See waits.h. */
#include "verbs/show/waits.h"

#include "report/format.h"
#include "report/table.h"

enum { SHOWN_PROCESSES = 16, SHOWN_CAUSES = 10 };

static const char *const kind_names[N_WAITS] = {
    [WAIT_LATE_SENDER] = "late sender", [WAIT_LATE_RECEIVER] = "late receiver", [WAIT_COLLECTIVE] = "collective"};

/* A process's time in a phase, or a sum of such times. */
typedef struct Row {
    uint32_t process;
    double duration_s, computation_s, communication_s, transfer_s, waiting_s, late_sender_s, late_receiver_s,
        collective_s, other_s;
} Row;

/* The other time is in calls that aren't in the logical trace, or off the processor; a simulated process is in MPI
 * then. Rounding may make it negative. */
static Row row_of(uint32_t process, double duration_s, const PhaseTime *time, bool is_simulated)
{
    double computation_s = 1e-9 * (double)time->compute_ns, in_mpi_s = 1e-9 * (double)time->mpi_ns,
           left_s = duration_s - computation_s - in_mpi_s, waiting_s = 0;
    if (left_s <= 1e-9)
        left_s = 0;
    for (int i = 0; i < N_WAITS; i++)
        waiting_s += 1e-9 * (double)time->waits_ns[i];
    double communication_s = is_simulated ? in_mpi_s + left_s : in_mpi_s;
    return (Row){process,
                 duration_s,
                 computation_s,
                 communication_s,
                 communication_s > waiting_s ? communication_s - waiting_s : 0,
                 waiting_s,
                 1e-9 * (double)time->waits_ns[WAIT_LATE_SENDER],
                 1e-9 * (double)time->waits_ns[WAIT_LATE_RECEIVER],
                 1e-9 * (double)time->waits_ns[WAIT_COLLECTIVE],
                 is_simulated ? 0 : left_s};
}

static Row phase_row(const Waits *waits, uint32_t phase, uint32_t process)
{
    const Signature *signature = waits->signature;
    return row_of(process, signature->phases[phase].processes[process].total_s,
                  &waits->times[(size_t)phase * signature->application.n_processes + process], waits->is_simulated);
}

static void add_row(Row *sum, const Row *row, double weight)
{
    sum->duration_s += weight * row->duration_s;
    sum->computation_s += weight * row->computation_s;
    sum->communication_s += weight * row->communication_s;
    sum->transfer_s += weight * row->transfer_s;
    sum->waiting_s += weight * row->waiting_s;
    sum->late_sender_s += weight * row->late_sender_s;
    sum->late_receiver_s += weight * row->late_receiver_s;
    sum->collective_s += weight * row->collective_s;
    sum->other_s += weight * row->other_s;
}

/* ---- text ---- */

static const char *seconds_or_dash(Arena *arena, double seconds)
{
    return seconds > 0 ? format_seconds(arena, seconds) : "-";
}

static Table *new_table(const char *first, const Waits *waits, Arena *arena)
{
    Table *table = table_new(arena);
    table_column(table, first, TABLE_LEFT);
    table_columns(table, ">time|>computation|>transfer|>waiting|>late sender|>late receiver|>collective");
    if (!waits->is_simulated)
        table_column(table, "other", TABLE_RIGHT);
    return table;
}

static void add_cells(Table *table, const char *first, const Row *row, const Waits *waits, Arena *arena)
{
    table_cells(table, "%s|%s|%s|%s|%s|%s|%s|%s", first, format_seconds(arena, row->duration_s),
                seconds_or_dash(arena, row->computation_s), seconds_or_dash(arena, row->transfer_s),
                seconds_or_dash(arena, row->waiting_s), seconds_or_dash(arena, row->late_sender_s),
                seconds_or_dash(arena, row->late_receiver_s), seconds_or_dash(arena, row->collective_s));
    if (!waits->is_simulated)
        table_cells(table, "%s", seconds_or_dash(arena, row->other_s));
}

/* Means over processes. */
static const char *phases_table(const Waits *waits, const WaitsView *view, Arena *arena)
{
    const Signature *signature = waits->signature;
    uint32_t n = signature->application.n_processes, n_others = 0;
    Table *table = new_table("phase", waits, arena);
    Row all = {0}, others = {0};
    for (uint32_t phase = 0; phase < signature->n_phases; phase++) {
        Row mean = {0};
        for (uint32_t process = 0; process < n; process++) {
            const Row row = phase_row(waits, phase, process);
            add_row(&mean, &row, 1.0 / n);
        }
        add_row(&all, &mean, 1);
        if (view->all || signature->phases[phase].relevant) {
            add_cells(table, arena_printf(arena, "%u", signature->phases[phase].id), &mean, waits, arena);
        } else {
            add_row(&others, &mean, 1);
            n_others++;
        }
    }
    if (n_others)
        add_cells(table, arena_printf(arena, n_others == 1 ? "%s other" : "%s others", format_count(arena, n_others)),
                  &others, waits, arena);
    add_cells(table, "all phases", &all, waits, arena);
    return table_text(table, view->color);
}

/* All phases together. */
static const char *processes_table(const Waits *waits, const WaitsView *view, Arena *arena)
{
    const Signature *signature = waits->signature;
    uint32_t n = signature->application.n_processes, shown = view->all || n <= SHOWN_PROCESSES ? n : SHOWN_PROCESSES;
    Table *table = new_table("process", waits, arena);
    for (uint32_t process = 0; process < shown; process++) {
        Row sum = {0};
        for (uint32_t phase = 0; phase < signature->n_phases; phase++) {
            const Row row = phase_row(waits, phase, process);
            add_row(&sum, &row, 1);
        }
        add_cells(table, arena_printf(arena, "%u", process), &sum, waits, arena);
    }
    const char *others = shown < n ? arena_printf(arena, "%u other processes (--all)\n", n - shown) : "";
    return arena_printf(arena, "%s%s", table_text(table, view->color), others);
}

static const char *causes_table(const Waits *waits, const WaitsView *view, Arena *arena)
{
    size_t shown = view->all || waits->n_causes <= SHOWN_CAUSES ? waits->n_causes : SHOWN_CAUSES;
    Table *table = table_new(arena);
    if (!shown)
        return "no process waits for another\n";
    table_columns(table, ">process|>waits for|because of a|>times|>together|>each");
    for (size_t i = 0; i < shown; i++) {
        const WaitCause *cause = &waits->causes[i];
        double together_s = 1e-9 * (double)cause->time_ns;
        table_cells(table, "%u|%u|%s|%s|%s|%s", cause->process, cause->cause, kind_names[cause->kind],
                    format_count(arena, cause->count), format_seconds(arena, together_s),
                    format_seconds(arena, together_s / (double)cause->count));
    }
    const char *others = shown < waits->n_causes
                             ? arena_printf(arena, "%s others (--all)\n", format_count(arena, waits->n_causes - shown))
                             : "";
    return arena_printf(arena, "%s%s", table_text(table, view->color), others);
}

const char *waits_text(const Waits *waits, const WaitsView *view, Arena *arena)
{
    return arena_printf(
        arena,
        "%s\n%s\n%s\n"
        "  time                 of phases: the mean over processes; of processes: of all phases\n"
        "  transfer             in calls that send, receive or belong to a collective, without waiting\n"
        "  waiting              for another process: the three columns behind it together\n"
        "  late sender          waiting in a receive for a message that isn't sent yet\n"
        "  late receiver        waiting in a send for a receive that isn't called yet\n"
        "  collective           waiting in a collective for members on which it depends\n"
        "%s",
        phases_table(waits, view, arena), processes_table(waits, view, arena), causes_table(waits, view, arena),
        waits->is_simulated
            ? ""
            : "  other                posting receives, waiting for sends, polls; or off the processor\n");
}

/* ---- JSON ---- */

typedef struct PhaseRows {
    uint32_t id, n;
    uint64_t weight;
    bool relevant;
    const Row *rows;
} PhaseRows;

typedef struct WaitsDocument {
    uint32_t n_phases;
    const PhaseRows *phases;
    size_t n_causes;
    const WaitCause *causes;
} WaitsDocument;

static json_t *kind_json(const FieldContext *context, const void *record)
{
    (void)context;
    return json_string(kind_names[((const WaitCause *)record)->kind]);
}

static json_t *time_json(const FieldContext *context, const void *record)
{
    (void)context;
    return json_real(1e-9 * (double)((const WaitCause *)record)->time_ns);
}

static const FieldList row_fields =
    FIELDS(Row, FIELD(Row, process, "rank in MPI_COMM_WORLD"),
           FIELD(Row, duration_s, "of all occurrences of the phase in this process"),
           FIELD(Row, computation_s, "on a processor, outside of MPI"),
           FIELD(Row, communication_s, "in calls that send, receive or belong to a collective, waits included"),
           FIELD(Row, transfer_s, "of `communication_s`, without waiting"),
           FIELD(Row, waiting_s, "of `communication_s`, for other processes: the next three together"),
           FIELD(Row, late_sender_s, "waiting in receives for messages that weren't sent yet"),
           FIELD(Row, late_receiver_s, "waiting in sends for receives that weren't called yet"),
           FIELD(Row, collective_s, "waiting in collectives for members on which they depend"),
           FIELD(Row, other_s, "posting receives, waiting for sends, polls; or off the processor"));

static const FieldList phase_fields =
    FIELDS(PhaseRows, FIELD(PhaseRows, id, "as in the signature"), FIELD(PhaseRows, weight, "number of occurrences"),
           FIELD(PhaseRows, relevant, "as in the signature"),
           FIELD_LIST(PhaseRows, rows, n, "processes", "by rank", .of = &row_fields));

static const FieldList cause_fields = FIELDS(
    WaitCause, FIELD(WaitCause, process, "which waited"), FIELD(WaitCause, cause, "process for which it waited"),
    FIELD_OWN("kind", SHAPE_ONE, kind_json, NULL, "`late sender`, `late receiver` or `collective`", .noun = "text"),
    FIELD(WaitCause, count, "how often"),
    FIELD_OWN("time_s", SHAPE_ONE, time_json, NULL, "together", .noun = "number"));

const FieldList waits_fields =
    FIELDS(WaitsDocument, FIELD_LIST(WaitsDocument, phases, n_phases, "phases", "all phases", .of = &phase_fields),
           FIELD_LIST(WaitsDocument, causes, n_causes, "causes", "by time, longest first", .of = &cause_fields));

json_t *waits_json(const Waits *waits, Arena *arena)
{
    const Signature *signature = waits->signature;
    uint32_t n = signature->application.n_processes;
    PhaseRows *phases = arena_new_array(arena, PhaseRows, signature->n_phases);
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        Row *rows = arena_new_array(arena, Row, n);
        for (uint32_t process = 0; process < n; process++)
            rows[process] = phase_row(waits, i, process);
        phases[i] =
            (PhaseRows){signature->phases[i].id, n, signature->phases[i].weight, signature->phases[i].relevant, rows};
    }
    const WaitsDocument document = {signature->n_phases, phases, waits->n_causes, waits->causes};
    return fields_to_json(&waits_fields, &document, 0);
}
