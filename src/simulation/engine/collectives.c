/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives. An event tells what its own process gives and gets. The others' shares, which MPI asks for
 * in calls such as MPI_Gatherv, come from their events of the same collective. */
#include "simulation/engine/engine.h"

#include <assert.h>
#include <stdlib.h>

/* The collectives of each member of each communicator, in their order. */
struct Instances {
    const Event **events;
    uint64_t **first; /* [comm][member] index into events */
    uint64_t **count;
};

static void *zeroed(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);
    if (!memory)
        abort();
    return memory;
}

/* Calls `take` for each collective, process by process. */
static void each_collective(const Job *job, struct Instances *instances,
                            void (*take)(struct Instances *, const Event *, uint32_t member))
{
    for (uint32_t i = 0; i < job->header->n_processes; i++) {
        const JobProcess *process = &job->processes[i];
        uint32_t *members = zeroed(job->header->n_comms, sizeof *members);
        for (uint32_t k = 0; k < job->header->n_comms; k++)
            members[k] = job->comms[k].is_used ? job_member(job, &job->comms[k], i) : 0;
        for (uint64_t k = 0; k < process->n_events; k++) {
            const Event *event = &job->events[process->first_event + k];
            if (event->kind == EVENT_COLLECTIVE)
                take(instances, event, members[event->comm]);
        }
        free(members);
    }
}

static void count_event(struct Instances *instances, const Event *event, uint32_t member)
{
    instances->first[event->comm][member]++;
}

static void put_event(struct Instances *instances, const Event *event, uint32_t member)
{
    instances->events[instances->first[event->comm][member] + instances->count[event->comm][member]++] = event;
}

struct Instances *instances_collect(const Job *job)
{
    struct Instances *instances = zeroed(1, sizeof *instances);
    uint64_t n = 0;
    instances->first = zeroed(job->header->n_comms, sizeof *instances->first);
    instances->count = zeroed(job->header->n_comms, sizeof *instances->count);
    for (uint32_t i = 0; i < job->header->n_comms; i++) {
        instances->first[i] = zeroed(job->comms[i].n_members + 1u, sizeof **instances->first);
        instances->count[i] = zeroed(job->comms[i].n_members + 1u, sizeof **instances->count);
    }
    each_collective(job, instances, count_event);
    for (uint32_t i = 0; i < job->header->n_comms; i++)
        for (uint32_t k = 0; k < job->comms[i].n_members; k++) {
            uint64_t count = instances->first[i][k];
            instances->first[i][k] = n;
            n += count;
        }
    instances->events = zeroed(n, sizeof *instances->events);
    each_collective(job, instances, put_event);
    return instances;
}

/* One collective, as a member sees it. */
typedef struct Call {
    MPI_Comm comm;
    int rank, n, root;
    const struct Instances *instances;
    uint32_t comm_number;
    uint64_t number; /* of the collectives of this communicator */
    const Event *own;
    char *out, *in;
    MPI_Request *request;
} Call;

/* A member's event of this collective; its own where the trace lacks the member's. */
static const Event *event_of(const Call *call, int member)
{
    uint64_t at = call->instances->first[call->comm_number][member];
    return call->number < call->instances->count[call->comm_number][member] ? call->instances->events[at + call->number]
                                                                            : call->own;
}

static int given_by(const Call *call, int member)
{
    return (int)event_of(call, member)->bytes;
}

static int got_by(const Call *call, int member)
{
    return (int)event_of(call, member)->bytes_received;
}

static int largest(const Call *call, int (*bytes)(const Call *, int))
{
    int most = 0;
    for (int i = 0; i < call->n; i++)
        most = bytes(call, i) > most ? bytes(call, i) : most;
    return most;
}

static int *counts_of(const Call *call, int (*bytes)(const Call *, int))
{
    int *counts = zeroed((size_t)call->n, sizeof *counts);
    for (int i = 0; i < call->n; i++)
        counts[i] = bytes(call, i);
    return counts;
}

static int *zeros(const Call *call)
{
    return zeroed((size_t)call->n, sizeof(int));
}

/* A trace tells what a member gives to all others together. Each of these gets a share of this by what
 * it gets in all. */
static int share(double given, double got, double all)
{
    return all > 0 ? (int)(given * got / all) : 0;
}

static void run_alltoallv(const Call *call)
{
    int *sent = zeros(call), *received = zeros(call), *places = zeros(call);
    double all = 0;
    for (int i = 0; i < call->n; i++)
        all += got_by(call, i);
    for (int i = 0; i < call->n; i++) {
        sent[i] = share(given_by(call, call->rank), got_by(call, i), all);
        received[i] = share(given_by(call, i), got_by(call, call->rank), all);
    }
    if (call->request)
        MPI_Ialltoallv(call->out, sent, places, MPI_BYTE, call->in, received, places, MPI_BYTE, call->comm,
                       call->request);
    else
        MPI_Alltoallv(call->out, sent, places, MPI_BYTE, call->in, received, places, MPI_BYTE, call->comm);
    free(sent);
    free(received);
    free(places);
}

/* Gathers and scatters of different sizes. */
static void run_uneven(const Call *call)
{
    const bool gathers = call->own->collective != COLLECTIVE_SCATTERV &&
                         call->own->collective != COLLECTIVE_REDUCE_SCATTER &&
                         call->own->collective != COLLECTIVE_REDUCE_SCATTER_BLOCK;
    int *counts = counts_of(call, gathers ? given_by : got_by), *places = zeros(call), own = counts[call->rank];
    switch (call->own->collective) {
    case COLLECTIVE_GATHERV:
        if (call->request)
            MPI_Igatherv(call->out, own, MPI_BYTE, call->in, counts, places, MPI_BYTE, call->root, call->comm,
                         call->request);
        else
            MPI_Gatherv(call->out, own, MPI_BYTE, call->in, counts, places, MPI_BYTE, call->root, call->comm);
        break;
    case COLLECTIVE_ALLGATHERV:
        if (call->request)
            MPI_Iallgatherv(call->out, own, MPI_BYTE, call->in, counts, places, MPI_BYTE, call->comm, call->request);
        else
            MPI_Allgatherv(call->out, own, MPI_BYTE, call->in, counts, places, MPI_BYTE, call->comm);
        break;
    case COLLECTIVE_SCATTERV:
        if (call->request)
            MPI_Iscatterv(call->out, counts, places, MPI_BYTE, call->in, own, MPI_BYTE, call->root, call->comm,
                          call->request);
        else
            MPI_Scatterv(call->out, counts, places, MPI_BYTE, call->in, own, MPI_BYTE, call->root, call->comm);
        break;
    default:
        if (call->request)
            MPI_Ireduce_scatter(call->out, call->in, counts, MPI_BYTE, MPI_BOR, call->comm, call->request);
        else
            MPI_Reduce_scatter(call->out, call->in, counts, MPI_BYTE, MPI_BOR, call->comm);
    }
    free(counts);
    free(places);
}

static void run_barrier(const Call *call)
{
    if (call->request)
        MPI_Ibarrier(call->comm, call->request);
    else
        MPI_Barrier(call->comm);
}

static void run_reduction(const Call *call)
{
    int size = largest(call, given_by);
    MPI_Request *request = call->request;
    switch (call->own->collective) {
    case COLLECTIVE_REDUCE:
        if (request)
            MPI_Ireduce(call->out, call->in, size, MPI_BYTE, MPI_BOR, call->root, call->comm, request);
        else
            MPI_Reduce(call->out, call->in, size, MPI_BYTE, MPI_BOR, call->root, call->comm);
        return;
    case COLLECTIVE_SCAN:
        if (request)
            MPI_Iscan(call->out, call->in, size, MPI_BYTE, MPI_BOR, call->comm, request);
        else
            MPI_Scan(call->out, call->in, size, MPI_BYTE, MPI_BOR, call->comm);
        return;
    case COLLECTIVE_EXSCAN:
        if (request)
            MPI_Iexscan(call->out, call->in, size, MPI_BYTE, MPI_BOR, call->comm, request);
        else
            MPI_Exscan(call->out, call->in, size, MPI_BYTE, MPI_BOR, call->comm);
        return;
    default:
        if (request)
            MPI_Iallreduce(call->out, call->in, size, MPI_BYTE, MPI_BOR, call->comm, request);
        else
            MPI_Allreduce(call->out, call->in, size, MPI_BYTE, MPI_BOR, call->comm);
    }
}

static void run_even(const Call *call)
{
    int given = largest(call, given_by), got = largest(call, got_by);
    MPI_Request *request = call->request;
    switch (call->own->collective) {
    case COLLECTIVE_BCAST:
        given = got > given ? got : given;
        if (request)
            MPI_Ibcast(call->out, given, MPI_BYTE, call->root, call->comm, request);
        else
            MPI_Bcast(call->out, given, MPI_BYTE, call->root, call->comm);
        return;
    case COLLECTIVE_GATHER:
        if (request)
            MPI_Igather(call->out, given, MPI_BYTE, call->in, given, MPI_BYTE, call->root, call->comm, request);
        else
            MPI_Gather(call->out, given, MPI_BYTE, call->in, given, MPI_BYTE, call->root, call->comm);
        return;
    case COLLECTIVE_SCATTER:
        if (request)
            MPI_Iscatter(call->out, got, MPI_BYTE, call->in, got, MPI_BYTE, call->root, call->comm, request);
        else
            MPI_Scatter(call->out, got, MPI_BYTE, call->in, got, MPI_BYTE, call->root, call->comm);
        return;
    case COLLECTIVE_ALLGATHER:
        if (request)
            MPI_Iallgather(call->out, given, MPI_BYTE, call->in, given, MPI_BYTE, call->comm, request);
        else
            MPI_Allgather(call->out, given, MPI_BYTE, call->in, given, MPI_BYTE, call->comm);
        return;
    default:
        given /= call->n;
        if (request)
            MPI_Ialltoall(call->out, given, MPI_BYTE, call->in, given, MPI_BYTE, call->comm, request);
        else
            MPI_Alltoall(call->out, given, MPI_BYTE, call->in, given, MPI_BYTE, call->comm);
    }
}

/* False: the messages of the library's algorithm aren't known. */
static bool run_as_messages(const Replay *replay, const Call *call)
{
    const Collective collective = (Collective)call->own->collective;
    CollectivePart part = {.n = (uint32_t)call->n,
                           .place = (uint32_t)call->rank,
                           .root = (uint32_t)call->root,
                           .own = {(double)call->own->bytes, (double)call->own->bytes_received},
                           .library = (CollectiveLibrary)replay->job.header->library};
    MemberShare *shares = collective_needs_shares(collective) ? zeroed(part.n, sizeof *shares) : NULL;
    for (int i = 0; shares && i < call->n; i++) {
        shares[i] = (MemberShare){given_by(call, i), got_by(call, i)};
        part.received += shares[i].received;
    }
    part.shares = shares;
    bool ok = messages_run(replay, call->comm, collective, &part, call->number);
    free(shares);
    return ok;
}

/* As SMPI does. MPI_Comm_split alone gathers something, and sends the others their groups. All ways end with a
 * broadcast of the new communicator's number to its members. */
static void make_communicator(const Call *call, MPI_Comm made)
{
    enum { GROUP_BYTES = 8, NUMBER_BYTES = 4, ROOT = 0, TAG = 0 };
    int gathered = largest(call, given_by);
    if (gathered) {
        MPI_Gather(call->out, gathered, MPI_BYTE, call->in, gathered, MPI_BYTE, ROOT, call->comm);
        if (call->rank != ROOT && made != MPI_COMM_NULL)
            MPI_Recv(call->in, GROUP_BYTES, MPI_BYTE, ROOT, TAG, call->comm, MPI_STATUS_IGNORE);
        for (int i = 1; call->rank == ROOT && i < call->n; i++)
            if (event_of(call, i)->tag != NO_COMM)
                MPI_Send(call->out, GROUP_BYTES, MPI_BYTE, i, TAG, call->comm);
    }
    if (made != MPI_COMM_NULL)
        MPI_Bcast(call->out, NUMBER_BYTES, MPI_BYTE, ROOT, made);
}

static void make_window(const Call *call)
{
    enum { ADDRESS_BYTES = 8 };
    MPI_Allgather(call->out, ADDRESS_BYTES, MPI_BYTE, call->in, ADDRESS_BYTES, MPI_BYTE, call->comm);
}

static void run(const Call *call)
{
    switch (call->own->collective) {
    case COLLECTIVE_BCAST:
    case COLLECTIVE_GATHER:
    case COLLECTIVE_SCATTER:
    case COLLECTIVE_ALLGATHER:
    case COLLECTIVE_ALLTOALL:
        run_even(call);
        return;
    case COLLECTIVE_ALLREDUCE:
    case COLLECTIVE_REDUCE:
    case COLLECTIVE_SCAN:
    case COLLECTIVE_EXSCAN:
        run_reduction(call);
        return;
    case COLLECTIVE_GATHERV:
    case COLLECTIVE_ALLGATHERV:
    case COLLECTIVE_SCATTERV:
    case COLLECTIVE_REDUCE_SCATTER:
    case COLLECTIVE_REDUCE_SCATTER_BLOCK:
        run_uneven(call);
        return;
    case COLLECTIVE_ALLTOALLV:
    case COLLECTIVE_ALLTOALLW:
        run_alltoallv(call);
        return;
    default: /* what synchronises */
        run_barrier(call);
    }
}

/* Fences a window, or frees it, which takes as long. */
static bool is_fence(const Event *event)
{
    return event->collective == COLLECTIVE_BARRIER || event->collective == COLLECTIVE_DESTROY_HANDLE;
}

void collective_run(Rank *rank, const Event *event, MPI_Request *request)
{
    const Replay *replay = rank->replay;
    const JobComm *comm = &replay->job.comms[event->comm];
    MPI_Win window = rank->windows[event->comm];
    uint32_t root = event->peer == NO_ROOT ? 0 : job_member(&replay->job, comm, event->peer);
    Call call = {.comm = rank->comms[event->comm],
                 .n = (int)comm->n_members,
                 .root = root < comm->n_members ? (int)root : 0,
                 .instances = replay->instances,
                 .comm_number = event->comm,
                 .number = rank->n_collectives[event->comm]++,
                 .own = event,
                 .out = replay->out,
                 .in = replay->in,
                 .request = request};
    assert(call.comm != MPI_COMM_NULL);
    MPI_Comm_rank(call.comm, &call.rank);
    const bool is_smpi = replay->job.header->library == LIBRARY_SMPI || request;
    if (event->collective == COLLECTIVE_CREATE_HANDLE && window != MPI_WIN_NULL)
        make_window(&call);
    else if (event->collective == COLLECTIVE_CREATE_HANDLE)
        make_communicator(&call, event->tag == NO_COMM ? MPI_COMM_NULL : rank->comms[event->tag]);
    else if (window != MPI_WIN_NULL && is_fence(event))
        MPI_Win_fence(0, window);
    else if (event->collective != COLLECTIVE_DESTROY_HANDLE && (is_smpi || !run_as_messages(replay, &call)))
        run(&call);
}
