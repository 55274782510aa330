/* SPDX-License-Identifier: BSD-3-Clause */
/* The master of a run. It sends the data of each piece of a batch in one message, and receives the results in one
 * message, level by level of the flow, as in the model. Pieces of a certain worker are sent when the level begins. Of
 * the others, each free worker gets the next one. A worker's error ends the run. */
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
    bool has_begun;
} Span;

/* A message on its way: one direction of a piece with a worker. */
typedef struct Exchange {
    uint64_t piece, worker;
    bool is_result;
    char *buffer; /* of results */
} Exchange;

/* What a worker did. */
typedef struct Work {
    double end_s;
    char host[HOST_ROOM];
    VEC(uint64_t) pieces; /* in its order */
    double *times;        /* as the worker sends them: seconds, value, … */
} Work;

/* What a task took and returned, and who had it. */
typedef struct Outcome {
    double time_s, value;
    uint64_t worker;
} Outcome;

typedef struct Master {
    const Plan *plan;
    double start_s;
    char *data;                       /* the sent bytes, the same for all workers */
    Span *batches;                    /* [n_batches] */
    Work *workers;                    /* [n_workers] */
    uint64_t next_free, end_of_level; /* pieces that any worker may get */
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

static void begin(Master *master, uint64_t index, uint64_t worker)
{
    const PlanPiece *piece = &master->plan->pieces[index];
    Span *batch = &master->batches[piece->batch];
    char *buffer = memory_resize(NULL, piece->returns + 1);
    if (!batch->has_begun)
        *batch = (Span){elapsed_s(master), 0, true};
    *vec_push(&master->workers[worker].pieces) = index;
    *vec_push(&master->exchanges) = (Exchange){index, worker, true, buffer};
    MPI_Irecv(buffer, (int)piece->returns, MPI_BYTE, (int)worker + 1, TAG_RESULTS, MPI_COMM_WORLD,
              vec_push(&master->requests));
    *vec_push(&master->exchanges) = (Exchange){index, worker, false, NULL};
    MPI_Isend(master->data, (int)piece->receives, MPI_BYTE, (int)worker + 1, TAG_DATA + (int)index, MPI_COMM_WORLD,
              vec_push(&master->requests));
}

/* Gives the worker the next piece that is for any worker, if there is one. */
static void begin_next(Master *master, uint64_t worker)
{
    while (master->next_free < master->end_of_level && master->plan->pieces[master->next_free].worker)
        master->next_free++;
    if (master->next_free < master->end_of_level)
        begin(master, master->next_free++, worker);
}

static void end_exchange(Master *master, Exchange exchange)
{
    if (!exchange.is_result)
        return;
    const PlanPiece *piece = &master->plan->pieces[exchange.piece];
    double now_s = elapsed_s(master);
    master->batches[piece->batch].end_s = now_s;
    master->workers[exchange.worker].end_s = now_s;
    free(exchange.buffer);
    if (!piece->worker)
        begin_next(master, exchange.worker);
}

/* Completes what has arrived. Requests that are done have become MPI_REQUEST_NULL. */
static bool end_some(Master *master)
{
    const size_t n = master->requests.count;
    size_t kept = 0;
    VEC(Exchange) done = {0};
    int n_done, *indexes = memory_resize(NULL, n * sizeof *indexes);
    MPI_Status *statuses = memory_resize(NULL, n * sizeof *statuses);
    MPI_Testsome((int)n, master->requests.items, &n_done, indexes, statuses);
    for (int i = 0; i < n_done; i++)
        *vec_push(&done) = master->exchanges.items[indexes[i]];
    for (size_t i = 0; n_done && i < n; i++)
        if (master->requests.items[i] != MPI_REQUEST_NULL) {
            master->requests.items[kept] = master->requests.items[i];
            master->exchanges.items[kept++] = master->exchanges.items[i];
        }
    if (n_done)
        master->requests.count = master->exchanges.count = kept;
    for (size_t i = 0; i < done.count; i++)
        end_exchange(master, done.items[i]);
    vec_free(&done);
    free(statuses);
    free(indexes);
    return n_done > 0;
}

/* Waits until all messages have arrived. */
static bool await_all(Master *master, Err *err)
{
    Backoff backoff = backoff_begin();
    while (master->requests.count) {
        if (end_some(master))
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
    const Plan *plan = master->plan;
    master->next_free = first;
    master->end_of_level = end;
    for (uint64_t i = first; i < end; i++)
        if (plan->pieces[i].worker)
            begin(master, i, plan->pieces[i].worker - 1);
    for (uint64_t worker = 0; worker < plan->n_workers; worker++)
        begin_next(master, worker);
    return await_all(master, err);
}

static bool run_levels(Master *master, Err *err)
{
    const Plan *plan = master->plan;
    for (uint64_t first = 0, end; first < plan->n_pieces; first = end) {
        const uint64_t level = plan->batches[plan->pieces[first].batch].level;
        for (end = first; end < plan->n_pieces && plan->batches[plan->pieces[end].batch].level == level;)
            end++;
        if (!run_level(master, first, end, err))
            return false;
    }
    return true;
}

static uint64_t most_bytes(const Plan *plan)
{
    uint64_t most = 1;
    for (uint64_t i = 0; i < plan->n_pieces; i++)
        most = plan->pieces[i].receives > most ? plan->pieces[i].receives : most;
    return most;
}

/* ---- times ----------------------------------------------------------------------------------- */

static uint64_t count_tasks(const Plan *plan, const Work *work)
{
    uint64_t n = 0;
    for (size_t i = 0; i < work->pieces.count; i++)
        n += plan->pieces[work->pieces.items[i]].count;
    return n;
}

static bool gather_times(Master *master, Arena *arena, Err *err)
{
    for (uint64_t worker = 0; worker < master->plan->n_workers; worker++)
        messages_send(NULL, 0, (int)worker + 1, TAG_END);
    for (uint64_t worker = 0; worker < master->plan->n_workers; worker++) {
        Work *work = &master->workers[worker];
        uint64_t n = count_tasks(master->plan, work);
        work->times = arena_new_array(arena, double, 2 * n);
        if (!receive(work->host, HOST_ROOM, worker, TAG_TIMES, err) ||
            !receive(work->times, 2 * n * sizeof(double), worker, TAG_TIMES, err))
            return false;
    }
    return true;
}

/* [n_batches][n_tasks] */
static Outcome **sort_times(const Master *master, Arena *arena)
{
    const Plan *plan = master->plan;
    Outcome **outcomes = arena_new_array(arena, Outcome *, plan->n_batches);
    for (uint64_t i = 0; i < plan->n_batches; i++)
        outcomes[i] = arena_new_array(arena, Outcome, plan->batches[i].n_tasks);
    for (uint64_t worker = 0; worker < plan->n_workers; worker++) {
        const Work *work = &master->workers[worker];
        const double *next = work->times;
        for (size_t i = 0; i < work->pieces.count; i++) {
            const PlanPiece *piece = &plan->pieces[work->pieces.items[i]];
            for (uint64_t k = 0; k < piece->count; k++, next += 2)
                outcomes[piece->batch][piece->first + k] = (Outcome){next[0], next[1], worker + 1};
        }
    }
    return outcomes;
}

static json_t *describe_batch(const PlanBatch *batch, const Span *span, const Outcome *outcomes)
{
    json_t *times = json_array(), *values = json_array(), *workers = json_array();
    for (uint64_t task = 0; task < batch->n_tasks; task++) {
        const Outcome *outcome = &outcomes[task];
        json_array_append_new(times, json_real(outcome->time_s));
        json_array_append_new(values, isfinite(outcome->value) ? json_real(outcome->value) : json_null());
        json_array_append_new(workers, json_integer((json_int_t)outcome->worker));
    }
    return json_pack("{s:f, s:f, s:o, s:o, s:o}", "begin_s", span->begin_s, "end_s", span->end_s, "task_s", times,
                     "value", values, "worker", workers);
}

static json_t *describe_worker(const Plan *plan, const Work *work)
{
    double busy_s = 0;
    const uint64_t n = count_tasks(plan, work);
    for (uint64_t i = 0; i < n; i++)
        busy_s += work->times[2 * i];
    return json_pack("{s:o, s:f, s:f}", "host", json_from_text(work->host), "end_s", work->end_s, "busy_s", busy_s);
}

static bool save(const Master *master, double seconds, const char *library, Arena *arena, Err *err)
{
    const Plan *plan = master->plan;
    json_t *workers = json_array(), *batches = json_array();
    Outcome **outcomes = sort_times(master, arena);
    for (uint64_t i = 0; i < plan->n_workers; i++)
        json_array_append_new(workers, describe_worker(plan, &master->workers[i]));
    for (uint64_t i = 0; i < plan->n_batches; i++)
        json_array_append_new(batches, describe_batch(&plan->batches[i], &master->batches[i], outcomes[i]));
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

/* Pieces are told apart by tags, of which an MPI may have as few as 32 768. */
static bool check_tags(const Plan *plan, const char *library, Err *err)
{
    int *most, is_there;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, (void *)&most, &is_there);
    return !is_there || plan->n_pieces <= (uint64_t)*most - TAG_DATA ||
           err_set(err, ERR_ENVIRONMENT, "%s has tags up to %d, too few for the run's %llu messages to workers",
                   library, *most, (unsigned long long)plan->n_pieces);
}

bool master_run(const Plan *plan, const char *library, Arena *arena, Err *err)
{
    Master master = {.plan = plan};
    uint64_t most = most_bytes(plan);
    master.batches = arena_new_array(arena, Span, plan->n_batches);
    master.workers = arena_alloc_array(arena, plan->n_workers, sizeof *master.workers);
    master.data = memory_resize(NULL, most);
    memset(master.data, 1, most);
    bool ok = check_tags(plan, library, err) && await_ready(plan, err);
    master.start_s = monotonic_s();
    ok = ok && run_levels(&master, err);
    double seconds = elapsed_s(&master);
    ok = ok && gather_times(&master, arena, err) && save(&master, seconds, library, arena, err);
    free(master.data);
    for (uint64_t i = 0; i < plan->n_workers; i++)
        vec_free(&master.workers[i].pieces);
    vec_free(&master.requests);
    vec_free(&master.exchanges);
    return ok;
}
