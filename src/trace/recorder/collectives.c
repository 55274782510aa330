/* SPDX-License-Identifier: BSD-3-Clause */
/* Records collectives, and the creation and freeing of communicators.
 *
 * bytes_sent is what this process contributes, bytes_received what it gets, with its own share. The
 * root of a broadcast contributes the message once. In an allgather, every process contributes its
 * part and gets all parts. MPI doesn't read some parameters (at ranks other than the root, or with
 * MPI_IN_PLACE). They may have any value, so the recorder doesn't read them either. */
#include "trace/recorder/families.h"

typedef struct Volume {
    uint64_t sent, received;
} Volume;

/* This process's part in a collective. */
typedef struct Part {
    bool is_root;
    bool takes_part; /* false: in the root's group of an intercommunicator, but not the root */
    int32_t root;    /* value for the record */
} Part;

static Part part_in(const CommEntry *comm, const CollectiveArguments *a)
{
    if (!a->is_rooted)
        return (Part){.takes_part = true, .root = ROOT_NONE};
    if (!comm->inter)
        return (Part){.is_root = a->root == comm->rank, .takes_part = true, .root = a->root};
    if (a->root == MPI_ROOT)
        return (Part){.is_root = true, .takes_part = true, .root = ROOT_SELF};
    if (a->root == MPI_PROC_NULL)
        return (Part){.root = ROOT_BYSTANDER};
    return (Part){.takes_part = true, .root = a->root};
}

static MPI_Count count_at(CountArray counts, uint32_t i)
{
    return counts.value_bytes == sizeof(int) ? ((const int *)counts.values)[i] : ((const MPI_Count *)counts.values)[i];
}

static bool in_place(const void *buffer)
{
    return buffer == MPI_IN_PLACE;
}

/* Bytes exchanged with all n processes. */
static uint64_t bytes_of_all(const CollectiveSide *side, uint32_t n)
{
    uint64_t total = 0;
    MPI_Count count = side->counts.values ? 0 : side->count * (MPI_Count)n;
    for (uint32_t i = 0; i < n && side->counts.values; i++) {
        if (side->types)
            total += bytes_of(count_at(side->counts, i), side->types[i]);
        else
            count += count_at(side->counts, i);
    }
    return side->types ? total : bytes_of(count, side->type);
}

/* Bytes exchanged with this process itself. */
static uint64_t bytes_of_own(const CollectiveSide *side, const CommEntry *comm)
{
    return bytes_of(side->counts.values ? count_at(side->counts, (uint32_t)comm->rank) : side->count, side->type);
}

static uint64_t bytes_of_one(const CollectiveSide *side)
{
    return bytes_of(side->count, side->type);
}

/* The number of processes with which a rooted or all-to-all collective exchanges data. In an
 * intercommunicator, this is the other group. */
static uint32_t n_partners(const CommEntry *comm)
{
    return comm->inter ? comm->n_remote : comm->n_local;
}

/* The volume of a gather or scatter. `whole` is the root's buffer. `piece` is the buffer of every
 * process; the root's may be in place. */
static Volume rooted_volume(const CollectiveSide *whole, const CollectiveSide *piece, const void *piece_buffer,
                            const CommEntry *comm, Part part, bool gathers)
{
    const uint64_t root_bytes = part.is_root ? bytes_of_all(whole, n_partners(comm)) : 0;
    uint64_t own_bytes = 0;
    if (part.is_root && !comm->inter && in_place(piece_buffer))
        own_bytes = bytes_of_own(whole, comm);
    else if (!part.is_root || !comm->inter)
        own_bytes = bytes_of_one(piece);
    return gathers ? (Volume){own_bytes, root_bytes} : (Volume){root_bytes, own_bytes};
}

static Volume allgather_volume(const CollectiveArguments *a, const CommEntry *comm)
{
    return (Volume){in_place(a->sendbuf) ? bytes_of_own(&a->recv, comm) : bytes_of_one(&a->send),
                    bytes_of_all(&a->recv, n_partners(comm))};
}

static Volume alltoall_volume(const CollectiveArguments *a, const CommEntry *comm)
{
    const uint64_t received = bytes_of_all(&a->recv, n_partners(comm));
    return (Volume){in_place(a->sendbuf) ? received : bytes_of_all(&a->send, n_partners(comm)), received};
}

/* In an intercommunicator, both groups reduce the amount that the own group scatters. */
static Volume reduce_scatter_volume(const CollectiveArguments *a, const CommEntry *comm)
{
    const CollectiveSide parts = {.counts = a->recv.counts, .type = a->send.type};
    return (Volume){bytes_of_all(&parts, comm->n_local), bytes_of_own(&parts, comm)};
}

static bool is_absent(const CommEntry *comm, uint32_t neighbour)
{
    return neighbour < 64 && comm->absent >> neighbour & 1;
}

/* Bytes to or from n neighbours. */
static uint64_t neighbours_bytes(const CommEntry *comm, uint32_t n, const CollectiveSide *side)
{
    const uint64_t each = side->counts.values ? 0 : bytes_of_one(side);
    uint64_t total = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!is_absent(comm, i))
            total += side->counts.values
                         ? bytes_of(count_at(side->counts, i), side->types ? side->types[i] : side->type)
                         : each;
    return total;
}

static Volume neighbour_volume(Collective collective, const CollectiveArguments *a, CommEntry *comm)
{
    comm_find_neighbours(comm);
    const bool gathers = collective == COLLECTIVE_NEIGHBOR_ALLGATHER || collective == COLLECTIVE_NEIGHBOR_ALLGATHERV;
    return (Volume){gathers ? bytes_of_one(&a->send) : neighbours_bytes(comm, comm->n_destinations, &a->send),
                    neighbours_bytes(comm, comm->n_sources, &a->recv)};
}

static Volume volume_of(Collective collective, const CollectiveArguments *a, CommEntry *comm, Part part)
{
    if (!part.takes_part)
        return (Volume){0};
    switch (collective) {
    case COLLECTIVE_BCAST: /* in an intracommunicator, the root has the message already */
        return part.is_root ? (Volume){.sent = bytes_of_one(&a->send)} : (Volume){.received = bytes_of_one(&a->send)};
    case COLLECTIVE_GATHER:
    case COLLECTIVE_GATHERV:
        return rooted_volume(&a->recv, &a->send, a->sendbuf, comm, part, true);
    case COLLECTIVE_SCATTER:
    case COLLECTIVE_SCATTERV:
        return rooted_volume(&a->send, &a->recv, a->recvbuf, comm, part, false);
    case COLLECTIVE_ALLGATHER:
    case COLLECTIVE_ALLGATHERV:
        return allgather_volume(a, comm);
    case COLLECTIVE_ALLTOALL:
    case COLLECTIVE_ALLTOALLV:
    case COLLECTIVE_ALLTOALLW:
        return alltoall_volume(a, comm);
    case COLLECTIVE_ALLREDUCE:
    case COLLECTIVE_SCAN:
        return (Volume){bytes_of_one(&a->send), bytes_of_one(&a->send)};
    case COLLECTIVE_EXSCAN:
        return (Volume){bytes_of_one(&a->send), comm->rank ? bytes_of_one(&a->send) : 0};
    case COLLECTIVE_REDUCE:
        return (Volume){part.is_root && comm->inter ? 0 : bytes_of_one(&a->send),
                        part.is_root ? bytes_of_one(&a->send) : 0};
    case COLLECTIVE_REDUCE_SCATTER:
        return reduce_scatter_volume(a, comm);
    case COLLECTIVE_REDUCE_SCATTER_BLOCK:
        return (Volume){comm->n_local * bytes_of_one(&a->send), bytes_of_one(&a->send)};
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

/* Stores the record. Also remembers a nonblocking collective until it completes. */
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
        record_collective_as(thread, RECORD_COLLECTIVE, (uint8_t)collective, comm->number, root, id, volume.sent,
                             volume.received);
    record_send_event(thread);
}

void record_collective(Thread *thread, Collective collective, MPI_Comm comm, const CollectiveArguments *arguments,
                       uint64_t handle)
{
    CommEntry *entry = comm_find(thread, comm);
    if (!entry)
        return;
    const Part part = part_in(entry, arguments);
    record_instance(thread, collective, entry, part.root, volume_of(collective, arguments, entry, part), handle);
}

void record_collective_init(Thread *thread, Collective collective, MPI_Comm comm, const CollectiveArguments *arguments,
                            uint64_t handle)
{
    CommEntry *entry = comm_find(thread, comm);
    Request request = {.kind = REQUEST_NOTHING, .persistent = true};
    if (entry) {
        const Part part = part_in(entry, arguments);
        const Volume volume = volume_of(collective, arguments, entry, part);
        request = (Request){.kind = REQUEST_COLLECTIVE,
                            .persistent = true,
                            .collective = (uint8_t)collective,
                            .comm = entry->number,
                            .peer = part.root,
                            .bytes = volume.sent,
                            .bytes_received = volume.received};
    }
    requests_add(handle, &request);
}

void record_synchronisation(Thread *thread, Collective collective, const CommEntry *comm, uint64_t handle)
{
    if (comm)
        record_instance(thread, collective, comm, ROOT_NONE, (Volume){0}, handle);
}

void record_comm_create(Thread *thread, MPI_Comm comm, MPI_Comm made)
{
    record_synchronisation(thread, COLLECTIVE_CREATE_HANDLE, comm_find(thread, comm), NO_HANDLE);
    comm_forget_old(thread, HANDLE(made));
    comm_find(thread, made);
}

void record_comm_create_over_new(Thread *thread, MPI_Comm made)
{
    comm_forget_old(thread, HANDLE(made));
    record_synchronisation(thread, COLLECTIVE_CREATE_HANDLE, comm_find(thread, made), NO_HANDLE);
}

void record_comm_idup(Thread *thread, MPI_Comm comm, MPI_Comm made, uint64_t handle)
{
    const CommEntry *entry = comm_find(thread, comm);
    record_synchronisation(thread, COLLECTIVE_CREATE_HANDLE, entry, handle);
    comm_forget_old(thread, HANDLE(made));
    if (entry && HANDLE(made) != HANDLE(mpi.comm_null))
        comm_add_like(thread, entry, made);
}

void record_comm_free(Thread *thread, const CommEntry *freed)
{
    if (!freed)
        return;
    record_synchronisation(thread, COLLECTIVE_DESTROY_HANDLE, freed, NO_HANDLE);
    comm_forget(freed);
}
