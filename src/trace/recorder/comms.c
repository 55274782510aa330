/* SPDX-License-Identifier: BSD-3-Clause */
/* See comms.h. The entries are in a hash table under a lock; each has a record in .comms. Entries
 * are reused, but their memory is never freed. So if one thread frees an entry while another looks
 * at it, the other sees old data, not invalid memory. */
#include "trace/recorder/comms.h"

#include "trace/recorder/aside.h"
#include "trace/recorder/files.h"
#include "trace/recorder/lock.h"
#include <errno.h>
#include <stdlib.h>

#define BUCKETS 1024
#define CART_DIMENSIONS_LIMIT 32 /* two neighbours for each dimension: 64 bits of CommEntry.absent */
#define NEIGHBOURS_LIMIT 4096    /* of a process, to be stored */

uint64_t comms_generation = 1;

static Lock lock;
static CommEntry *buckets[BUCKETS];
static CommEntry *unused;

#define WRITES_LIMIT 1024 /* records that threads write at the same time */

static uint32_t n_reserved, n_written; /* places reserved in .comms; records in .comms without a gap before them */
static uint64_t reserved_bytes;
static bool is_written[WRITES_LIMIT]; /* by number modulo the limit, from n_written on */

/* World ranks of a group's members, in the format of .comms. */
typedef struct Members {
    CommRecord head;
    int rank; /* of this process in its group */
    bool inter;
    CommRange *ranges; /* [capacity]; n_ranges of them are used */
    size_t capacity;
    int32_t *neighbours; /* [n_sources + n_destinations] */
} Members;

/* False: the table is lost, and recording stops. */
static bool enter(void)
{
    if (lock_take(&lock))
        return true;
    recorder_stop(RECORDING_INTERRUPTED, 0);
    return false;
}

static CommEntry **bucket_of(uint64_t handle)
{
    return &buckets[(handle * 0x9e3779b97f4a7c15u) >> 54];
}
_Static_assert(BUCKETS == 1 << (64 - 54), "bucket_of() gives this many values");

static CommEntry *table_find(uint64_t handle)
{
    CommEntry *entry = *bucket_of(handle);
    while (entry && entry->handle != handle)
        entry = entry->next;
    return entry;
}

static bool members_push(Members *members, CommRange range)
{
    if (members->head.n_ranges == members->capacity) {
        const size_t capacity = members->capacity ? members->capacity * 2 : 8;
        CommRange *ranges = realloc(members->ranges, capacity * sizeof *ranges);
        if (!ranges)
            return false;
        members->ranges = ranges;
        members->capacity = capacity;
    }
    members->ranges[members->head.n_ranges++] = range;
    return true;
}

/* The longest arithmetic sequence at the start of `ranks`. */
static CommRange first_range(const int *ranks, uint32_t n)
{
    CommRange range = {.first = ranks[0], .stride = n > 1 ? ranks[1] - ranks[0] : 1, .count = 1};
    if (n > 1 && (ranks[0] < 0) != (ranks[1] < 0))
        range.stride = 1;
    else if (ranks[0] < 0)
        range.stride = 0;
    while (range.count < n && ranks[range.count] == ranks[range.count - 1] + range.stride &&
           (ranks[range.count] < 0) == (ranks[0] < 0))
        range.count++;
    return range;
}

static bool members_push_ranks(Members *members, const int *ranks, uint32_t n)
{
    while (n) {
        const CommRange range = first_range(ranks, n);
        if (!members_push(members, range))
            return false;
        ranks += range.count;
        n -= range.count;
    }
    return true;
}

/* Appends a group's members, and frees the group. */
static bool members_push_group(Members *members, MPI_Group group, MPI_Group world, uint32_t *size)
{
    int n = 0;
    mpi.Group_size(group, &n);
    int *ranks = malloc(2 * sizeof *ranks * (size_t)(n ? n : 1));
    if (!ranks) {
        mpi.Group_free(&group);
        return false;
    }
    int *world_ranks = ranks + n;
    for (int i = 0; i < n; i++)
        ranks[i] = i;
    if (n)
        mpi.Group_translate_ranks(group, n, ranks, world, world_ranks);
    mpi.Group_free(&group);
    for (int i = 0; i < n; i++)
        if (world_ranks[i] < 0)
            world_ranks[i] = OUTSIDE_WORLD;
    const bool pushed = members_push_ranks(members, world_ranks, (uint32_t)n);
    free(ranks);
    *size = (uint32_t)n;
    return pushed;
}

static uint64_t neighbours_bytes(const Members *members)
{
    return ((uint64_t)members->head.n_sources + members->head.n_destinations) * sizeof *members->neighbours;
}

static uint64_t members_bytes(const Members *members)
{
    return sizeof members->head + members->head.n_ranges * sizeof *members->ranges + neighbours_bytes(members);
}

/* With many ranks, a record has many ranges. So the record and its ranges are written by one system
 * call. */
static int put_members(const Members *members, uint64_t offset)
{
    char path[PATH_BYTES];
    const size_t size_bytes = members_bytes(members);
    char *content = malloc(size_bytes);
    if (!content)
        return ENOMEM;
    memcpy(content, &members->head, sizeof members->head);
    if (members->head.n_ranges)
        memcpy(content + sizeof members->head, members->ranges, members->head.n_ranges * sizeof *members->ranges);
    if (neighbours_bytes(members))
        memcpy(content + size_bytes - neighbours_bytes(members), members->neighbours, neighbours_bytes(members));
    process_path(".comms", path);
    const int error = file_put(path, offset, content, size_bytes);
    free(content);
    return error;
}

static CommEntry *new_entry(void)
{
    CommEntry *entry = unused;
    if (!entry)
        return calloc(1, sizeof *entry);
    unused = entry->next;
    *entry = (CommEntry){0};
    return entry;
}

/* Adds an entry, and reserves its place in .comms. The caller holds the lock. NULL: no memory. */
static CommEntry *table_add(uint64_t handle, const Members *members)
{
    CommEntry *entry = n_reserved - n_written < WRITES_LIMIT ? new_entry() : NULL;
    if (!entry)
        return NULL;
    *entry = (CommEntry){.handle = handle,
                         .number = n_reserved++,
                         .offset = reserved_bytes,
                         .rank = members->rank,
                         .inter = members->inter,
                         .n_local = members->head.n_local,
                         .n_remote = members->head.n_remote};
    reserved_bytes += members_bytes(members);
    entry->next = *bucket_of(handle);
    *bucket_of(handle) = entry;
    return entry;
}

/* Announces a record to readers of .comms as soon as all records before it are written, too. */
static void mark_written(CommEntry *entry, uint32_t number)
{
    if (!enter())
        return;
    if (entry->number == number)
        entry->written = true;
    if (number >= n_written)
        is_written[number % WRITES_LIMIT] = true;
    while (n_written < n_reserved && is_written[n_written % WRITES_LIMIT])
        is_written[n_written++ % WRITES_LIMIT] = false;
    process_set_comms(n_written);
    lock_release(&lock);
}

/* Keeps the ranks that aren't MPI_PROC_NULL. Returns their number. */
static uint32_t keep_present(const int *ranks, int n, int32_t *kept)
{
    uint32_t n_kept = 0;
    for (int i = 0; i < n; i++)
        if (ranks[i] >= 0)
            kept[n_kept++] = ranks[i];
    return n_kept;
}

static void ask_for_grid(MPI_Comm comm, int n_dimensions, int *ranks)
{
    for (int i = 0; i < n_dimensions; i++)
        mpi.Cart_shift(comm, i, 1, &ranks[2 * i], &ranks[2 * i + 1]);
}

/* Numbers of sources and destinations. False: the communicator has no topology. */
static bool count_neighbours(MPI_Comm comm, int rank, int topology, int *n_sources, int *n_destinations)
{
    int n = 0, weighted;
    if (topology == MPI_DIST_GRAPH) {
        mpi.Dist_graph_neighbors_count(comm, n_sources, n_destinations, &weighted);
        return true;
    }
    if (topology == MPI_CART)
        mpi.Cartdim_get(comm, &n);
    else if (topology == MPI_GRAPH)
        mpi.Graph_neighbors_count(comm, rank, &n);
    else
        return false;
    *n_sources = *n_destinations = topology == MPI_CART ? 2 * n : n;
    return true;
}

/* Finds the neighbours in the topology of a communicator. Neighbours that are too many, or for which
 * there is no memory, stay unknown. */
static void neighbours_find(Members *members, MPI_Comm comm)
{
    int topology = MPI_UNDEFINED, n_sources = 0, n_destinations = 0;
    mpi.Topo_test(comm, &topology);
    if (!count_neighbours(comm, members->rank, topology, &n_sources, &n_destinations) || n_sources < 0 ||
        n_destinations < 0 || n_sources > NEIGHBOURS_LIMIT || n_destinations > NEIGHBOURS_LIMIT)
        return;
    const size_t n = (size_t)n_sources + (size_t)n_destinations + 1;
    int *ranks = malloc(2 * n * sizeof *ranks), *weights = ranks + n; /* asked for, and not used */
    members->neighbours = malloc(n * sizeof *members->neighbours);
    if (ranks && members->neighbours) {
        int *destinations = topology == MPI_DIST_GRAPH ? ranks + n_sources : ranks;
        if (topology == MPI_CART)
            ask_for_grid(comm, n_sources / 2, ranks);
        else if (topology == MPI_GRAPH)
            mpi.Graph_neighbors(comm, members->rank, n_sources, ranks);
        else
            mpi.Dist_graph_neighbors(comm, n_sources, ranks, weights, n_destinations, destinations,
                                     weights + n_sources);
        members->head.has_neighbours = 1;
        members->head.n_sources = keep_present(ranks, n_sources, members->neighbours);
        members->head.n_destinations =
            keep_present(destinations, n_destinations, members->neighbours + members->head.n_sources);
    }
    free(ranks);
}

/* Finds the members of `model`, or of a window: it no longer has its communicator, but its group.
 * False: no memory. */
static bool members_find(Members *members, MPI_Comm model, const MPI_Win *window)
{
    MPI_Group world, group;
    int inter = 0;
    *members = (Members){.head.is_window = window != NULL};
    mpi.Comm_group(mpi.comm_world, &world);
    if (window) {
        mpi.Win_get_group(*window, &group);
    } else {
        mpi.Comm_test_inter(model, &inter);
        mpi.Comm_group(model, &group);
    }
    mpi.Group_rank(group, &members->rank);
    members->inter = inter;
    bool found = members_push_group(members, group, world, &members->head.n_local);
    if (found && inter) {
        mpi.Comm_remote_group(model, &group);
        found = members_push_group(members, group, world, &members->head.n_remote);
    }
    mpi.Group_free(&world);
    if (found && !inter && !window)
        neighbours_find(members, model);
    return found;
}

/* Adds an entry, or finds the one that another thread has just added. Two threads may then write
 * the same record to the same place; neither waits for the other's file operations. */
static CommEntry *add(uint64_t handle, const Members *members)
{
    if (!enter())
        return NULL;
    CommEntry *entry = table_find(handle);
    if (!entry)
        entry = table_add(handle, members);
    const uint64_t offset = entry ? entry->offset : 0;
    const uint32_t number = entry ? entry->number : 0;
    lock_release(&lock);
    const int error = entry ? put_members(members, offset) : ENOMEM;
    if (error) {
        recorder_stop(RECORDING_FAILED, error);
        return NULL;
    }
    mark_written(entry, number);
    return entry;
}

/* Adds a communicator with the members of `model`, or a window. NULL: recording stops. */
static CommEntry *add_with_members(uint64_t handle, MPI_Comm model, const MPI_Win *window)
{
    Members members;
    CommEntry *entry = NULL;
    if (members_find(&members, model, window))
        entry = add(handle, &members);
    else
        recorder_stop(RECORDING_FAILED, ENOMEM);
    free(members.ranges);
    free(members.neighbours);
    return entry;
}

void comms_start(void)
{
    ASIDE;
    add_with_members(HANDLE(mpi.comm_world), mpi.comm_world, NULL);
    add_with_members(HANDLE(mpi.comm_self), mpi.comm_self, NULL);
}

/* Finds the entry of a handle. `may_add`: an unknown handle is added. */
static CommEntry *find(Thread *thread, uint64_t handle, bool may_add, MPI_Comm model, const MPI_Win *window)
{
    ASIDE;
    const int saved = errno;
    if (!enter())
        return NULL;
    CommEntry *entry = table_find(handle);
    const uint64_t generation = comms_generation;
    const bool is_whole = entry && entry->written;
    lock_release(&lock);
    if (may_add && !is_whole && recorder_is(RECORDER_ON))
        entry = add_with_members(handle, model, window);
    if (entry)
        *comm_cache(thread, handle) = (CommCache){.handle = handle, .generation = generation, .entry = entry};
    errno = saved;
    return entry;
}

CommEntry *comm_find_slowly(Thread *thread, uint64_t handle, bool add)
{
    const bool is_none = handle == HANDLE(mpi.comm_null) || handle == NO_HANDLE;
    return is_none ? NULL : find(thread, handle, add, COMM_OF(handle), NULL);
}

CommEntry *window_find_slowly(Thread *thread, MPI_Win window)
{
    return find(thread, HANDLE(window), true, mpi.comm_null, &window);
}

CommEntry *comm_add_like(Thread *thread, const CommEntry *model, MPI_Comm comm)
{
    return find(thread, HANDLE(comm), true, COMM_OF(model->handle), NULL);
}

void comm_forget(const CommEntry *entry)
{
    ASIDE;
    if (!enter())
        return;
    CommEntry **place = bucket_of(entry->handle);
    while (*place && *place != entry)
        place = &(*place)->next;
    CommEntry *found = *place;
    if (found) {
        *place = found->next;
        found->next = unused;
        unused = found;
        __atomic_add_fetch(&comms_generation, 1, __ATOMIC_RELEASE);
    }
    lock_release(&lock);
}

static void find_grid_neighbours(CommEntry *entry)
{
    int n_dimensions = 0;
    mpi.Cartdim_get(COMM_OF(entry->handle), &n_dimensions);
    entry->n_sources = entry->n_destinations = 2 * (uint32_t)n_dimensions;
    for (int i = 0; i < n_dimensions && i < CART_DIMENSIONS_LIMIT; i++) {
        int below = 0, above = 0;
        mpi.Cart_shift(COMM_OF(entry->handle), i, 1, &below, &above);
        entry->absent |= (uint64_t)(below == MPI_PROC_NULL) << (2 * i) | (uint64_t)(above == MPI_PROC_NULL)
                                                                             << (2 * i + 1);
    }
}

void comm_find_neighbours(CommEntry *entry)
{
    const MPI_Comm comm = COMM_OF(entry->handle);
    int topology = MPI_UNDEFINED, n_sources = 0, n_destinations = 0, weighted;
    if (entry->has_neighbours)
        return;
    mpi.Topo_test(comm, &topology);
    if (topology == MPI_CART) {
        find_grid_neighbours(entry);
    } else if (topology == MPI_GRAPH || topology == MPI_DIST_GRAPH) {
        if (topology == MPI_GRAPH) {
            mpi.Graph_neighbors_count(comm, entry->rank, &n_sources);
            n_destinations = n_sources;
        } else {
            mpi.Dist_graph_neighbors_count(comm, &n_sources, &n_destinations, &weighted);
        }
        entry->n_sources = (uint32_t)n_sources;
        entry->n_destinations = (uint32_t)n_destinations;
    }
    entry->has_neighbours = true;
}
