/* SPDX-License-Identifier: BSD-3-Clause */
/* A worker of a run. It receives the data of a piece of a batch, has the tasks run one after the other, and returns
 * their results, until the master ends the run. Then it sends the times. */
#include "cost/run/worker/executor.h"
#include "cost/run/worker/messages.h"
#include "cost/run/worker/roles.h"

#include "base/vec.h"
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

typedef struct WorkerState {
    const Plan *plan;
    uint64_t worker;
    Arena *arena;
    Executor **executors; /* [n_executors]; NULL: not needed */
    VEC(double) times;    /* of all its tasks: seconds, value, … */
} WorkerState;

static bool needs(const Plan *plan, uint64_t worker, uint64_t executor)
{
    for (uint64_t i = 0; i < plan->n_pieces; i++)
        if (plan->batches[plan->pieces[i].batch].executor == executor && plan_may_get(&plan->pieces[i], worker))
            return true;
    return false;
}

static bool start(WorkerState *state, Err *err)
{
    const Plan *plan = state->plan;
    for (uint64_t i = 0; i < plan->n_executors; i++)
        if (needs(plan, state->worker, i) &&
            !executor_start(plan->executors[i], plan->limit_s, state->arena, &state->executors[i], err))
            return false;
    return true;
}

static bool run_task(WorkerState *state, const PlanBatch *batch, uint64_t task, Err *err)
{
    double time_s, value;
    const double *arguments = &batch->arguments[task * batch->n_arguments];
    if (executor_run(state->executors[batch->executor], batch->entry, arguments, batch->n_arguments, &time_s, &value,
                     err)) {
        *vec_push(&state->times) = time_s;
        *vec_push(&state->times) = value;
        return true;
    }
    char host[HOST_ROOM] = "";
    gethostname(host, sizeof host - 1);
    return err_prefix(err, "batch `%s`, task %" PRIu64 " (worker %" PRIu64 ", on %s)", batch->name,
                      batch->numbers[task], state->worker + 1, host);
}

static bool run_piece(WorkerState *state, const PlanPiece *piece, void *buffer, Err *err)
{
    for (uint64_t i = 0; i < piece->count; i++)
        if (!run_task(state, &state->plan->batches[piece->batch], piece->first + i, err))
            return false;
    messages_send(buffer, piece->returns, 0, TAG_RESULTS);
    return true;
}

static bool run_pieces(WorkerState *state, Err *err)
{
    const Plan *plan = state->plan;
    uint64_t most = 1;
    for (uint64_t i = 0; i < plan->n_pieces; i++)
        if (plan_may_get(&plan->pieces[i], state->worker)) {
            most = plan->pieces[i].receives > most ? plan->pieces[i].receives : most;
            most = plan->pieces[i].returns > most ? plan->pieces[i].returns : most;
        }
    char *buffer = memory_resize(NULL, most);
    memset(buffer, 1, most); /* untouched pages would cost more the first time */
    messages_send(NULL, 0, 0, TAG_READY);
    bool ok = true;
    for (int tag; ok && (tag = messages_receive_any(buffer, most, 0)) != TAG_END;)
        ok = run_piece(state, &plan->pieces[tag - TAG_DATA], buffer, err);
    free(buffer);
    return ok;
}

static void send_times(const WorkerState *state)
{
    char host[HOST_ROOM] = "";
    gethostname(host, sizeof host - 1);
    messages_send(host, sizeof host, 0, TAG_TIMES);
    messages_send(state->times.items, state->times.count * sizeof(double), 0, TAG_TIMES);
}

bool worker_run(const Plan *plan, uint64_t worker, Arena *arena, Err *err)
{
    WorkerState state = {.plan = plan, .worker = worker, .arena = arena};
    state.executors = arena_new_array(arena, Executor *, plan->n_executors);
    bool ok = start(&state, err) && run_pieces(&state, err);
    for (uint64_t i = 0; i < plan->n_executors; i++)
        executor_end(state.executors[i]);
    if (ok)
        send_times(&state);
    vec_free(&state.times);
    return ok;
}
