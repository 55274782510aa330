/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives, and the making and freeing of communicators.
 *
 * bytes_sent is what this process contributes, bytes_received what it gets, its own share included: a broadcast's root
 * contributes the message once; in an allgather every process contributes its part and gets all parts. Parameters that
 * MPI says are not significant here (at other ranks than the root, with MPI_IN_PLACE) are not looked at: they may be
 * anything. */
#include "trace/recorder/families.h"

typedef struct Volume {
    uint64_t sent, received;
} Volume;

/* This process's part in a rooted collective. */
typedef struct Part {
    bool is_root;
    bool takes_part; /* false: in the root's group of an intercommunicator, but not the root */
    int32_t root;    /* as in the record */
} Part;

static Part part_in(const CommEntry *comm, int root)
{
    if (!comm->inter)
        return (Part){.is_root = root == comm->rank, .takes_part = true, .root = root};
    if (root == MPI_ROOT)
        return (Part){.is_root = true, .takes_part = true, .root = ROOT_SELF};
    if (root == MPI_PROC_NULL)
        return (Part){.root = ROOT_BYSTANDER};
    return (Part){.takes_part = true, .root = root};
}

static MPI_Count count_at(CountArray counts, uint32_t i)
{
    return counts.value_bytes == sizeof(int) ? ((const int *)counts.values)[i] : ((const MPI_Count *)counts.values)[i];
}

static bool in_place(const void *buffer)
{
    return buffer == MPI_IN_PLACE;
}

static uint64_t bytes_of_all(CountArray counts, MPI_Datatype datatype, uint32_t n)
{
    MPI_Count total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += count_at(counts, i);
    return bytes_of(total, datatype);
}

static uint64_t bytes_of_each(CountArray counts, const MPI_Datatype *datatypes, uint32_t n)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += bytes_of(count_at(counts, i), datatypes[i]);
    return total;
}

static uint64_t send_bytes(const CollectiveArguments *a)
{
    return bytes_of(a->sendcount, a->sendtype);
}

static uint64_t recv_bytes(const CollectiveArguments *a)
{
    return bytes_of(a->recvcount, a->recvtype);
}

static uint64_t own_recv_bytes(const CollectiveArguments *a, const CommEntry *comm)
{
    return bytes_of(count_at(a->recvcounts, (uint32_t)comm->rank), a->recvtype);
}

/* How many processes a rooted or all-to-all collective exchanges data with: of an intercommunicator, the other group.
 */
static uint32_t n_partners(const CommEntry *comm)
{
    return comm->inter ? comm->n_remote : comm->n_local;
}

static Volume gather_volume(const CollectiveArguments *a, const CommEntry *comm, Part part, bool vector)
{
    Volume volume = {0};
    if (!part.takes_part)
        return volume;
    if (part.is_root)
        volume.received =
            vector ? bytes_of_all(a->recvcounts, a->recvtype, n_partners(comm)) : n_partners(comm) * recv_bytes(a);
    if (part.is_root && comm->inter)
        return volume;
    if (part.is_root && in_place(a->sendbuf))
        volume.sent = vector ? own_recv_bytes(a, comm) : recv_bytes(a);
    else
        volume.sent = send_bytes(a);
    return volume;
}

static Volume scatter_volume(const CollectiveArguments *a, const CommEntry *comm, Part part, bool vector)
{
    Volume volume = {0};
    if (!part.takes_part)
        return volume;
    if (part.is_root)
        volume.sent =
            vector ? bytes_of_all(a->sendcounts, a->sendtype, n_partners(comm)) : n_partners(comm) * send_bytes(a);
    if (part.is_root && comm->inter)
        return volume;
    if (part.is_root && in_place(a->recvbuf))
        volume.received = vector ? bytes_of(count_at(a->sendcounts, (uint32_t)comm->rank), a->sendtype) : send_bytes(a);
    else
        volume.received = recv_bytes(a);
    return volume;
}

static Volume allgather_volume(const CollectiveArguments *a, const CommEntry *comm, bool vector)
{
    Volume volume = {.received = vector ? bytes_of_all(a->recvcounts, a->recvtype, n_partners(comm))
                                        : n_partners(comm) * recv_bytes(a)};
    if (in_place(a->sendbuf))
        volume.sent = vector ? own_recv_bytes(a, comm) : recv_bytes(a);
    else
        volume.sent = send_bytes(a);
    return volume;
}

static Volume alltoall_volume(const CollectiveArguments *a, const CommEntry *comm)
{
    const uint64_t received = n_partners(comm) * recv_bytes(a);
    return (Volume){in_place(a->sendbuf) ? received : n_partners(comm) * send_bytes(a), received};
}

static Volume alltoallv_volume(const CollectiveArguments *a, const CommEntry *comm)
{
    const uint32_t n = n_partners(comm);
    const uint64_t received = bytes_of_all(a->recvcounts, a->recvtype, n);
    return (Volume){in_place(a->sendbuf) ? received : bytes_of_all(a->sendcounts, a->sendtype, n), received};
}

static Volume alltoallw_volume(const CollectiveArguments *a, const CommEntry *comm)
{
    const uint32_t n = n_partners(comm);
    const uint64_t received = bytes_of_each(a->recvcounts, a->recvtypes, n);
    return (Volume){in_place(a->sendbuf) ? received : bytes_of_each(a->sendcounts, a->sendtypes, n), received};
}

/* From root to all: the root of an intracommunicator has its message already. */
static Volume bcast_volume(const CollectiveArguments *a, Part part)
{
    if (!part.takes_part)
        return (Volume){0};
    return part.is_root ? (Volume){.sent = send_bytes(a)} : (Volume){.received = send_bytes(a)};
}

static Volume reduce_volume(const CollectiveArguments *a, const CommEntry *comm, Part part)
{
    Volume volume = {0};
    if (!part.takes_part)
        return volume;
    if (part.is_root)
        volume.received = send_bytes(a);
    if (!part.is_root || !comm->inter)
        volume.sent = send_bytes(a);
    return volume;
}

/* Both groups of an intercommunicator reduce as much as the own group scatters. */
static Volume reduce_scatter_volume(const CollectiveArguments *a, const CommEntry *comm)
{
    return (Volume){bytes_of_all(a->recvcounts, a->sendtype, comm->n_local),
                    bytes_of(count_at(a->recvcounts, (uint32_t)comm->rank), a->sendtype)};
}

static bool is_absent(const CommEntry *comm, uint32_t neighbour)
{
    return neighbour < 64 && comm->absent >> neighbour & 1;
}

/* What goes to (or comes from) n neighbours: the same to each, or by counts, or by counts and types. */
static uint64_t neighbours_bytes(const CommEntry *comm, uint32_t n, uint64_t each, CountArray counts, MPI_Datatype type,
                                 const MPI_Datatype *types)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!is_absent(comm, i))
            total += counts.values ? bytes_of(count_at(counts, i), types ? types[i] : type) : each;
    return total;
}

static Volume neighbour_volume(Collective collective, const CollectiveArguments *a, CommEntry *comm)
{
    comm_find_neighbours(comm);
    const bool gathers = collective == COLLECTIVE_NEIGHBOR_ALLGATHER || collective == COLLECTIVE_NEIGHBOR_ALLGATHERV;
    const uint64_t each_sent = a->sendcounts.values || a->sendtypes ? 0 : send_bytes(a);
    const uint64_t each_received = a->recvcounts.values || a->recvtypes ? 0 : recv_bytes(a);
    return (Volume){
        gathers ? each_sent
                : neighbours_bytes(comm, comm->n_destinations, each_sent, a->sendcounts, a->sendtype, a->sendtypes),
        neighbours_bytes(comm, comm->n_sources, each_received, a->recvcounts, a->recvtype, a->recvtypes)};
}

static Volume volume_of(Collective collective, const CollectiveArguments *a, CommEntry *comm, Part part)
{
    switch (collective) {
    case COLLECTIVE_BCAST:
        return bcast_volume(a, part);
    case COLLECTIVE_GATHER:
    case COLLECTIVE_GATHERV:
        return gather_volume(a, comm, part, collective == COLLECTIVE_GATHERV);
    case COLLECTIVE_SCATTER:
    case COLLECTIVE_SCATTERV:
        return scatter_volume(a, comm, part, collective == COLLECTIVE_SCATTERV);
    case COLLECTIVE_ALLGATHER:
    case COLLECTIVE_ALLGATHERV:
        return allgather_volume(a, comm, collective == COLLECTIVE_ALLGATHERV);
    case COLLECTIVE_ALLTOALL:
        return alltoall_volume(a, comm);
    case COLLECTIVE_ALLTOALLV:
        return alltoallv_volume(a, comm);
    case COLLECTIVE_ALLTOALLW:
        return alltoallw_volume(a, comm);
    case COLLECTIVE_ALLREDUCE:
    case COLLECTIVE_SCAN:
        return (Volume){send_bytes(a), send_bytes(a)};
    case COLLECTIVE_EXSCAN:
        return (Volume){send_bytes(a), comm->rank ? send_bytes(a) : 0};
    case COLLECTIVE_REDUCE:
        return reduce_volume(a, comm, part);
    case COLLECTIVE_REDUCE_SCATTER:
        return reduce_scatter_volume(a, comm);
    case COLLECTIVE_REDUCE_SCATTER_BLOCK:
        return (Volume){comm->n_local * send_bytes(a), send_bytes(a)};
    case COLLECTIVE_NEIGHBOR_ALLGATHER:
    case COLLECTIVE_NEIGHBOR_ALLGATHERV:
    case COLLECTIVE_NEIGHBOR_ALLTOALL:
    case COLLECTIVE_NEIGHBOR_ALLTOALLV:
    case COLLECTIVE_NEIGHBOR_ALLTOALLW:
        return neighbour_volume(collective, a, comm);
    default:
        return (Volume){0};
    }
}

static bool is_rooted(Collective collective)
{
    switch (collective) {
    case COLLECTIVE_BCAST:
    case COLLECTIVE_GATHER:
    case COLLECTIVE_GATHERV:
    case COLLECTIVE_SCATTER:
    case COLLECTIVE_SCATTERV:
    case COLLECTIVE_REDUCE:
        return true;
    default:
        return false;
    }
}

/* Stores the record; a nonblocking one is also remembered until it completes. */
static void record_instance(Thread *thread, Collective collective, const CommEntry *comm, int32_t root, Volume volume,
                            uint64_t handle)
{
    uint64_t id = 0;
    if (handle != NO_HANDLE)
        id = requests_add(handle, &(Request){.kind = REQUEST_COLLECTIVE,
                                             .collective = (uint8_t)collective,
                                             .comm = comm->number,
                                             .peer = root,
                                             .bytes = volume.sent,
                                             .bytes_received = volume.received});
    if (id || !call_put_event(thread, RECORD_CALL_COLLECTIVE, (uint8_t)collective, comm->number, root, volume.sent,
                              volume.received))
        record_collective_as(thread, RECORD_COLLECTIVE, (uint8_t)collective, comm->number, root, (uint32_t)id,
                             volume.sent, volume.received);
    record_send_event(thread);
}

static Part part_of(Collective collective, const CommEntry *comm, int root)
{
    return is_rooted(collective) ? part_in(comm, root) : (Part){.takes_part = true, .root = ROOT_NONE};
}

void record_collective(Thread *thread, Collective collective, MPI_Comm comm, const CollectiveArguments *arguments,
                       uint64_t handle)
{
    CommEntry *entry = comm_find(thread, comm);
    if (!entry)
        return;
    const Part part = part_of(collective, entry, arguments->root);
    record_instance(thread, collective, entry, part.root, volume_of(collective, arguments, entry, part), handle);
}

void record_collective_init(Thread *thread, Collective collective, MPI_Comm comm, const CollectiveArguments *arguments,
                            uint64_t handle)
{
    CommEntry *entry = comm_find(thread, comm);
    Request request = {.kind = REQUEST_NOTHING, .persistent = true};
    if (entry) {
        const Part part = part_of(collective, entry, arguments->root);
        const Volume volume = volume_of(collective, arguments, entry, part);
        request.kind = REQUEST_COLLECTIVE;
        request.collective = (uint8_t)collective;
        request.comm = entry->number;
        request.peer = part.root;
        request.bytes = volume.sent;
        request.bytes_received = volume.received;
    }
    requests_add(handle, &request);
}

void record_synchronisation(Thread *thread, Collective collective, const CommEntry *comm)
{
    if (comm)
        record_instance(thread, collective, comm, ROOT_NONE, (Volume){0}, NO_HANDLE);
}

static void record_handle(Thread *thread, Collective collective, const CommEntry *comm, uint64_t handle)
{
    if (comm)
        record_instance(thread, collective, comm, ROOT_NONE, (Volume){0}, handle);
}

/* A handle that MPI gives out again after something unknown freed its communicator must not keep its old number. */
static CommEntry *comm_made(Thread *thread, MPI_Comm made)
{
    const CommEntry *old = comm_known(thread, HANDLE(made));
    if (old)
        comm_forget(old);
    return comm_find(thread, made);
}

void record_comm_create(Thread *thread, MPI_Comm comm, MPI_Comm made)
{
    record_handle(thread, COLLECTIVE_CREATE_HANDLE, comm_find(thread, comm), NO_HANDLE);
    comm_made(thread, made);
}

void record_comm_create_over_new(Thread *thread, MPI_Comm made)
{
    record_handle(thread, COLLECTIVE_CREATE_HANDLE, comm_made(thread, made), NO_HANDLE);
}

void record_comm_idup(Thread *thread, MPI_Comm comm, MPI_Comm made, uint64_t handle)
{
    const CommEntry *entry = comm_find(thread, comm);
    record_handle(thread, COLLECTIVE_CREATE_HANDLE, entry, handle);
    const CommEntry *old = comm_known(thread, HANDLE(made));
    if (old)
        comm_forget(old);
    if (entry && HANDLE(made) != HANDLE(mpi.comm_null))
        comm_add_like(thread, entry, made);
}

void record_comm_free(Thread *thread, const CommEntry *freed)
{
    if (!freed)
        return;
    record_handle(thread, COLLECTIVE_DESTROY_HANDLE, freed, NO_HANDLE);
    comm_forget(freed);
}
