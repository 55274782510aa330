/* SPDX-License-Identifier: BSD-3-Clause */
/* The master of a run. It sends each worker a batch's data in one message, and receives the
 * worker's results in one message, level by level of the flow, as in the model. A worker's error
 * ends the run. */
#include "base/json.h"
#include "base/monotonic.h"
#include "base/vec.h"
#include "cost/run/protocol.h"
#include "cost/run/worker/messages.h"
#include "cost/run/worker/roles.h"

#include <math.h>
#include <string.h>

typedef struct Span {
    double begin_s, end_s;
} Span;

/* A message on its way: one direction of a batch with a worker. */
typedef struct Exchange {
    uint64_t batch, worker;
    bool is_result;
    char *buffer; /* of results */
} Exchange;

typedef struct Master {
    const Plan *plan;
    double start_s;
    char *data;     /* the sent bytes, the same for all workers */
    Span *batches;  /* [n_batches] */
    double *ends_s; /* [n_workers] */
    char (*hosts)[HOST_ROOM];
    /* [n_workers] as the worker sends them: seconds, value, … in the order of its tasks. */
    double **times;
    VEC(MPI_Request) requests;
    VEC(Exchange) exchanges; /* one for each request */
} Master;

static double elapsed_s(const Master *master)
{
    return monotonic_s() - master->start_s;
}

/* Whether a worker has failed; then *err is its error. */
static bool has_failed(Err *err)
{
    int is_there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG_FAILURE, MPI_COMM_WORLD, &is_there, &status);
    if (is_there)
        messages_receive(err, sizeof *err, status.MPI_SOURCE, TAG_FAILURE);
    return is_there != 0;
}

/* Receives from a worker. False if a worker fails instead. */
static bool receive(void *buffer, uint64_t bytes, uint64_t worker, int tag, Err *err)
{
    MPI_Request request;
    Backoff backoff = backoff_begin();
    MPI_Irecv(buffer, (int)bytes, MPI_BYTE, (int)worker + 1, tag, MPI_COMM_WORLD, &request);
    for (int is_complete = 0;;) {
        MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
        if (is_complete)
            return true;
        if (has_failed(err))
            return false;
        backoff_sleep(&backoff);
    }
}

static void begin(Master *master, uint64_t batch, uint64_t worker)
{
    const PlanBatch *what = &master->plan->batches[batch];
    char *buffer = memory_resize(NULL, what->returns[worker] + 1);
    *vec_push(&master->exchanges) = (Exchange){batch, worker, true, buffer};
    MPI_Irecv(buffer, (int)what->returns[worker], MPI_BYTE, (int)worker + 1, TAG_RESULTS, MPI_COMM_WORLD,
              vec_push(&master->requests));
    *vec_push(&master->exchanges) = (Exchange){batch, worker, false, NULL};
    MPI_Isend(master->data, (int)what->receives[worker], MPI_BYTE, (int)worker + 1, TAG_DATA, MPI_COMM_WORLD,
              vec_push(&master->requests));
}

static void note_end(Master *master, const Exchange *exchange)
{
    if (!exchange->is_result)
        return;
    double now_s = elapsed_s(master);
    master->batches[exchange->batch].end_s = now_s;
    master->ends_s[exchange->worker] = now_s;
}

/* Waits until all messages have arrived. */
static bool await_all(Master *master, int *finished, MPI_Status *statuses, Err *err)
{
    size_t left = master->requests.count;
    Backoff backoff = backoff_begin();
    while (left) {
        int n;
        MPI_Testsome((int)master->requests.count, master->requests.items, &n, finished, statuses);
        for (int i = 0; i < n; i++)
            note_end(master, &master->exchanges.items[finished[i]]);
        left -= (size_t)n;
        if (n)
            backoff = backoff_begin();
        else if (has_failed(err))
            return false;
        else
            backoff_sleep(&backoff);
    }
    return true;
}

static bool run_level(Master *master, uint64_t first, uint64_t end, Err *err)
{
    for (uint64_t i = first; i < end; i++) {
        master->batches[i].begin_s = elapsed_s(master);
        for (uint64_t worker = 0; worker < master->plan->n_workers; worker++)
            if (master->plan->batches[i].counts[worker])
                begin(master, i, worker);
    }
    int *finished = memory_zeroed(master->requests.count + 1, sizeof *finished);
    MPI_Status *statuses = memory_zeroed(master->requests.count + 1, sizeof *statuses);
    bool ok = await_all(master, finished, statuses, err);
    for (size_t i = 0; ok && i < master->exchanges.count; i++)
        free(master->exchanges.items[i].buffer);
    master->exchanges.count = master->requests.count = 0;
    free(finished);
    free(statuses);
    return ok;
}

static bool run_levels(Master *master, Err *err)
{
    const Plan *plan = master->plan;
    for (uint64_t first = 0, end; first < plan->n_batches; first = end) {
        for (end = first; end < plan->n_batches && plan->batches[end].level == plan->batches[first].level;)
            end++;
        if (!run_level(master, first, end, err))
            return false;
    }
    return true;
}

static uint64_t most_bytes(const Plan *plan)
{
    uint64_t most = 1;
    for (uint64_t i = 0; i < plan->n_batches; i++)
        for (uint64_t worker = 0; worker < plan->n_workers; worker++)
            most = plan->batches[i].receives[worker] > most ? plan->batches[i].receives[worker] : most;
    return most;
}

static uint64_t count_tasks(const Plan *plan, uint64_t worker)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < plan->n_batches; i++)
        n += plan->batches[i].counts[worker];
    return n;
}

/* ---- times ----------------------------------------------------------------------------------- */

static bool gather_times(Master *master, Arena *arena, Err *err)
{
    for (uint64_t worker = 0; worker < master->plan->n_workers; worker++) {
        uint64_t n = count_tasks(master->plan, worker);
        master->times[worker] = arena_new_array(arena, double, 2 * n);
        if (!receive(master->hosts[worker], HOST_ROOM, worker, TAG_TIMES, err) ||
            !receive(master->times[worker], 2 * n * sizeof(double), worker, TAG_TIMES, err))
            return false;
    }
    return true;
}

static json_t *describe_batch(const PlanBatch *batch, const Span *span, double **next)
{
    json_t *times = json_array(), *values = json_array();
    for (uint64_t worker = 0, task = 0; task < batch->n_tasks; worker++)
        for (uint64_t i = 0; i < batch->counts[worker]; i++, task++) {
            double time_s = *next[worker]++, value = *next[worker]++;
            json_array_append_new(times, json_real(time_s));
            json_array_append_new(values, isfinite(value) ? json_real(value) : json_null());
        }
    return json_pack("{s:f, s:f, s:o, s:o}", "begin_s", span->begin_s, "end_s", span->end_s, "task_s", times, "value",
                     values);
}

static json_t *describe_worker(const Master *master, uint64_t worker)
{
    double busy_s = 0;
    for (uint64_t i = 0; i < count_tasks(master->plan, worker); i++)
        busy_s += master->times[worker][2 * i];
    return json_pack("{s:o, s:f, s:f}", "host", json_from_text(master->hosts[worker]), "end_s", master->ends_s[worker],
                     "busy_s", busy_s);
}

static bool save(const Master *master, double seconds, const char *library, Arena *arena, Err *err)
{
    const Plan *plan = master->plan;
    json_t *workers = json_array(), *batches = json_array();
    double **next = arena_new_array(arena, double *, plan->n_workers);
    for (uint64_t i = 0; i < plan->n_workers; i++) {
        next[i] = master->times[i];
        json_array_append_new(workers, describe_worker(master, i));
    }
    for (uint64_t i = 0; i < plan->n_batches; i++)
        json_array_append_new(batches, describe_batch(&plan->batches[i], &master->batches[i], next));
    json_t *root =
        json_pack("{s:s, s:i, s:f, s:o, s:o, s:o}", "format", RUN_RESULTS_FORMAT, "version", RUN_VERSION, "seconds",
                  seconds, "library", json_from_text(library), "workers", workers, "batches", batches);
    bool ok = json_save_document(root, plan->results, err);
    json_decref(root);
    return ok;
}

void master_save_error(const Plan *plan, const Err *err)
{
    Err unsaved = {0};
    json_t *root = json_pack("{s:s, s:i, s:{s:o, s:i}}", "format", RUN_RESULTS_FORMAT, "version", RUN_VERSION, "error",
                             "message", json_from_text(err->message), "kind", (int)err->kind);
    if (!json_save_document(root, plan->results, &unsaved))
        fprintf(stderr, "%s; %s\n", err->message, unsaved.message);
    json_decref(root);
}

static bool await_ready(const Plan *plan, Err *err)
{
    for (uint64_t worker = 0; worker < plan->n_workers; worker++)
        if (!receive(NULL, 0, worker, TAG_READY, err))
            return false;
    return true;
}

bool master_run(const Plan *plan, const char *library, Arena *arena, Err *err)
{
    Master master = {.plan = plan};
    uint64_t most = most_bytes(plan);
    master.batches = arena_new_array(arena, Span, plan->n_batches);
    master.ends_s = arena_new_array(arena, double, plan->n_workers);
    master.hosts = arena_alloc(arena, plan->n_workers * sizeof *master.hosts);
    master.times = arena_new_array(arena, double *, plan->n_workers);
    master.data = memory_resize(NULL, most);
    memset(master.data, 1, most);
    bool ok = await_ready(plan, err);
    master.start_s = monotonic_s();
    ok = ok && run_levels(&master, err);
    double seconds = elapsed_s(&master);
    ok = ok && gather_times(&master, arena, err) && save(&master, seconds, library, arena, err);
    free(master.data);
    vec_free(&master.requests);
    vec_free(&master.exchanges);
    return ok;
}
