/* SPDX-License-Identifier: BSD-3-Clause */
/* See activity.h. The trace has the length of a computation, not its place: it stands right before the call that
 * follows. Calls may come in another order than in their process. */
#include "signature/profile/activity.h"

#include <math.h>

const char *const run_activity_names[N_RUN_ACTIVITIES] = {"computation", "transfer", "waiting", "other"};

typedef struct Progressed {
    int64_t last_ns;    /* the latest return of a call */
    int64_t compute_ns; /* so far */
} Progressed;

struct ActivityRecord {
    const Profile *profile;
    ActivityGrid grid; /* its shares are times in ns until the record is finished */
    double column_ns;
    Progressed *processes;
};

ActivityRecord *activity_record_new(const Profile *profile, uint32_t n_columns, uint32_t rows_limit, Arena *arena)
{
    ActivityRecord *record = arena_alloc(arena, sizeof *record);
    ActivityGrid *grid = &record->grid;
    *grid = (ActivityGrid){.begin_ns = INT64_MAX, .end_ns = INT64_MIN, .n_columns = n_columns};
    record->profile = profile;
    record->processes = arena_new_array(arena, Progressed, profile->n_processes);
    for (uint32_t i = 0; i < profile->n_processes; i++) {
        const Lifetime *lifetime = &profile->processes[i].lifetime;
        if (!lifetime->has_begun)
            continue;
        record->processes[i].last_ns = lifetime->begin_ns;
        grid->begin_ns = lifetime->begin_ns < grid->begin_ns ? lifetime->begin_ns : grid->begin_ns;
        grid->end_ns = lifetime->end_ns > grid->end_ns ? lifetime->end_ns : grid->end_ns;
    }
    if (grid->end_ns <= grid->begin_ns)
        grid->end_ns = grid->begin_ns + 1;
    grid->processes_per_row = (profile->n_processes + rows_limit - 1) / rows_limit;
    grid->n_rows = (profile->n_processes + grid->processes_per_row - 1) / grid->processes_per_row;
    grid->shares = arena_alloc_array(arena, (size_t)grid->n_rows * n_columns, sizeof *grid->shares);
    record->column_ns = (double)(grid->end_ns - grid->begin_ns) / n_columns;
    return record;
}

/* Adds time_ns, spread evenly over [from, to). */
static void add(ActivityRecord *record, uint32_t process, RunActivity activity, int64_t from_ns, int64_t to_ns,
                double time_ns)
{
    ActivityGrid *grid = &record->grid;
    double from = (double)(from_ns - grid->begin_ns), to = (double)(to_ns - grid->begin_ns);
    if (to <= from)
        return;
    double(*row)[N_RUN_ACTIVITIES] = grid->shares + (size_t)(process / grid->processes_per_row) * grid->n_columns;
    double pace = time_ns / (to - from);
    from = fmax(0, from);
    for (uint32_t i = (uint32_t)(from / record->column_ns); from < to && i < grid->n_columns; i++) {
        double border = fmin(to, (i + 1) * record->column_ns);
        row[i][activity] += pace * fmax(0, border - from);
        from = fmax(from, border);
    }
}

void activity_add_computation(ActivityRecord *record, uint32_t process, int64_t enter_ns, int64_t compute_ns)
{
    add(record, process, RUN_ACTIVITY_COMPUTATION, enter_ns - compute_ns, enter_ns, (double)compute_ns);
    record->processes[process].compute_ns += compute_ns;
}

void activity_add_call(ActivityRecord *record, uint32_t process, int64_t enter_ns, int64_t leave_ns)
{
    add(record, process, RUN_ACTIVITY_TRANSFER, enter_ns, leave_ns, (double)(leave_ns - enter_ns));
    int64_t *last_ns = &record->processes[process].last_ns;
    *last_ns = leave_ns > *last_ns ? leave_ns : *last_ns;
}

void activity_add_wait(ActivityRecord *record, uint32_t process, int64_t from_ns, int64_t to_ns)
{
    add(record, process, RUN_ACTIVITY_WAITING, from_ns, to_ns, (double)(to_ns - from_ns));
    add(record, process, RUN_ACTIVITY_TRANSFER, from_ns, to_ns, -(double)(to_ns - from_ns));
}

/* The computation behind the last call, and all time that was neither. */
static void add_rest(ActivityRecord *record, uint32_t process)
{
    const ProcessProfile *profile = &record->profile->processes[process];
    const Progressed *so_far = &record->processes[process];
    if (!profile->lifetime.has_begun)
        return;
    add(record, process, RUN_ACTIVITY_COMPUTATION, so_far->last_ns, profile->lifetime.end_ns,
        (double)(profile->compute_ns - so_far->compute_ns));
    add(record, process, RUN_ACTIVITY_OTHER, profile->lifetime.begin_ns, profile->lifetime.end_ns,
        (double)lifetime_ns(&profile->lifetime));
}

/* The processes of a row: the last one may have fewer. */
static uint32_t row_processes(const ActivityRecord *record, uint32_t row)
{
    uint32_t first = row * record->grid.processes_per_row, left = record->profile->n_processes - first;
    return left < record->grid.processes_per_row ? left : record->grid.processes_per_row;
}

ActivityGrid activity_record_finish(ActivityRecord *record)
{
    const ActivityGrid *grid = &record->grid;
    for (uint32_t i = 0; i < record->profile->n_processes; i++)
        add_rest(record, i);
    for (uint32_t i = 0; i < grid->n_rows * grid->n_columns; i++) {
        double *share = grid->shares[i], cell_ns = record->column_ns * row_processes(record, i / grid->n_columns);
        for (RunActivity k = 0; k < RUN_ACTIVITY_OTHER; k++) {
            share[k] = fmin(1, fmax(0, share[k] / cell_ns));
            share[RUN_ACTIVITY_OTHER] -= share[k] * cell_ns;
        }
        share[RUN_ACTIVITY_OTHER] = fmin(1, fmax(0, share[RUN_ACTIVITY_OTHER] / cell_ns));
    }
    return *grid;
}
