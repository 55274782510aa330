/* SPDX-License-Identifier: BSD-3-Clause */
/* See activity.h. The trace has the length of a computation, not its place: it stands right before the call that
 * follows. Calls may come in another order than in their process.
 *
 * How long the run is, is known at its end. So times are added to fine columns of 2^k ns. Two columns become one
 * whenever the times don't fit:
 *
 *     times of a row   | 3 | 5 | 2 | 1 |          fine columns, from a multiple of their length on
 *     twice as long    |   8   |   3   |   |   |
 *     in the end       |  6  |  4  |  1  |        columns of the picture, from the run's begin to its end */
#include "signature/profile/activity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FINE_COLUMNS = 8192 };

const char *const run_activity_names[N_RUN_ACTIVITIES] = {"computation", "transfer", "waiting", "other"};

typedef double Times[N_RUN_ACTIVITIES];

/* Rows of times in ns, in columns of equal length. */
typedef struct Columns {
    int64_t begin_ns;
    double column_ns;
    uint32_t n;
    Times *times; /* [rows × n] */
} Columns;

typedef struct Progressed {
    int64_t last_ns;    /* the latest return of a call */
    int64_t compute_ns; /* so far */
} Progressed;

struct ActivityRecord {
    uint32_t n_processes, n_rows, processes_per_row;
    Columns fine; /* [n_rows × FINE_COLUMNS] */
    int column_bits;
    int64_t first; /* number of the first fine column, counted from time 0 */
    bool has_begun;
    Progressed *processes;
};

ActivityRecord *activity_record_new(uint32_t n_processes, uint32_t rows_limit)
{
    ActivityRecord *record = memory_zeroed(1, sizeof *record);
    record->n_processes = n_processes;
    record->processes_per_row = (n_processes + rows_limit - 1) / rows_limit;
    record->n_rows = (n_processes + record->processes_per_row - 1) / record->processes_per_row;
    record->fine = (Columns){.column_ns = 1,
                             .n = FINE_COLUMNS,
                             .times = memory_zeroed((size_t)record->n_rows * FINE_COLUMNS, sizeof(Times))};
    record->processes = memory_zeroed(n_processes, sizeof *record->processes);
    for (uint32_t i = 0; i < n_processes; i++)
        record->processes[i].last_ns = INT64_MIN;
    return record;
}

void activity_record_free(ActivityRecord *record)
{
    if (!record)
        return;
    free(record->fine.times);
    free(record->processes);
    free(record);
}

/* Adds time_ns, spread evenly over [from, to), to a row. */
static void add(const Columns *columns, uint32_t row, RunActivity activity, int64_t from_ns, int64_t to_ns,
                double time_ns)
{
    double from = (double)(from_ns - columns->begin_ns), to = (double)(to_ns - columns->begin_ns);
    Times *times = columns->times + (size_t)row * columns->n;
    if (to <= from || to <= 0)
        return;
    double pace = time_ns / (to - from);
    from = from > 0 ? from : 0;
    for (uint32_t i = (uint32_t)(from / columns->column_ns); from < to && i < columns->n; i++) {
        double border = (i + 1) * columns->column_ns, end = border < to ? border : to;
        times[i][activity] += end > from ? pace * (end - from) : 0;
        from = end > from ? end : from;
    }
}

/* ---- fine columns ---- */

static void add_times(double *sum, const double *times)
{
    for (RunActivity k = 0; k < N_RUN_ACTIVITIES; k++)
        sum[k] += times[k];
}

/* The columns begin at number `first`, and are 2^more times as long. */
static void move_columns(ActivityRecord *record, int64_t first, int more)
{
    Times *moved = memory_zeroed(FINE_COLUMNS, sizeof *moved);
    for (uint32_t row = 0; row < record->n_rows; row++) {
        Times *times = record->fine.times + (size_t)row * FINE_COLUMNS;
        memset(moved, 0, FINE_COLUMNS * sizeof *moved);
        for (int64_t i = 0; i < FINE_COLUMNS; i++) {
            int64_t to = ((record->first + i) >> more) - first;
            if (to >= 0 && to < FINE_COLUMNS)
                add_times(moved[to], times[i]);
        }
        memcpy(times, moved, FINE_COLUMNS * sizeof *moved);
    }
    free(moved);
    record->first = first;
    record->column_bits += more;
    record->fine.begin_ns = first * ((int64_t)1 << record->column_bits);
    record->fine.column_ns = ldexp(1, record->column_bits);
}

/* Whether columns that are 2^more times as long hold both. */
static bool holds(int64_t first, int64_t last, int more)
{
    return (uint64_t)(last >> more) - (uint64_t)(first >> more) < FINE_COLUMNS;
}

/* Makes room for times from from_ns to to_ns. */
static void cover(ActivityRecord *record, int64_t from_ns, int64_t to_ns)
{
    if (!record->has_begun)
        record->first = record->fine.begin_ns = from_ns;
    record->has_begun = true;
    int more = 0;
    int64_t end = record->first + FINE_COLUMNS - 1, from = from_ns >> record->column_bits,
            to = to_ns >> record->column_bits;
    if (from >= record->first && to <= end)
        return;
    to = from < record->first && to < end ? end : to;
    from = from < record->first ? from : record->first;
    while (!holds(from, to, more))
        more++;
    move_columns(record, from >> more, more);
}

static void record_time(ActivityRecord *record, uint32_t process, RunActivity activity, int64_t from_ns, int64_t to_ns,
                        double time_ns)
{
    if (to_ns <= from_ns)
        return;
    cover(record, from_ns, to_ns);
    uint32_t row = process / record->processes_per_row;
    int64_t column = (from_ns >> record->column_bits) - record->first;
    if ((to_ns >> record->column_bits) - record->first == column)
        record->fine.times[(size_t)row * FINE_COLUMNS + (size_t)column][activity] += time_ns;
    else
        add(&record->fine, row, activity, from_ns, to_ns, time_ns);
}

void activity_add_computation(ActivityRecord *record, uint32_t process, int64_t enter_ns, int64_t compute_ns)
{
    record_time(record, process, RUN_ACTIVITY_COMPUTATION, enter_ns - compute_ns, enter_ns, (double)compute_ns);
    record->processes[process].compute_ns += compute_ns;
}

void activity_add_call(ActivityRecord *record, uint32_t process, int64_t enter_ns, int64_t leave_ns)
{
    record_time(record, process, RUN_ACTIVITY_TRANSFER, enter_ns, leave_ns, (double)(leave_ns - enter_ns));
    int64_t *last_ns = &record->processes[process].last_ns;
    *last_ns = leave_ns > *last_ns ? leave_ns : *last_ns;
}

void activity_add_wait(ActivityRecord *record, uint32_t process, int64_t from_ns, int64_t to_ns)
{
    record_time(record, process, RUN_ACTIVITY_WAITING, from_ns, to_ns, (double)(to_ns - from_ns));
    record_time(record, process, RUN_ACTIVITY_TRANSFER, from_ns, to_ns, -(double)(to_ns - from_ns));
}

/* ---- the result ---- */

static void find_ends(const Profile *profile, ActivityGrid *grid)
{
    grid->begin_ns = INT64_MAX;
    grid->end_ns = INT64_MIN;
    for (uint32_t i = 0; i < profile->n_processes; i++) {
        const Lifetime *lifetime = &profile->processes[i].lifetime;
        if (!lifetime->has_begun)
            continue;
        grid->begin_ns = lifetime->begin_ns < grid->begin_ns ? lifetime->begin_ns : grid->begin_ns;
        grid->end_ns = lifetime->end_ns > grid->end_ns ? lifetime->end_ns : grid->end_ns;
    }
    if (grid->end_ns <= grid->begin_ns)
        grid->end_ns = grid->begin_ns + 1;
}

/* A fine column at the run's begin or end holds times of the run alone. */
static void add_fine_columns(const ActivityRecord *record, const ActivityGrid *grid, const Columns *columns)
{
    const int64_t column_ns = (int64_t)1 << record->column_bits;
    for (uint32_t row = 0; row < record->n_rows; row++)
        for (int64_t i = 0; i < FINE_COLUMNS; i++) {
            const double *times = record->fine.times[(size_t)row * FINE_COLUMNS + (size_t)i];
            int64_t from_ns = record->fine.begin_ns + i * column_ns, to_ns = from_ns + column_ns;
            from_ns = from_ns > grid->begin_ns ? from_ns : grid->begin_ns;
            to_ns = to_ns < grid->end_ns ? to_ns : grid->end_ns;
            for (RunActivity k = 0; k < RUN_ACTIVITY_OTHER; k++)
                if (times[k] != 0)
                    add(columns, row, k, from_ns, to_ns, times[k]);
        }
}

/* The computation behind the last call, and all time that was neither. */
static void add_rest(const ActivityRecord *record, uint32_t process, const ProcessProfile *profile,
                     const Columns *columns)
{
    const Progressed *so_far = &record->processes[process];
    const Lifetime *lifetime = &profile->lifetime;
    uint32_t row = process / record->processes_per_row;
    int64_t last_ns = so_far->last_ns > lifetime->begin_ns ? so_far->last_ns : lifetime->begin_ns;
    if (!lifetime->has_begun)
        return;
    add(columns, row, RUN_ACTIVITY_COMPUTATION, last_ns, lifetime->end_ns,
        (double)(profile->compute_ns - so_far->compute_ns));
    add(columns, row, RUN_ACTIVITY_OTHER, lifetime->begin_ns, lifetime->end_ns, (double)lifetime_ns(lifetime));
}

/* The processes of a row: the last one may have fewer. */
static uint32_t row_processes(const ActivityRecord *record, uint32_t row)
{
    uint32_t first = row * record->processes_per_row, left = record->n_processes - first;
    return left < record->processes_per_row ? left : record->processes_per_row;
}

ActivityGrid activity_record_finish(const ActivityRecord *record, const Profile *profile, uint32_t n_columns,
                                    Arena *arena)
{
    ActivityGrid grid = {
        .n_columns = n_columns, .n_rows = record->n_rows, .processes_per_row = record->processes_per_row};
    find_ends(profile, &grid);
    grid.shares = arena_alloc_array(arena, (size_t)grid.n_rows * n_columns, sizeof *grid.shares);
    const Columns columns = {grid.begin_ns, (double)(grid.end_ns - grid.begin_ns) / n_columns, n_columns, grid.shares};
    add_fine_columns(record, &grid, &columns);
    for (uint32_t i = 0; i < record->n_processes; i++)
        add_rest(record, i, &profile->processes[i], &columns);
    for (uint32_t i = 0; i < grid.n_rows * n_columns; i++) {
        double *share = grid.shares[i], cell_ns = columns.column_ns * row_processes(record, i / n_columns);
        for (RunActivity k = 0; k < RUN_ACTIVITY_OTHER; k++) {
            share[k] = fmin(1, fmax(0, share[k] / cell_ns));
            share[RUN_ACTIVITY_OTHER] -= share[k] * cell_ns;
        }
        share[RUN_ACTIVITY_OTHER] = fmin(1, fmax(0, share[RUN_ACTIVITY_OTHER] / cell_ns));
    }
    return grid;
}
