/* SPDX-License-Identifier: BSD-3-Clause */
/* Block similarity (thesis §3.4.2), on the whole logical trace, receives included:
 *
 *     tick     0     1     2     3     4
 *     block      0     1     2     3          between two ticks; similar ones get the same name
 *     names      A     B     A     B
 *     phases    |--- A B ---|--- A B ---|    repeated stretches of names; single names for the rest
 *
 * Names are given at the end, since similarity depends on the machine's noise in all blocks
 * (block_floor.h), and phases on what occurs again. A phase of blocks [i, j) holds the ticks [i, j); the last occurrence also holds the
 * trace's last tick. */
#include "model/loops.h"
#include "signature/phases/block_floor.h"
#include "signature/phases/block_names.h"
#include "signature/phases/block_trace.h"
#include "signature/phases/finder.h"

typedef struct BlockFinder {
    PhaseFinder finder;
    PhaseParameters parameters;
    BlockTrace trace;
    BlockFloor floor;
    BlockNames names;
    VEC(uint32_t) blocks; /* names of the blocks */
    VEC(float) times;     /* of the tick that is being added or named, in ns */
} BlockFinder;

static bool take_tick(TickSink *sink, uint64_t lt, TickKind kind, const LogicalEvent *events, size_t count, Err *err)
{
    (void)lt, (void)kind;
    BlockFinder *blocks = (BlockFinder *)sink;
    if (!count)
        return true;
    blocks->times.count = 0;
    for (size_t i = 0; i < count; i++)
        *vec_push(&blocks->times) = events[i].compute_ns > 0 ? (float)events[i].compute_ns : 0;
    const float *times = blocks->times.items;
    if (!block_trace_add(&blocks->trace, events, times, count, err))
        return false;
    size_t n = blocks->trace.ticks.count;
    const uint32_t *rows = blocks->trace.ticks.items;
    return n < 2 || blocks->parameters.compute_floor_given ||
           block_floor_add(&blocks->floor, rows[n - 2], rows[n - 1], times, (uint32_t)count, err);
}

/* Names all blocks. */
static bool name_blocks(BlockFinder *blocks, Err *err)
{
    double floor_ns = 1e9 * blocks->parameters.compute_floor_s;
    if (!blocks->parameters.compute_floor_given && !block_floor_find(&blocks->floor, &floor_ns, err))
        return false;
    blocks->parameters.compute_floor_s = 1e-9 * floor_ns;
    block_names_init(&blocks->names, &blocks->parameters, floor_ns);
    const uint32_t *ticks = blocks->trace.ticks.items;
    spool_start(blocks->trace.computations, 0);
    for (size_t i = 1; i < blocks->trace.ticks.count; i++) {
        blocks->times.count = 0;
        for (uint32_t n = row_shape(&blocks->trace.rows, ticks[i])->n_events; n; n--) {
            bool is_there;
            if (!spool_read(blocks->trace.computations, vec_push(&blocks->times), &is_there, err))
                return false;
        }
        *vec_push(&blocks->blocks) =
            block_names_find(&blocks->names, &blocks->trace.rows, ticks[i - 1], ticks[i], blocks->times.items);
    }
    return true;
}

static PhaseFinder *new_blocks(const PhaseParameters *parameters, uint32_t n_processes, const Phase *known,
                               uint32_t n_known)
{
    (void)known, (void)n_known;
    BlockFinder *blocks = memory_zeroed(1, sizeof *blocks);
    blocks->finder.sink = (TickSink){.wants_receives = true, .tick = take_tick};
    blocks->parameters = *parameters;
    block_trace_init(&blocks->trace, n_processes);
    block_floor_init(&blocks->floor, parameters->compute_tolerance);
    durations_init(&blocks->finder.durations, n_processes, parameters->samples);
    return &blocks->finder;
}

static void free_blocks(PhaseFinder *finder)
{
    BlockFinder *blocks = (BlockFinder *)finder;
    block_trace_free(&blocks->trace);
    block_floor_free(&blocks->floor);
    block_names_free(&blocks->names);
    vec_free(&blocks->blocks);
    vec_free(&blocks->times);
    durations_free(&finder->durations);
    free(blocks);
}

/* A trace of one tick has no block, and is one phase. */
static void find_phases(const BlockFinder *blocks, BlockPhases *found)
{
    if (blocks->blocks.count) {
        block_phases_find(blocks->blocks.items, (uint32_t)blocks->blocks.count, (uint32_t)blocks->names.distinct.count,
                          found);
    } else {
        *vec_push(&found->phases) = (BlockPhase){.weight = 1};
        *vec_push(&found->sequence) = 0;
    }
}

static Loop fold_sequence(Loops *loops, size_t n_ids, Arena *arena)
{
    uint32_t *ids = arena_new_array(arena, uint32_t, n_ids);
    for (uint32_t i = 0; i < n_ids; i++)
        ids[i] = i + 1;
    return loops_finish(loops, ids, arena);
}

static void list_names(const BlockFinder *blocks, Arena *arena, Signature *signature)
{
    size_t n_names = blocks->names.distinct.count, n_seen = 0;
    uint64_t *first_blocks = arena_new_array(arena, uint64_t, n_names);
    Loops loops = {0};
    for (size_t i = 0; i < blocks->blocks.count; i++) {
        loops_append(&loops, blocks->blocks.items[i]);
        if (blocks->blocks.items[i] == n_seen) /* names are given in order */
            first_blocks[n_seen++] = i;
    }
    signature->renamed = fold_sequence(&loops, n_names, arena);
    signature->first_blocks = first_blocks;
    loops_free(&loops);
}

static bool finish_blocks(PhaseFinder *finder, const OrderReport *report, Arena *arena, Signature *signature, Err *err)
{
    BlockFinder *blocks = (BlockFinder *)finder;
    BlockTrace *trace = &blocks->trace;
    if (!trace->ticks.count)
        return err_set(err, ERR_INPUT, "the trace has no events, so no phases can be found");
    if (!name_blocks(blocks, err))
        return false;
    BlockPhases phases = {0};
    find_phases(blocks, &phases);
    Loops loops = {0};
    FoundPhase *found;
    bool ok = block_trace_content(trace, &phases, arena, &found, err) &&
              block_trace_time(trace, &phases, report->processes, &loops, &finder->durations, err);
    if (ok) {
        summary_fill(&blocks->parameters, found, &finder->durations, report, arena, signature);
        signature->sequence = fold_sequence(&loops, phases.phases.count, arena);
        signature->n_ticks = trace->ticks.count;
        signature->n_blocks = blocks->blocks.count;
        signature->n_distinct_blocks = blocks->names.distinct.count;
        signature->n_blocks_cut_short = blocks->names.n_cut_short;
        list_names(blocks, arena, signature);
    }
    loops_free(&loops);
    block_phases_free(&phases);
    return ok;
}

const PhaseMethod phase_method_blocks = {"block", false, new_blocks, free_blocks, finish_blocks};
