/* SPDX-License-Identifier: BSD-3-Clause */
/* A worker of a run. It receives a batch's data, has the tasks run one after the other, and returns
 * their results. It sends the times when the run is over. */
#include "cost/run/worker/executor.h"
#include "cost/run/worker/messages.h"
#include "cost/run/worker/roles.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

typedef struct WorkerState {
    const Plan *plan;
    uint64_t worker;
    Arena *arena;
    Executor **executors; /* [n_executors]; NULL: not needed */
    double *times;        /* of all its tasks: seconds, value, … */
    uint64_t n_done;
} WorkerState;

static bool needs(const Plan *plan, uint64_t worker, uint64_t executor)
{
    for (uint64_t i = 0; i < plan->n_batches; i++)
        if (plan->batches[i].executor == executor && plan->batches[i].counts[worker])
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
    double *time = &state->times[2 * state->n_done++];
    const double *arguments = &batch->arguments[task * batch->n_arguments];
    if (executor_run(state->executors[batch->executor], batch->entry, arguments, batch->n_arguments, &time[0], &time[1],
                     err))
        return true;
    char host[HOST_ROOM] = "";
    gethostname(host, sizeof host - 1);
    return err_prefix(err, "batch `%s`, task %" PRIu64 " (worker %" PRIu64 ", on %s)", batch->name,
                      batch->numbers[task], state->worker + 1, host);
}

static bool run_batch(WorkerState *state, const PlanBatch *batch, void *buffer, Err *err)
{
    uint64_t first = plan_first(batch, state->worker), n = batch->counts[state->worker];
    if (n == 0)
        return true;
    messages_receive(buffer, batch->receives[state->worker], 0, TAG_DATA);
    for (uint64_t i = 0; i < n; i++)
        if (!run_task(state, batch, first + i, err))
            return false;
    messages_send(buffer, batch->returns[state->worker], 0, TAG_RESULTS);
    return true;
}

static bool run_batches(WorkerState *state, Err *err)
{
    const Plan *plan = state->plan;
    uint64_t most = 1;
    for (uint64_t i = 0; i < plan->n_batches; i++) {
        const PlanBatch *batch = &plan->batches[i];
        most = batch->receives[state->worker] > most ? batch->receives[state->worker] : most;
        most = batch->returns[state->worker] > most ? batch->returns[state->worker] : most;
    }
    char *buffer = memory_resize(NULL, most);
    memset(buffer, 1, most); /* untouched pages would cost more the first time */
    messages_send(NULL, 0, 0, TAG_READY);
    bool ok = true;
    for (uint64_t i = 0; ok && i < plan->n_batches; i++)
        ok = run_batch(state, &plan->batches[i], buffer, err);
    free(buffer);
    return ok;
}

static void send_times(const WorkerState *state)
{
    char host[HOST_ROOM] = "";
    gethostname(host, sizeof host - 1);
    messages_send(host, sizeof host, 0, TAG_TIMES);
    messages_send(state->times, 2 * state->n_done * sizeof(double), 0, TAG_TIMES);
}

bool worker_run(const Plan *plan, uint64_t worker, Arena *arena, Err *err)
{
    WorkerState state = {.plan = plan, .worker = worker, .arena = arena};
    uint64_t n = 0;
    for (uint64_t i = 0; i < plan->n_batches; i++)
        n += plan->batches[i].counts[worker];
    state.executors = arena_new_array(arena, Executor *, plan->n_executors);
    state.times = arena_new_array(arena, double, 2 * n);
    bool ok = start(&state, err) && run_batches(&state, err);
    for (uint64_t i = 0; i < plan->n_executors; i++)
        executor_end(state.executors[i]);
    if (ok)
        send_times(&state);
    return ok;
}
