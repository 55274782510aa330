/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives the actions of a TI archive times. Computation takes its amount; messages and collectives
 * take no time of their own, but each call takes CALL_NS. So a process waits only until another one
 * has sent, or has come to the collective. The process with the earliest time acts next, so a
 * receive from any source gets the message that was sent first. Sends never wait.
 *
 * Every collective is one of all processes: the k-th of each process are the same one. At a
 * broadcast or scatter, processes wait for the root; at a reduction to a root or a gather, the root
 * waits for all; otherwise all wait for all. */
#include "trace/import/ti.h"

#include "base/heap.h"
#include "base/map.h"
#include "base/spool.h"
#include "model/event.h"
#include "trace/calls.h"
#include <string.h>

/* Calls of no duration couldn't be told apart (event_is_of_call()), and OTF2 3.0.2 can't read on
 * behind a chunk of events of one time. */
enum { CALL_NS = 1, SPOOL_BYTES = 256 << 20 };

static const double TIME_LIMIT_NS = (double)(INT64_C(1) << 58);

typedef struct Message {
    uint32_t source;
    int32_t tag;
    uint64_t bytes;
    int64_t sent_ns;
} Message;

typedef enum RequestKind { REQUEST_SEND, REQUEST_RECEIVE, REQUEST_COLLECTIVE } RequestKind;

typedef struct Request {
    uint8_t kind;                     /* RequestKind */
    bool is_blocking;                 /* of a blocking receive */
    bool is_done;                     /* not for collectives */
    int32_t source, destination, tag; /* as the action says; may be wildcards */
    Message message;                  /* that came, if it is done */
    int64_t done_ns;
    uint64_t id;
    size_t instance; /* of a collective */
    Record record;   /* of a collective */
} Request;

/* One collective of all processes. */
typedef struct Instance {
    uint8_t collective;
    int32_t root;
    uint32_t first_rank, first_line; /* who came first, for messages */
    uint32_t n_here;
    int64_t latest_ns, root_ns; /* root_ns -1: the root hasn't come */
} Instance;

typedef struct Process {
    size_t at;     /* the current action */
    bool is_begun; /* the action waits for something */
    bool is_ended;
    bool is_queued;
    double now_ns; /* with fractions, so that many short computations add up */
    int64_t enter_ns;
    int64_t init_enter_ns, init_leave_ns, finalize_ns; /* -1: not reached */
    VEC(Request) requests;                             /* open, in the order of posting */
    VEC(Message) arrived;                              /* that no receive has taken, in order */
    uint64_t n_requests;
    size_t n_collectives; /* so far */
    size_t instance;      /* of the current action */
} Process;

typedef struct Turn {
    double now_ns;
    uint32_t rank;
} Turn;

typedef struct Replay {
    Ti *ti;
    double ns_per_amount;
    Process *processes;
    VEC(Turn) turns;
    VEC(Instance) instances;
    Spool *records; /* a stream for each process */
    Err *err;
} Replay;

static bool turn_order(const void *left, const void *right)
{
    const Turn *x = left, *y = right;
    return x->now_ns != y->now_ns ? x->now_ns < y->now_ns : x->rank < y->rank;
}

static void queue_turn(Replay *replay, uint32_t rank)
{
    Process *process = &replay->processes[rank];
    if (process->is_queued || process->is_ended)
        return;
    process->is_queued = true;
    const Turn turn = {process->now_ns, rank};
    vec_reserve(&replay->turns, 1);
    heap_put(replay->turns.items, replay->turns.count++, sizeof turn, &turn, turn_order);
}

static bool wrong(const Replay *replay, uint32_t rank, uint32_t line, const char *what)
{
    return err_set(replay->err, ERR_INPUT, "%s: line %u: process %u %s", replay->ti->files[rank], line, rank, what);
}

static const TiAction *action_of(const Replay *replay, uint32_t rank)
{
    return &replay->ti->actions[rank].items[replay->processes[rank].at];
}

static bool put(Replay *replay, uint32_t rank, const Record *record)
{
    return spool_write(replay->records, rank, record, replay->err);
}

static int64_t time_of(const Process *process)
{
    return (int64_t)process->now_ns;
}

/* A call from the process's entry until now, but of at least CALL_NS. Its events follow. */
static bool put_call(Replay *replay, uint32_t rank, uint16_t call)
{
    Process *process = &replay->processes[rank];
    if (process->now_ns < (double)(process->enter_ns + CALL_NS))
        process->now_ns = (double)(process->enter_ns + CALL_NS);
    const Record record = {.call = {.kind = RECORD_CALL,
                                    .call = call,
                                    .enter_ns = process->enter_ns + MADE_SHIFT_NS,
                                    .leave_ns = time_of(process) + MADE_SHIFT_NS}};
    return put(replay, rank, &record);
}

static bool put_message(Replay *replay, uint32_t rank, RecordKind kind, uint32_t peer, int32_t tag, uint64_t bytes,
                        uint64_t request)
{
    const Record record = {.message = {.kind = (uint8_t)kind,
                                       .peer = (int32_t)peer,
                                       .tag = tag < 0 ? 0 : tag,
                                       .bytes = bytes,
                                       .request = request}};
    return put(replay, rank, &record);
}

static bool advance(Replay *replay, uint32_t rank, double ns)
{
    Process *process = &replay->processes[rank];
    process->now_ns += ns;
    return process->now_ns < TIME_LIMIT_NS ||
           wrong(replay, rank, action_of(replay, rank)->line, "computes for decades");
}

static void wait_until(Process *process, int64_t time_ns)
{
    if (process->now_ns < (double)time_ns)
        process->now_ns = (double)time_ns;
}

/* --- receives from MPI_PROC_NULL --- */

/* What a process gets under a tag, over the whole trace. */
typedef struct Traffic {
    int64_t n_surplus; /* messages, less the receives that must get one */
    int64_t n_unclear; /* nonblocking receives without a source */
} Traffic;

typedef struct TrafficTable {
    Map number; /* (process, tag) -> index in list */
    VEC(Traffic) list;
    bool *any_tag; /* [n_processes] the process receives under any tag: all its tags count as one */
} TrafficTable;

static Traffic *traffic_of(TrafficTable *table, uint32_t rank, int32_t tag)
{
    const MapKey key = {rank, table->any_tag[rank] ? UINT32_MAX : (uint32_t)tag};
    const size_t number = map_number(&table->number, key, table->list.count);
    if (number == table->list.count)
        *vec_push(&table->list) = (Traffic){0};
    return &table->list.items[number];
}

static bool is_unclear(const TiAction *action)
{
    return action->kind == TI_IRECV && action->peer == TI_ANY;
}

static void count_traffic(const Ti *ti, TrafficTable *table)
{
    for (uint32_t rank = 0; rank < ti->n_processes; rank++)
        for (size_t i = 0; i < ti->actions[rank].count; i++) {
            const TiAction *action = &ti->actions[rank].items[i];
            table->any_tag[rank] |= (action->kind == TI_RECV || action->kind == TI_IRECV) && action->tag == TI_ANY;
        }
    for (uint32_t rank = 0; rank < ti->n_processes; rank++)
        for (size_t i = 0; i < ti->actions[rank].count; i++) {
            const TiAction *action = &ti->actions[rank].items[i];
            const bool exchanges = action->kind == TI_SENDRECV;
            if ((action->kind == TI_SEND || action->kind == TI_ISEND || exchanges) && action->peer >= 0)
                traffic_of(table, (uint32_t)action->peer, action->tag)->n_surplus++;
            if (is_unclear(action))
                traffic_of(table, rank, action->tag)->n_unclear++;
            else if (action->kind == TI_RECV || (action->kind == TI_IRECV && action->peer != TI_NOBODY) ||
                     (exchanges && action->source != TI_NOBODY))
                traffic_of(table, rank, action->tag)->n_surplus--;
        }
}

/* SMPI writes a nonblocking receive from MPI_PROC_NULL like one from MPI_ANY_SOURCE. If all messages
 * under its tag are needed by other receives, it is from MPI_PROC_NULL. */
static void find_receives_from_nobody(Ti *ti)
{
    TrafficTable table = {.any_tag = arena_new_array(ti->arena, bool, ti->n_processes)};
    count_traffic(ti, &table);
    for (uint32_t rank = 0; rank < ti->n_processes; rank++)
        for (size_t i = 0; i < ti->actions[rank].count; i++) {
            TiAction *action = &ti->actions[rank].items[i];
            if (!is_unclear(action))
                continue;
            const Traffic *traffic = traffic_of(&table, rank, action->tag);
            ti->n_unclear += traffic->n_surplus > 0 && traffic->n_surplus < traffic->n_unclear;
            if (traffic->n_surplus <= 0) {
                action->peer = TI_NOBODY;
                ti->n_from_nobody++;
            }
        }
    map_free(&table.number);
    vec_free(&table.list);
}

/* --- messages --- */

static bool accepts(const Request *request, const Message *message)
{
    return request->kind == REQUEST_RECEIVE && !request->is_done &&
           (request->source == TI_ANY || request->source == (int32_t)message->source) &&
           (request->tag == TI_ANY || request->tag == message->tag);
}

static void take_message(Request *request, const Message *message, int64_t now_ns)
{
    request->is_done = true;
    request->message = *message;
    request->done_ns = message->sent_ns > now_ns ? message->sent_ns : now_ns;
}

static void send(Replay *replay, uint32_t from, uint32_t to, int32_t tag, uint64_t bytes)
{
    Process *receiver = &replay->processes[to];
    const Message message = {from, tag, bytes, time_of(&replay->processes[from])};
    for (size_t i = 0; i < receiver->requests.count; i++)
        if (accepts(&receiver->requests.items[i], &message)) {
            take_message(&receiver->requests.items[i], &message, message.sent_ns);
            if (receiver->is_begun)
                queue_turn(replay, to);
            return;
        }
    *vec_push(&receiver->arrived) = message;
}

static Request *post(Process *process, const Request *request)
{
    Request *posted = vec_push(&process->requests);
    *posted = *request;
    posted->id = ++process->n_requests;
    for (size_t i = 0; posted->kind == REQUEST_RECEIVE && i < process->arrived.count; i++)
        if (accepts(posted, &process->arrived.items[i])) {
            take_message(posted, &process->arrived.items[i], time_of(process));
            process->arrived.count--;
            memmove(&process->arrived.items[i], &process->arrived.items[i + 1],
                    (process->arrived.count - i) * sizeof(Message));
            break;
        }
    return posted;
}

/* --- collectives --- */

/* Whether the collective is over for this process, and since when. */
static bool instance_is_over(const Replay *replay, const Instance *instance, uint32_t rank, int64_t *since_ns)
{
    const bool is_root = instance->root == (int32_t)rank;
    *since_ns = 0;
    if (collective_is_from_root(instance->collective)) {
        *since_ns = instance->root_ns;
        return is_root || instance->root_ns >= 0;
    }
    if (collective_is_to_root(instance->collective) && !is_root)
        return true;
    *since_ns = instance->latest_ns;
    return instance->n_here == replay->ti->n_processes;
}

static bool join(Replay *replay, uint32_t rank, const TiAction *action, size_t *number)
{
    Process *process = &replay->processes[rank];
    *number = process->n_collectives++;
    if (*number == replay->instances.count)
        *vec_push(&replay->instances) = (Instance){.collective = action->collective,
                                                   .root = action->peer,
                                                   .first_rank = rank,
                                                   .first_line = action->line,
                                                   .root_ns = -1};
    Instance *instance = &replay->instances.items[*number];
    if (instance->collective != action->collective || instance->root != action->peer) {
        err_set(replay->err, ERR_INPUT, "%s: line %u: %s, but in %s, line %u, process %u comes to another collective",
                replay->ti->files[rank], action->line, call_name(action->call), replay->ti->files[instance->first_rank],
                instance->first_line, instance->first_rank);
        return err_hint(replay->err,
                        "a TI trace names no communicators, so collectives of a part of the processes can't "
                        "be placed");
    }
    instance->n_here++;
    if (time_of(process) > instance->latest_ns)
        instance->latest_ns = time_of(process);
    if (instance->root == (int32_t)rank)
        instance->root_ns = time_of(process);
    if (instance->n_here == replay->ti->n_processes || instance->root == (int32_t)rank)
        for (uint32_t other = 0; other < replay->ti->n_processes; other++)
            if (replay->processes[other].is_begun)
                queue_turn(replay, other);
    return true;
}

static Record collective_record(const TiAction *action, RecordKind kind, uint64_t request)
{
    return (Record){.collective = {.kind = (uint8_t)kind,
                                   .collective = action->collective,
                                   .request_high = (uint16_t)(request >> 32),
                                   .root = action->peer < 0 ? ROOT_NONE : action->peer,
                                   .request_low = (uint32_t)request,
                                   .bytes_sent = action->bytes,
                                   .bytes_received = action->bytes_received}};
}

/* --- requests --- */

static bool is_ready(const Replay *replay, const Request *request, uint32_t rank, int64_t *since_ns)
{
    if (request->kind == REQUEST_COLLECTIVE)
        return instance_is_over(replay, &replay->instances.items[request->instance], rank, since_ns);
    *since_ns = request->done_ns;
    return request->is_done;
}

/* Writes what the request's completion is, and removes the request. */
static bool complete(Replay *replay, uint32_t rank, size_t i)
{
    Process *process = &replay->processes[rank];
    const Request request = process->requests.items[i];
    process->requests.count--;
    memmove(&process->requests.items[i], &process->requests.items[i + 1],
            (process->requests.count - i) * sizeof(Request));
    switch ((RequestKind)request.kind) {
    case REQUEST_SEND:
        return put_message(replay, rank, RECORD_SEND_DONE, 0, 0, 0, request.id);
    case REQUEST_RECEIVE:
        return put_message(replay, rank, RECORD_RECV, request.message.source, request.message.tag,
                           request.message.bytes, request.is_blocking ? 0 : request.id);
    case REQUEST_COLLECTIVE:
        return put(replay, rank, &request.record);
    }
    return true;
}

/* The request that a wait or test names. A wildcard in the action or in the request fits. SIZE_MAX:
 * none is left, because a test has completed it. */
static size_t find_request(const Process *process, const TiAction *action)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < process->requests.count; i++) {
            const Request *request = &process->requests.items[i];
            const bool is_collective = request->kind == REQUEST_COLLECTIVE;
            if (is_collective && action->tag == TI_ANY) /* SMPI gives collectives negative tags */
                return i;
            if (is_collective)
                continue;
            if (request->source == action->source && request->destination == action->peer &&
                request->tag == action->tag)
                return i;
            const bool source =
                request->source == action->source || request->source == TI_ANY || action->source == TI_ANY;
            const bool tag = request->tag == action->tag || request->tag == TI_ANY || action->tag == TI_ANY;
            if (pass == 1 && source && tag && (request->destination == action->peer || action->peer == TI_ANY))
                return i;
        }
    return SIZE_MAX;
}

/* --- actions. Each returns false on an error; *goes_on is false while the process has to wait --- */

static bool do_send(Replay *replay, uint32_t rank, const TiAction *action)
{
    Process *process = &replay->processes[rank];
    uint64_t id = 0;
    if (action->peer < 0)
        return put_call(replay, rank, action->call);
    if (action->kind == TI_ISEND)
        id = post(process, &(Request){.kind = REQUEST_SEND,
                                      .is_done = true,
                                      .source = (int32_t)rank,
                                      .destination = action->peer,
                                      .tag = action->tag,
                                      .done_ns = time_of(process)})
                 ->id;
    send(replay, rank, (uint32_t)action->peer, action->tag, action->bytes);
    return put_call(replay, rank, action->call) &&
           put_message(replay, rank, RECORD_SEND, (uint32_t)action->peer, action->tag, action->bytes, id);
}

static bool do_post(Replay *replay, uint32_t rank, const TiAction *action)
{
    if (action->peer == TI_NOBODY)
        return put_call(replay, rank, action->call);
    const Request *request = post(
        &replay->processes[rank],
        &(Request){.kind = REQUEST_RECEIVE, .source = action->peer, .destination = (int32_t)rank, .tag = action->tag});
    return put_call(replay, rank, action->call) && put_message(replay, rank, RECORD_RECV_POST, 0, 0, 0, request->id);
}

/* A blocking receive, or an exchange. */
static bool do_receive(Replay *replay, uint32_t rank, const TiAction *action, bool *goes_on)
{
    Process *process = &replay->processes[rank];
    const bool exchanges = action->kind == TI_SENDRECV;
    const int32_t source = exchanges ? action->source : action->peer;
    if (!process->is_begun) {
        if (exchanges && action->peer >= 0)
            send(replay, rank, (uint32_t)action->peer, action->tag, action->bytes);
        if (source != TI_NOBODY)
            post(process, &(Request){.kind = REQUEST_RECEIVE,
                                     .is_blocking = true,
                                     .source = source,
                                     .destination = (int32_t)rank,
                                     .tag = action->tag});
    }
    size_t i = process->requests.count;
    while (i > 0 && !process->requests.items[i - 1].is_blocking)
        i--;
    if (i > 0 && !process->requests.items[i - 1].is_done) {
        *goes_on = false;
        return true;
    }
    if (i > 0)
        wait_until(process, process->requests.items[i - 1].done_ns);
    return put_call(replay, rank, action->call) &&
           (!exchanges || action->peer < 0 ||
            put_message(replay, rank, RECORD_SEND, (uint32_t)action->peer, action->tag, action->bytes, 0)) &&
           (i == 0 || complete(replay, rank, i - 1));
}

static bool do_wait(Replay *replay, uint32_t rank, const TiAction *action, bool *goes_on)
{
    Process *process = &replay->processes[rank];
    int64_t since_ns = 0;
    const size_t i = find_request(process, action);
    if (i == SIZE_MAX)
        return put_call(replay, rank, action->call);
    bool is_done = is_ready(replay, &process->requests.items[i], rank, &since_ns);
    if (!is_done && action->kind == TI_WAIT) {
        *goes_on = false;
        return true;
    }
    is_done = is_done && (action->kind == TI_WAIT || (double)since_ns <= process->now_ns);
    if (is_done)
        wait_until(process, since_ns);
    return put_call(replay, rank, action->call) && (!is_done || complete(replay, rank, i));
}

static bool do_wait_all(Replay *replay, uint32_t rank, const TiAction *action, bool *goes_on)
{
    Process *process = &replay->processes[rank];
    int64_t since_ns, latest_ns = 0;
    for (size_t i = 0; i < process->requests.count; i++) {
        if (!is_ready(replay, &process->requests.items[i], rank, &since_ns)) {
            *goes_on = false;
            return true;
        }
        latest_ns = since_ns > latest_ns ? since_ns : latest_ns;
    }
    replay->ti->n_unordered += action->amount > 0 && action->amount < (double)process->requests.count;
    wait_until(process, latest_ns);
    if (!put_call(replay, rank, action->call))
        return false;
    while (process->requests.count)
        if (!complete(replay, rank, 0))
            return false;
    return true;
}

static bool do_wait_any(Replay *replay, uint32_t rank, const TiAction *action, bool *goes_on)
{
    Process *process = &replay->processes[rank];
    size_t first = SIZE_MAX;
    int64_t since_ns, first_ns = INT64_MAX;
    for (size_t i = 0; i < process->requests.count; i++)
        if (is_ready(replay, &process->requests.items[i], rank, &since_ns) && since_ns < first_ns) {
            first = i;
            first_ns = since_ns;
        }
    *goes_on = first != SIZE_MAX || !process->requests.count;
    if (!*goes_on)
        return true;
    replay->ti->n_unordered += process->requests.count > 1;
    if (first == SIZE_MAX)
        return put_call(replay, rank, action->call);
    wait_until(process, first_ns);
    return put_call(replay, rank, action->call) && complete(replay, rank, first);
}

static bool do_collective(Replay *replay, uint32_t rank, const TiAction *action, bool *goes_on)
{
    Process *process = &replay->processes[rank];
    int64_t since_ns = 0;
    if (!process->is_begun && !join(replay, rank, action, &process->instance))
        return false;
    if (action->has_request) {
        Request *request = post(process, &(Request){.kind = REQUEST_COLLECTIVE, .instance = process->instance});
        request->record = collective_record(action, RECORD_COLLECTIVE_DONE, request->id);
        const Record begins = collective_record(action, RECORD_COLLECTIVE, request->id);
        return put_call(replay, rank, action->call) && put(replay, rank, &begins);
    }
    if (!instance_is_over(replay, &replay->instances.items[process->instance], rank, &since_ns)) {
        *goes_on = false;
        return true;
    }
    wait_until(process, since_ns);
    const Record record = collective_record(action, RECORD_COLLECTIVE, 0);
    return advance(replay, rank, action->amount * replay->ns_per_amount) && put_call(replay, rank, action->call) &&
           put(replay, rank, &record);
}

/* Completes what no action completes. */
static bool do_finalize(Replay *replay, uint32_t rank)
{
    Process *process = &replay->processes[rank];
    uint16_t wait;
    int64_t since_ns;
    for (size_t i = 0; i < process->requests.count && call_find("MPI_Wait", &wait);) {
        if (!is_ready(replay, &process->requests.items[i], rank, &since_ns)) {
            replay->ti->n_unmatched++;
            i++;
            continue;
        }
        replay->ti->n_open++;
        wait_until(process, since_ns);
        if (!put_call(replay, rank, wait) || !complete(replay, rank, i))
            return false;
        process->enter_ns = time_of(process);
    }
    process->finalize_ns = time_of(process);
    return true;
}

static bool act(Replay *replay, uint32_t rank, const TiAction *action, bool *goes_on)
{
    Process *process = &replay->processes[rank];
    switch ((TiKind)action->kind) {
    case TI_INIT:
        process->init_enter_ns = process->init_leave_ns = time_of(process);
        return true;
    case TI_FINALIZE:
        return do_finalize(replay, rank);
    case TI_COMPUTE:
        return advance(replay, rank, action->amount * replay->ns_per_amount);
    case TI_SLEEP:
        return advance(replay, rank, action->amount * 1e9);
    case TI_SEND:
    case TI_ISEND:
        return do_send(replay, rank, action);
    case TI_IRECV:
        return do_post(replay, rank, action);
    case TI_RECV:
    case TI_SENDRECV:
        return do_receive(replay, rank, action, goes_on);
    case TI_WAIT:
    case TI_TEST:
        return do_wait(replay, rank, action, goes_on);
    case TI_WAIT_ALL:
        return do_wait_all(replay, rank, action, goes_on);
    case TI_WAIT_ANY:
        return do_wait_any(replay, rank, action, goes_on);
    case TI_POLL:
        return put_call(replay, rank, action->call);
    case TI_COLLECTIVE:
        return do_collective(replay, rank, action, goes_on);
    case TI_LEFT_OUT:
    case TI_REFUSED:
        break;
    }
    return true;
}

/* Takes one action, and comes back for the next one when it is this process's turn again. */
static bool take_turn(Replay *replay, uint32_t rank)
{
    Process *process = &replay->processes[rank];
    const TiAction *action = action_of(replay, rank);
    bool goes_on = true;
    const bool computes = action->kind == TI_COMPUTE || action->kind == TI_SLEEP;
    if (process->finalize_ns >= 0 && !computes)
        return wrong(replay, rank, action->line, "communicates after its finalize");
    if (!process->is_begun)
        process->enter_ns = time_of(process);
    if (!act(replay, rank, action, &goes_on))
        return false;
    process->is_begun = !goes_on;
    if (!goes_on)
        return true;
    process->is_ended = ++process->at == replay->ti->actions[rank].count;
    queue_turn(replay, rank);
    return true;
}

static bool run(Replay *replay)
{
    for (uint32_t rank = 0; rank < replay->ti->n_processes; rank++)
        queue_turn(replay, rank);
    while (replay->turns.count) {
        Turn turn;
        heap_take(replay->turns.items, replay->turns.count--, sizeof turn, &turn, turn_order);
        replay->processes[turn.rank].is_queued = false;
        if (!take_turn(replay, turn.rank))
            return false;
    }
    for (uint32_t rank = 0; rank < replay->ti->n_processes; rank++)
        if (!replay->processes[rank].is_ended)
            return wrong(replay, rank, action_of(replay, rank)->line,
                         "waits for ever here: no other process sends the message, or comes to the collective") ||
                   err_hint(replay->err,
                            "SMPI doesn't write an MPI_Sendrecv one side of which is MPI_PROC_NULL; such a "
                            "trace can't be replayed by SimGrid either");
    for (uint32_t rank = 0; rank < replay->ti->n_processes; rank++)
        replay->ti->n_unmatched += replay->processes[rank].arrived.count;
    return true;
}

static bool make_process(Replay *replay, uint32_t rank, const char *recording, ProcessFile *file)
{
    const Process *process = &replay->processes[rank];
    SegmentMaker segment;
    bool is_there = true, ok = segment_make(&segment, recording, rank, 0, replay->err);
    spool_start(replay->records, rank);
    while (ok && is_there) {
        Record record;
        ok = spool_read(replay->records, &record, &is_there, replay->err);
        if (ok && is_there)
            ok = segment_put(&segment, &record, replay->err);
    }
    if (!segment_finish(&segment, ok, replay->err))
        return false;
    memset(file, 0, sizeof *file);
    file->rank = (int32_t)rank;
    file->n_processes = (int32_t)replay->ti->n_processes;
    file->init_enter_ns = MADE_SHIFT_NS;
    file->init_leave_ns = (process->init_leave_ns < 0 ? 0 : process->init_leave_ns) + MADE_SHIFT_NS;
    if (process->finalize_ns >= 0)
        file->finalize_enter_ns = file->finalize_leave_ns = process->finalize_ns + MADE_SHIFT_NS;
    return process_make(recording, file, NULL, 0, replay->err);
}

bool ti_replay(Ti *ti, double speed, const char *recording, Err *err)
{
    Replay replay = {.ti = ti, .ns_per_amount = 1e9 / speed, .err = err};
    ProcessFile *file = memory_zeroed(1, sizeof *file);
    replay.processes = arena_new_array(ti->arena, Process, ti->n_processes);
    for (uint32_t rank = 0; rank < ti->n_processes; rank++)
        replay.processes[rank] = (Process){.init_enter_ns = -1, .init_leave_ns = -1, .finalize_ns = -1};
    find_receives_from_nobody(ti);
    replay.records = spool_new(ti->n_processes, sizeof(Record), SPOOL_BYTES);
    bool ok = run(&replay);
    for (uint32_t rank = 0; ok && rank < ti->n_processes; rank++)
        ok = make_process(&replay, rank, recording, file);
    for (uint32_t rank = 0; rank < ti->n_processes; rank++) {
        vec_free(&replay.processes[rank].requests);
        vec_free(&replay.processes[rank].arrived);
    }
    vec_free(&replay.turns);
    vec_free(&replay.instances);
    spool_free(replay.records);
    free(file);
    return ok;
}
