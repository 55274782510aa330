/* SPDX-License-Identifier: BSD-3-Clause */
/* Block similarity (thesis §3.4.2), on the whole logical trace, receives included:
 *
 *     tick     0     1     2     3     4
 *     block      0     1     2     3          between two ticks; similar ones get the same name
 *     names      A     B     A     B
 *     phases    |--- A B ---|--- A B ---|    repeated stretches of names; single names for the rest
 *
 * Names are given as the ticks come. Phases are found at the end, since they depend on what occurs
 * again. A phase of blocks [i, j) holds the ticks [i, j); the last occurrence also holds the
 * trace's last tick. */
#include "model/loops.h"
#include "signature/phases/block_names.h"
#include "signature/phases/block_trace.h"
#include "signature/phases/finder.h"

typedef struct BlockFinder {
    PhaseFinder finder;
    PhaseParameters parameters;
    BlockTrace trace;
    BlockNames names;
    VEC(uint32_t) blocks; /* names of the blocks */
} BlockFinder;

static bool take_tick(TickSink *sink, uint64_t lt, TickKind kind, const LogicalEvent *events, size_t count, Err *err)
{
    (void)lt, (void)kind;
    BlockFinder *blocks = (BlockFinder *)sink;
    if (!count)
        return true;
    if (!block_trace_add(&blocks->trace, events, count, err))
        return false;
    size_t n = blocks->trace.ticks.count;
    const uint32_t *rows = blocks->trace.ticks.items;
    if (n > 1)
        *vec_push(&blocks->blocks) =
            block_names_find(&blocks->names, &blocks->trace.rows, rows[n - 2], rows[n - 1], events);
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
    block_names_init(&blocks->names, parameters);
    durations_init(&blocks->finder.durations, n_processes, parameters->samples);
    return &blocks->finder;
}

static void free_blocks(PhaseFinder *finder)
{
    BlockFinder *blocks = (BlockFinder *)finder;
    block_trace_free(&blocks->trace);
    block_names_free(&blocks->names);
    vec_free(&blocks->blocks);
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

static Loop fold_sequence(Loops *loops, uint32_t n_phases, Arena *arena)
{
    uint32_t *ids = arena_new_array(arena, uint32_t, n_phases);
    for (uint32_t i = 0; i < n_phases; i++)
        ids[i] = i + 1;
    return loops_finish(loops, ids, arena);
}

static bool finish_blocks(PhaseFinder *finder, const OrderReport *report, Arena *arena, Signature *signature, Err *err)
{
    BlockFinder *blocks = (BlockFinder *)finder;
    BlockTrace *trace = &blocks->trace;
    if (!trace->ticks.count)
        return err_set(err, ERR_INPUT, "the trace has no events, so no phases can be found");
    BlockPhases phases = {0};
    find_phases(blocks, &phases);
    Loops loops = {0};
    FoundPhase *found;
    bool ok = block_trace_content(trace, &phases, arena, &found, err) &&
              block_trace_time(trace, &phases, report->processes, &loops, &finder->durations, err);
    if (ok) {
        summary_fill(&blocks->parameters, found, &finder->durations, report, arena, signature);
        signature->sequence = fold_sequence(&loops, (uint32_t)phases.phases.count, arena);
        signature->n_ticks = trace->ticks.count;
        signature->n_blocks = blocks->blocks.count;
        signature->n_distinct_blocks = blocks->names.distinct.count;
        signature->n_blocks_cut_short = blocks->names.n_cut_short;
    }
    loops_free(&loops);
    block_phases_free(&phases);
    return ok;
}

const PhaseMethod phase_method_blocks = {"block", false, new_blocks, free_blocks, finish_blocks};
