/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the records of one thread of a Paraver trace. The thread's MPI calls come from its events,
 * or, if it has none, from its states. Each end of a message is then placed in the call that its
 * time lies in:
 *
 *   MPI_Irecv          MPI_Waitall              message  ……… posted at *, received at +
 *   [   *]             [         + ]            gives    RECV_POST in MPI_Irecv, RECV in MPI_Waitall
 *
 * A time may belong to two calls, one of which ends when the other begins. Then the calls' names
 * decide. */
#include "trace/import/paraver.h"

#include "model/event.h"
#include "trace/calls.h"
#include <stdlib.h>
#include <string.h>

typedef struct Call {
    int64_t begin_ns, end_ns; /* end_ns -1: the trace ends within the call */
    const ParaverName *name;
    const ParaverItem *begin; /* of its event, which may describe a collective; NULL: it has none */
    bool has_send, has_receive;
} Call;

/* A record within a call. */
typedef struct Placed {
    size_t call;
    int64_t time_ns; /* of a receive: when it was posted */
    uint64_t line;
    Record record;
} Placed;

typedef struct ThreadMaker {
    Paraver *paraver;
    uint32_t rank, number;
    VEC(ParaverItem) items;
    VEC(Call) calls;
    VEC(Call) added; /* calls for ends of messages that lie outside of any call */
    VEC(Placed) placed;
    uint64_t n_requests;
} ThreadMaker;

static bool load(ThreadMaker *maker, Err *err)
{
    const uint32_t stream = (uint32_t)(maker->paraver->tasks[maker->rank].first_thread + maker->number);
    bool is_there = true;
    spool_start(maker->paraver->items, stream);
    while (is_there) {
        ParaverItem item;
        if (!spool_read(maker->paraver->items, &item, &is_there, err))
            return false;
        if (is_there)
            *vec_push(&maker->items) = item;
    }
    return true;
}

static bool wrong(const ThreadMaker *maker, uint64_t line, Err *err, const char *what)
{
    return err_set(err, ERR_INPUT, "%s: line %lu: %s", maker->paraver->path, (unsigned long)line, what);
}

/* MPI_Init and MPI_Finalize are told by their times alone, and other calls without messages not at
 * all, because they count as computation. */
static void end_call(ThreadMaker *maker, Call *call, int64_t time_ns, uint64_t counted[CALL_LIMIT])
{
    ParaverTask *task = &maker->paraver->tasks[maker->rank];
    call->end_ns = time_ns;
    switch (call->name->kind) {
    case PARAVER_INIT:
        task->init_enter_ns = call->begin_ns;
        task->init_leave_ns = time_ns;
        break;
    case PARAVER_FINALIZE:
        task->finalize_enter_ns = call->begin_ns;
        task->finalize_leave_ns = time_ns;
        break;
    case PARAVER_IO:
        counted[call->name->call]++;
        break;
    case PARAVER_LOCAL:
        break;
    case PARAVER_CALL:
        if (call_treatment(call->name->call) == CALL_WITHOUT_EVENT)
            counted[call->name->call]++;
        *vec_push(&maker->calls) = *call;
    }
}

/* Finds the calls by events. */
static bool find_calls(ThreadMaker *maker, uint64_t counted[CALL_LIMIT], Err *err)
{
    Call open = {0};
    int64_t latest_ns = 0;
    for (size_t i = 0; i < maker->items.count; i++) {
        const ParaverItem *item = &maker->items.items[i];
        if (item->kind != ITEM_BEGIN && item->kind != ITEM_END)
            continue;
        if (item->time_ns < latest_ns)
            return wrong(maker, item->line, err, "the time lies before that of an earlier event of this thread");
        latest_ns = item->time_ns;
        if (open.name && (item->kind == ITEM_BEGIN || item->type == open.begin->type)) {
            maker->paraver->n_unclosed += item->kind == ITEM_BEGIN;
            end_call(maker, &open, item->time_ns, counted);
            open.name = NULL;
        }
        if (item->kind == ITEM_BEGIN)
            open =
                (Call){.begin_ns = item->time_ns, .name = &maker->paraver->names.list.items[item->name], .begin = item};
    }
    if (open.name)
        end_call(maker, &open, -1, counted);
    return true;
}

/* Finds the calls by states. States of a thread don't overlap, but needn't be in order. */
static void find_states(ThreadMaker *maker)
{
    for (size_t i = 0; i < maker->items.count; i++) {
        const ParaverItem *item = &maker->items.items[i];
        if (item->kind == ITEM_STATE)
            *vec_push(&maker->calls) = (Call){.begin_ns = item->time_ns,
                                              .end_ns = item->until_ns,
                                              .name = &maker->paraver->names.list.items[item->name]};
    }
}

static int compare_calls(const void *a, const void *b)
{
    const Call *x = a, *y = b;
    int order = (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
    return order ? order : (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

typedef enum End { END_SENT, END_POSTED, END_RECEIVED } End;

static bool suits(const Call *call, End end)
{
    return end == END_SENT     ? call->name->sends
           : end == END_POSTED ? call->name->receives
                               : call->name->completes || call->name->receives;
}

/* The call that this time lies in. If several begin or end then: one whose name suits; among these,
 * for a send, the one that begins then; otherwise the one that ends then. SIZE_MAX: none. */
static size_t call_at(const ThreadMaker *maker, int64_t time_ns, End end)
{
    size_t after = 0, best = SIZE_MAX;
    vec_bisect(after, maker->calls.count, maker->calls.items[after].begin_ns <= time_ns);
    for (size_t i = after; i-- > 0;) {
        const Call *call = &maker->calls.items[i];
        if (call->end_ns >= 0 && call->end_ns < time_ns)
            break;
        if (best == SIZE_MAX || (suits(call, end) && !suits(&maker->calls.items[best], end)))
            best = i;
        else if (suits(call, end) && end != END_SENT && call->end_ns == time_ns)
            best = i;
    }
    return best;
}

static void place(ThreadMaker *maker, size_t call, int64_t time_ns, uint64_t line, Record record)
{
    *vec_push(&maker->placed) = (Placed){.call = call, .time_ns = time_ns, .line = line, .record = record};
}

static void add_call(ThreadMaker *maker, int64_t time_ns, const char *name)
{
    static ParaverName names[] = {{.name = "MPI_Send", .sends = true},
                                  {.name = "MPI_Recv", .receives = true},
                                  {.name = "MPI_Irecv", .receives = true},
                                  {.name = "MPI_Wait", .completes = true}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, name) == 0 && call_find(name, &names[i].call))
            *vec_push(&maker->added) = (Call){.begin_ns = time_ns, .end_ns = time_ns, .name = &names[i]};
    maker->paraver->n_outside++;
}

/* The calls that an end of a message lies in. With `adds`, a missing call is added; after that, the
 * calls must be sorted again. */
static void find_places(ThreadMaker *maker, const ParaverItem *item, bool adds, size_t *first, size_t *second)
{
    const bool is_send = item->kind == ITEM_SEND;
    *first = call_at(maker, item->time_ns, is_send ? END_SENT : END_POSTED);
    *second = is_send ? *first : call_at(maker, item->until_ns, END_RECEIVED);
    /* A blocking receive is posted when its call begins, and completes when its call ends. */
    if (!is_send && *second != SIZE_MAX && *first != *second && maker->calls.items[*second].name->receives &&
        !maker->calls.items[*second].name->completes && maker->calls.items[*second].begin_ns <= item->time_ns)
        *first = *second;
    if (!adds)
        return;
    if (is_send && *first == SIZE_MAX)
        add_call(maker, item->time_ns, "MPI_Send");
    else if (!is_send && *first == SIZE_MAX && *second == SIZE_MAX && item->time_ns == item->until_ns)
        add_call(maker, item->until_ns, "MPI_Recv");
    else {
        if (*first == SIZE_MAX)
            add_call(maker, item->time_ns, "MPI_Irecv");
        if (*second == SIZE_MAX)
            add_call(maker, item->until_ns, "MPI_Wait");
    }
}

static void add_missing_calls(ThreadMaker *maker)
{
    size_t first, second;
    for (size_t i = 0; i < maker->items.count; i++)
        if (maker->items.items[i].kind == ITEM_SEND || maker->items.items[i].kind == ITEM_RECV)
            find_places(maker, &maker->items.items[i], true, &first, &second);
    for (size_t i = 0; i < maker->added.count; i++)
        *vec_push(&maker->calls) = maker->added.items[i];
    if (maker->calls.count)
        qsort(maker->calls.items, maker->calls.count, sizeof(Call), compare_calls);
}

static void place_messages(ThreadMaker *maker)
{
    for (size_t i = 0; i < maker->items.count; i++) {
        const ParaverItem *item = &maker->items.items[i];
        if (item->kind != ITEM_SEND && item->kind != ITEM_RECV)
            continue;
        size_t first, second;
        find_places(maker, item, false, &first, &second);
        assert(first != SIZE_MAX && second != SIZE_MAX);
        Record record = {
            .message = {
                .kind = RECORD_SEND, .peer = (int32_t)item->peer, .tag = (int32_t)item->tag, .bytes = item->bytes}};
        maker->calls.items[first].has_send |= item->kind == ITEM_SEND;
        if (item->kind == ITEM_RECV) {
            record.message.kind = RECORD_RECV;
            maker->calls.items[first].has_receive = true;
            if (first != second) {
                record.message.request = (uint64_t)maker->number << 32 | ++maker->n_requests;
                const Record post = {.message = {.kind = RECORD_RECV_POST, .request = record.message.request}};
                place(maker, first, item->time_ns, item->line, post);
            }
        }
        place(maker, second, item->time_ns, item->line, record);
    }
}

/* In a call, what it starts stands before what it completes; receives are completed in the order in
 * which they were posted, which is mostly their order in MPI_Waitall. */
static int compare_placed(const void *a, const void *b)
{
    const Placed *x = a, *y = b;
    if (x->call != y->call)
        return x->call < y->call ? -1 : 1;
    const bool x_completes = x->record.kind == RECORD_RECV, y_completes = y->record.kind == RECORD_RECV;
    if (x_completes != y_completes)
        return x_completes ? 1 : -1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

/* The number of a communicator in the process. */
static uint32_t local_comm(const ThreadMaker *maker, uint32_t comm)
{
    const ParaverTask *task = &maker->paraver->tasks[maker->rank];
    if (maker->paraver->comms.items[comm].is_world)
        return 0;
    if (maker->paraver->comms.items[comm].is_self)
        return 1;
    size_t at = 0;
    vec_bisect(at, task->comms.count, task->comms.items[at] < comm);
    return at < task->comms.count && task->comms.items[at] == comm ? (uint32_t)(2 + at) : NO_COMM;
}

/* firma's volumes are what a process contributes and what it gets. Extrae's differ in three
 * collectives. */
static void set_volumes(const ThreadMaker *maker, const ParaverItem *begin, CollectiveRecord *record)
{
    const ParaverComm *comm = &maker->paraver->comms.items[begin->comm];
    record->bytes_sent = begin->bytes;
    record->bytes_received = begin->bytes_received;
    if (record->collective == COLLECTIVE_ALLTOALL) /* what is sent to one process */
        record->bytes_sent *= comm->n_members;
    else if (record->collective == COLLECTIVE_REDUCE && begin->peer) /* the root contributes, too */
        record->bytes_sent = begin->bytes_received;
    else if (record->collective == COLLECTIVE_EXSCAN && comm->n_members && comm->members[0] == maker->rank)
        record->bytes_received = 0; /* the first process gets nothing */
}

static bool put_collective(ThreadMaker *maker, SegmentMaker *segment, const Call *call, Err *err)
{
    const ParaverItem *begin = call->begin;
    Record record = {
        .collective = {.kind = RECORD_COLLECTIVE, .collective = call->name->collective, .root = ROOT_NONE}};
    if (!begin || call->name->collective == COLLECTIVE_COUNT)
        return true;
    if (begin->comm == NO_COMM) {
        maker->paraver->n_without_comm++;
        return true;
    }
    record.collective.comm = local_comm(maker, begin->comm);
    if (record.collective.comm == NO_COMM)
        return wrong(maker, begin->line, err, "the task isn't a member of this communicator");
    if (collective_has_root(call->name->collective)) {
        const uint64_t *root = map_get(&maker->paraver->roots, (MapKey){begin->comm, begin->instance});
        maker->paraver->n_without_root += !root;
        if (root)
            record.collective.root = (int32_t)(*root - 1);
    }
    set_volumes(maker, begin, &record.collective);
    return segment_put(segment, &record, err);
}

static bool put_records(ThreadMaker *maker, SegmentMaker *segment, Err *err)
{
    size_t at = 0;
    for (size_t i = 0; i < maker->calls.count; i++) {
        const Call *call = &maker->calls.items[i];
        const Record record = {.call = {.kind = RECORD_CALL,
                                        .call = call->name->call,
                                        .enter_ns = call->begin_ns + MADE_SHIFT_NS,
                                        .leave_ns = call->end_ns < 0 ? 0 : call->end_ns + MADE_SHIFT_NS}};
        if (!segment_put(segment, &record, err) || !put_collective(maker, segment, call, err))
            return false;
        for (; at < maker->placed.count && maker->placed.items[at].call == i; at++)
            if (!segment_put(segment, &maker->placed.items[at].record, err))
                return false;
        const bool starts_either = strncmp(call->name->name, "MPI_Start", strlen("MPI_Start")) == 0;
        maker->paraver->n_lone_sends += call->name->sends && !starts_either && !call->has_send;
        maker->paraver->n_lone_receives += call->name->receives && !starts_either && !call->has_receive;
    }
    return true;
}

static bool make(ThreadMaker *maker, uint64_t counted[CALL_LIMIT], Err *err)
{
    SegmentMaker segment;
    if (!load(maker, err) || !find_calls(maker, counted, err))
        return false;
    if (!maker->calls.count && !maker->paraver->has_calls)
        find_states(maker);
    if (maker->calls.count)
        qsort(maker->calls.items, maker->calls.count, sizeof(Call), compare_calls);
    add_missing_calls(maker);
    if (!maker->calls.count)
        return true;
    place_messages(maker);
    if (maker->placed.count)
        qsort(maker->placed.items, maker->placed.count, sizeof(Placed), compare_placed);
    bool ok = segment_make(&segment, maker->paraver->recording, maker->rank, maker->number, err) &&
              put_records(maker, &segment, err);
    return segment_finish(&segment, ok, err);
}

bool paraver_thread_make(Paraver *paraver, uint32_t rank, uint32_t number, uint64_t counted[CALL_LIMIT], Err *err)
{
    ThreadMaker maker = {.paraver = paraver, .rank = rank, .number = number};
    bool ok = make(&maker, counted, err);
    vec_free(&maker.items);
    vec_free(&maker.calls);
    vec_free(&maker.added);
    vec_free(&maker.placed);
    return ok;
}
