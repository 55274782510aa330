/* SPDX-License-Identifier: BSD-3-Clause */
/* See goal.h. The *frontier* of a process is what its next operation requires. */
#include "formats/goal.h"

#include "base/map.h"
#include "formats/text_file.h"
#include "formats/walk.h"
#include <inttypes.h>
#include <math.h>

typedef struct Goal {
    ActionSink sink; /* first member */
    TextFile text;
    uint64_t n_operations, n_empty;
    /* of the current process: */
    uint64_t label;         /* of the last operation */
    VEC(uint64_t) frontier; /* labels */
    Map label_of;           /* handle of a nonblocking message -> its label */
} Goal;

static void begin_operation(Goal *goal)
{
    goal->n_operations++;
    fprintf(goal->text.file, "l%" PRIu64 ": ", ++goal->label);
}

static void require_frontier(Goal *goal)
{
    for (size_t i = 0; i < goal->frontier.count; i++)
        fprintf(goal->text.file, "l%" PRIu64 " requires l%" PRIu64 "\n", goal->label, goal->frontier.items[i]);
}

static void become_frontier(Goal *goal)
{
    goal->frontier.count = 0;
    *vec_push(&goal->frontier) = goal->label;
}

static void put_calc(Goal *goal, double nanoseconds)
{
    begin_operation(goal);
    fprintf(goal->text.file, "calc %.0f\n", round(nanoseconds));
    require_frontier(goal);
    become_frontier(goal);
}

static void put_computation(ActionSink *sink, double seconds)
{
    put_calc((Goal *)sink, 1e9 * seconds);
}

/* LogGOPSim charges a message for the bytes behind its first one, so each message has one. */
static double size_of(Goal *goal, double bytes)
{
    goal->n_empty += round(bytes) < 1;
    return fmax(round(bytes), 1);
}

static void put_operation(ActionSink *sink, MessageKind kind, uint32_t peer, int32_t tag, double bytes, uint64_t handle)
{
    Goal *goal = (Goal *)sink;
    const bool sends = kind == MESSAGE_SEND || kind == MESSAGE_ISEND,
               blocks = kind == MESSAGE_SEND || kind == MESSAGE_RECV;
    if (!blocks && goal->frontier.count > 1) /* many messages would require as many others */
        put_calc(goal, 0);
    begin_operation(goal);
    fprintf(goal->text.file, "%s %.0fb %s %u tag %" PRId32 "\n", sends ? "send" : "recv", size_of(goal, bytes),
            sends ? "to" : "from", peer, tag);
    require_frontier(goal);
    if (blocks)
        become_frontier(goal);
    else
        *map_put(&goal->label_of, (MapKey){0, handle}, NULL) = goal->label;
}

static void put_wait(ActionSink *sink, bool receives, uint32_t peer, int32_t tag, uint64_t handle)
{
    (void)receives, (void)peer, (void)tag;
    Goal *goal = (Goal *)sink;
    const uint64_t *label = map_get(&goal->label_of, (MapKey){0, handle});
    if (label)
        *vec_push(&goal->frontier) = *label;
}

static bool write_process(Goal *goal, TraceWalk *walk, uint32_t process, Err *err)
{
    fprintf(goal->text.file, "rank %u {\n", process);
    const bool ok = walk_next(walk, &goal->sink, err);
    if (!goal->label)
        put_calc(goal, 0); /* a process without operations is none */
    fputs("}\n", goal->text.file);
    goal->label = 0;
    goal->frontier.count = 0;
    map_free(&goal->label_of);
    return ok;
}

static bool write_processes(Goal *goal, TraceWalk *walk, uint32_t n, const Progress *progress, Err *err)
{
    fprintf(goal->text.file, "num_ranks %u\n", n);
    for (uint32_t process = 0; process < n; process++) {
        if (!write_process(goal, walk, process, err))
            return false;
        progress_report(progress, "writing the schedule", process + 1, n);
    }
    return true;
}

bool goal_write(EventSource *source, const char *path, const GoalOptions *options, const Progress *progress,
                Notes *notes, GoalSummary *summary, Err *err)
{
    const uint32_t n = source->trace->application.n_processes;
    const WalkOptions walk_options = {options->library, options->leaves_out_collectives};
    Goal goal = {.sink = {put_computation, put_operation, put_wait, NULL}};
    TraceWalk *walk;
    if (!walk_read(source, &walk_options, progress, &walk, err))
        return false;
    Arena *arena = arena_new();
    bool ok = text_file_open(&goal.text, path, path, arena, err);
    if (ok)
        ok = text_file_close(&goal.text, write_processes(&goal, walk, n, progress, err), err);
    if (ok) {
        walk_note(walk, notes);
        if (goal.n_empty)
            notes_add(notes,
                      "%" PRIu64 " messages without bytes have one, because simulators of GOAL charge for size - 1",
                      goal.n_empty / 2);
        *summary = (GoalSummary){.n_processes = n, .n_operations = goal.n_operations};
    }
    vec_free(&goal.frontier);
    map_free(&goal.label_of);
    walk_free(walk);
    arena_free(arena);
    return ok;
}
