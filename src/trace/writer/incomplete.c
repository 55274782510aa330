/* SPDX-License-Identifier: BSD-3-Clause */
/* See incomplete.h. */
#include "trace/writer/incomplete.h"

#include <string.h>

enum { RANKS_SHOWN = 8, SENTENCES = 3 };

const char *recording_list_ranks(const Recording *recording, bool (*holds)(const RecordedProcess *), Arena *arena)
{
    const char *text = NULL;
    uint32_t n = 0;
    for (uint32_t rank = 0; rank < recording->n_processes; rank++)
        if (holds(&recording->processes[rank]) && ++n <= RANKS_SHOWN)
            text = text ? arena_printf(arena, "%s, %u", text, rank) : arena_printf(arena, "%u", rank);
    return n > RANKS_SHOWN ? arena_printf(arena, "%s and %u more", text, n - RANKS_SHOWN) : text;
}

bool process_is_cut_off(const RecordedProcess *process)
{
    return process->base && process->recording_end != RECORDING_WHOLE;
}

static bool left_nothing(const RecordedProcess *process)
{
    return !process->base;
}

static bool is_unfinished(const RecordedProcess *process)
{
    return process->base && !process_is_cut_off(process) && !process->finalize_leave_ns;
}

/* The process whose recording stopped first. Without a known time, it stopped last. */
static uint32_t first_cut_off(const Recording *recording)
{
    uint32_t first = UINT32_MAX;
    for (uint32_t rank = 0; rank < recording->n_processes; rank++) {
        const RecordedProcess *process = &recording->processes[rank];
        if (!process_is_cut_off(process))
            continue;
        const RecordedProcess *earliest = first == UINT32_MAX ? NULL : &recording->processes[first];
        if (!earliest || (process->recording_end_ns &&
                          (!earliest->recording_end_ns || process->recording_end_ns < earliest->recording_end_ns)))
            first = rank;
    }
    return first;
}

/* "recording stopped at 1.25 s of rank 2, because …" */
static const char *cut_off_text(const Recording *recording, Arena *arena)
{
    const uint32_t rank = first_cut_off(recording);
    if (rank == UINT32_MAX)
        return NULL;
    const RecordedProcess *process = &recording->processes[rank];
    const char *reason = recording_end_reason(process->recording_end);
    const char *ranks = recording_list_ranks(recording, process_is_cut_off, arena);
    const char *time =
        process->recording_end_ns
            ? arena_printf(arena, "at %.3g s of", (double)(process->recording_end_ns - process->init_leave_ns) * 1e-9)
            : "in";
    return arena_printf(
        arena, "recording stopped %s rank %u, because %s%s%s", time, rank,
        reason ? reason : "its records could not be stored: ", reason ? "" : strerror(process->recording_errno),
        strchr(ranks, ',') ? arena_printf(arena, "; it stopped on ranks %s", ranks) : "");
}

void recording_find_incomplete(Recording *recording, Arena *arena)
{
    const char **sentences = arena_new_array(arena, const char *, SENTENCES);
    const char *cut_off = cut_off_text(recording, arena);
    const char *missing = recording_list_ranks(recording, left_nothing, arena);
    const char *unfinished = recording_list_ranks(recording, is_unfinished, arena);
    recording->incomplete = sentences;
    if (cut_off)
        sentences[recording->n_incomplete++] = cut_off;
    if (missing)
        sentences[recording->n_incomplete++] =
            arena_printf(arena, "no record of rank%s %s, which never returned from %s, or ran without the recorder",
                         recording->n_missing == 1 ? "" : "s", missing, recording_first_call(recording));
    if (unfinished)
        sentences[recording->n_incomplete++] =
            arena_printf(arena, "no return from %s was recorded on rank%s %s", recording_last_call(recording),
                         strchr(unfinished, ',') ? "s" : "", unfinished);
}
