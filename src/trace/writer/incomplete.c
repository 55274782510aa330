/* SPDX-License-Identifier: BSD-3-Clause */
/* See incomplete.h. */
#include "trace/writer/incomplete.h"

#include "base/map.h"
#include "base/text.h"

#include <string.h>

enum { RANKS_SHOWN = 8, SENTENCES = 4, HOSTS_SHOWN = 8 };

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

/* " on hosta, hostb": the hosts of the ranks for which `holds` is true. "" if all ranks ran on one host. */
static const char *hosts_text(const Recording *recording, bool (*holds)(const RecordedProcess *), Arena *arena)
{
    Map hosts = {0}, named = {0};
    const char *text = "";
    for (uint32_t rank = 0; rank < recording->n_processes; rank++) {
        const RecordedProcess *process = &recording->processes[rank];
        if (!process->base)
            continue;
        const MapKey key = {(uint64_t)(uintptr_t)process->host, 0}; /* equal names are one text: share_offsets() */
        map_put(&hosts, key, NULL);
        if (!holds(process) || (*map_put(&named, key, NULL))++)
            continue;
        if (named.count <= HOSTS_SHOWN)
            text = arena_printf(arena, "%s%s%s", text, *text ? ", " : " on ", process->host);
    }
    if (named.count > HOSTS_SHOWN)
        text = arena_printf(arena, "%s and %zu more", text, named.count - HOSTS_SHOWN);
    const bool is_one = hosts.count <= 1;
    map_free(&hosts);
    map_free(&named);
    return is_one ? "" : text;
}

static bool left_behind(const RecordedProcess *process)
{
    return process->is_left_behind;
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

/* The time at which recording ended. It may end before the recorder has set its beginning. */
static int64_t since_init_ns(const RecordedProcess *process)
{
    const int64_t time_ns = process->recording_end_ns - process->init_leave_ns;
    return time_ns > 0 ? time_ns : 0;
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
        process->recording_end_ns ? arena_printf(arena, "at %.3g s of", (double)since_init_ns(process) * 1e-9) : "in";
    const char *place = recording->local ? arena_printf(arena, " in %s on %s", recording->local, process->host) : "";
    return arena_printf(arena, "recording stopped %s rank %u, because %s%s", time, rank,
                        reason ? reason
                               : arena_printf(arena, "its records could not be stored%s: %s", place,
                                              strerror(process->recording_errno)),
                        strchr(ranks, ',') ? arena_printf(arena, "; it stopped on ranks %s", ranks) : "");
}

void recording_find_incomplete(Recording *recording, Arena *arena)
{
    const char **sentences = arena_new_array(arena, const char *, SENTENCES);
    const char *cut_off = cut_off_text(recording, arena);
    const char *missing = recording_list_ranks(recording, left_nothing, arena);
    const char *behind = recording_list_ranks(recording, left_behind, arena);
    const char *unfinished = recording_list_ranks(recording, is_unfinished, arena);
    recording->incomplete = sentences;
    if (cut_off)
        sentences[recording->n_incomplete++] = cut_off;
    if (missing)
        sentences[recording->n_incomplete++] =
            arena_printf(arena, "no record of rank%s %s, which never returned from %s, or ran without the recorder",
                         text_plural(recording->n_missing), missing, recording_first_call(recording));
    if (unfinished)
        sentences[recording->n_incomplete++] =
            arena_printf(arena, "no return from %s was recorded on rank%s %s%s", recording_last_call(recording),
                         strchr(unfinished, ',') ? "s" : "", unfinished, hosts_text(recording, is_unfinished, arena));
    if (behind)
        sentences[recording->n_incomplete++] = arena_printf(
            arena, "the records of rank%s %s were not gathered from %s-*%s", strchr(behind, ',') ? "s" : "", behind,
            recording->local, hosts_text(recording, left_behind, arena));
}
