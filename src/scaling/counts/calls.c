/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of MPI's calls (rows.h). */
#include "scaling/counts/rows.h"

#include "base/text.h"
#include "base/vec.h"
#include <math.h>
#include <stdlib.h>

/* Kinds of calls that are one row, since a wait may be in any of them: the point-to-point ones, or one other. */
typedef struct KindRange {
    uint32_t first, last;
} KindRange;

static CallProfile calls_of(const CountRun *run, KindRange range)
{
    CallProfile sum = {0};
    for (uint32_t kind = range.first; kind <= range.last; kind++) {
        sum.n_calls += run->calls[kind].n_calls;
        sum.time_ns += run->calls[kind].time_ns;
        sum.bytes_sent += run->calls[kind].bytes_sent;
    }
    return sum;
}

static bool occurs(const Counts *counts, uint32_t kind)
{
    uint32_t i = 0;
    while (i < counts->n_runs && !counts->runs[i].calls[kind].n_calls)
        i++;
    return i < counts->n_runs;
}

/* "": none of them occurs. */
static const char *name_of(const Counts *counts, KindRange range, Arena *arena)
{
    Text text = {0};
    for (uint32_t kind = range.first, n = 0; kind <= range.last; kind++)
        if (occurs(counts, kind))
            text_add(&text, "%s%s", n++ ? " " : "", call_kind_name(kind));
    return text_take(&text, arena);
}

static CountPhase call_row(const Counts *counts, KindRange range, const char *name, Arena *arena)
{
    Sums sums = sums_new(counts->n_runs, arena);
    for (uint32_t i = 0; i < counts->n_runs; i++) {
        const CountRun *run = &counts->runs[i];
        const CallProfile calls = calls_of(run, range);
        double time_s = 1e-9 * (double)calls.time_ns / run->p,
               waited_s = fmin(time_s, 1e-9 * (double)run->waits.waited_ns[range.first] / run->p);
        sums.weights[i] = (double)calls.n_calls / run->p;
        sums.volumes[i] = (double)calls.bytes_sent / fmax(1, (double)calls.n_calls);
        sums.parts[COUNT_WAITING][i] = waited_s;
        sums.parts[COUNT_TRANSFER][i] = time_s - waited_s;
    }
    return row_make(name, &sums, counts, arena);
}

typedef struct LongRow {
    CountPhase row;
    double time_s;
} LongRow;

static int longest_first(const void *left, const void *right)
{
    double a = ((const LongRow *)left)->time_s, b = ((const LongRow *)right)->time_s;
    return (a < b) - (a > b);
}

void calls_find(Counts *counts, double x, Arena *arena)
{
    VEC(LongRow) found = {0};
    for (KindRange range = {CALL_SEND, CALL_SENDRECV}; range.last < CALL_KIND_COUNT;
         range = (KindRange){range.last + 1, range.last + 1}) {
        const char *name = name_of(counts, range, arena);
        if (!*name)
            continue;
        const CountPhase row = call_row(counts, range, name, arena);
        *vec_push(&found) = (LongRow){row, row_best_s(&row, x)};
    }
    CountPhase *rows = arena_new_array(arena, CountPhase, found.count);
    if (found.count)
        qsort(found.items, found.count, sizeof *found.items, longest_first);
    for (size_t i = 0; i < found.count; i++)
        rows[i] = found.items[i].row;
    counts->n_calls = (uint32_t)found.count;
    counts->calls = rows;
    vec_free(&found);
}
