/* SPDX-License-Identifier: BSD-3-Clause */
/* A worker of a run: gets a batch's data, has its tasks run one after the other, returns their results; times follow
 * when all is over. */
#include "cost/run/worker/executor.h"
#include "cost/run/worker/messages.h"
#include "cost/run/worker/roles.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

typedef struct Working {
    const Plan *plan;
    uint64_t worker;
    Arena *arena;
    Executor **executors; /* [n_executors]; NULL: none of its tasks needs it */
    double *times;        /* of all its tasks: seconds, value, … */
    uint64_t n_done;
} Working;

static bool needs(const Plan *plan, uint64_t worker, uint64_t executor)
{
    for (uint64_t i = 0; i < plan->n_batches; i++)
        if (plan->batches[i].executor == executor && plan->batches[i].counts[worker])
            return true;
    return false;
}

static bool start(Working *working, Err *err)
{
    const Plan *plan = working->plan;
    for (uint64_t i = 0; i < plan->n_executors; i++)
        if (needs(plan, working->worker, i) &&
            !executor_start(plan->executors[i], plan->limit_s, working->arena, &working->executors[i], err))
            return false;
    return true;
}

static bool run_task(Working *working, const PlanBatch *batch, uint64_t task, Err *err)
{
    double *time = &working->times[2 * working->n_done++];
    const double *arguments = &batch->arguments[task * batch->n_arguments];
    if (executor_run(working->executors[batch->executor], batch->entry, arguments, batch->n_arguments, &time[0],
                     &time[1], err))
        return true;
    char host[HOST_ROOM] = "";
    gethostname(host, sizeof host - 1);
    return err_prefix(err, "batch `%s`, task %" PRIu64 " (worker %" PRIu64 ", on %s)", batch->name,
                      batch->numbers[task], working->worker + 1, host);
}

static bool run_batch(Working *working, const PlanBatch *batch, void *buffer, Err *err)
{
    uint64_t first = plan_first(batch, working->worker), n = batch->counts[working->worker];
    if (n == 0)
        return true;
    messages_receive(buffer, batch->receives[working->worker], 0, TAG_DATA);
    for (uint64_t i = 0; i < n; i++)
        if (!run_task(working, batch, first + i, err))
            return false;
    messages_send(buffer, batch->returns[working->worker], 0, TAG_RESULTS);
    return true;
}

static bool run_batches(Working *working, Err *err)
{
    const Plan *plan = working->plan;
    uint64_t most = 1;
    for (uint64_t i = 0; i < plan->n_batches; i++) {
        const PlanBatch *batch = &plan->batches[i];
        most = batch->receives[working->worker] > most ? batch->receives[working->worker] : most;
        most = batch->returns[working->worker] > most ? batch->returns[working->worker] : most;
    }
    char *buffer = memory_resize(NULL, most);
    memset(buffer, 1, most); /* pages that nobody has touched would take longer the first time */
    messages_send(NULL, 0, 0, TAG_READY);
    bool ok = true;
    for (uint64_t i = 0; ok && i < plan->n_batches; i++)
        ok = run_batch(working, &plan->batches[i], buffer, err);
    free(buffer);
    return ok;
}

static void tell(const Working *working)
{
    char host[HOST_ROOM] = "";
    gethostname(host, sizeof host - 1);
    messages_send(host, sizeof host, 0, TAG_TIMES);
    messages_send(working->times, 2 * working->n_done * sizeof(double), 0, TAG_TIMES);
}

bool worker_run(const Plan *plan, uint64_t worker, Arena *arena, Err *err)
{
    Working working = {.plan = plan, .worker = worker, .arena = arena};
    uint64_t n = 0;
    for (uint64_t i = 0; i < plan->n_batches; i++)
        n += plan->batches[i].counts[worker];
    working.executors = arena_new_array(arena, Executor *, plan->n_executors);
    working.times = arena_new_array(arena, double, 2 * n);
    bool ok = start(&working, err) && run_batches(&working, err);
    for (uint64_t i = 0; i < plan->n_executors; i++)
        executor_end(working.executors[i]);
    if (ok)
        tell(&working);
    return ok;
}
