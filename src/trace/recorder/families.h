/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorders of the families in calls.def. The wrapper of a call passes them the parameters with
 * roles, after the real call has succeeded. So their queries to MPI can't fail in a way in which
 * the program's call didn't. */
#pragma once

#include "model/event.h"
#include "trace/recorder/comms.h"
#include "trace/recorder/library.h"
#include "trace/recorder/records.h"
#include "trace/recorder/requests.h"

/* Functions that are exported under a name of MPI's, but have firma's prototypes. */
#define EXPORTED_AS(name) __asm__(#name) __attribute__((visibility("default")))
#define ALIAS_AS(name, of) __asm__(#name) __attribute__((visibility("default"), alias(#of)))

/* The name by which the program made this call. The entry point of PMPI_X sets it just before. */
HOT CallName call_name_used(Thread *thread)
{
    const CallName name = thread->called;
    thread->called = CALLED_MPI;
    return name;
}

/* A parameter that is a handle. The wrapper passes it on unchanged. */
typedef uintptr_t Word;

/* The size of a message. With count 0, MPI may not look at the datatype, and neither may the
 * recorder. */
static inline uint64_t bytes_of(MPI_Count count, MPI_Datatype datatype)
{
    MPI_Count size = 0;
    if (count <= 0)
        return 0;
    mpi.Type_size_x(datatype, &size);
    return (uint64_t)count * (uint64_t)size;
}

static inline uint64_t bytes_received(const MPI_Status *status)
{
    MPI_Count bytes = 0;
    mpi.Get_elements_x((MPI_Status *)status, mpi.byte, &bytes);
    return bytes > 0 ? (uint64_t)bytes : 0;
}

/* Records that something happened to a request, and nothing else. */
static inline void record_request(Thread *thread, RecordKind kind, uint64_t request)
{
    record_message(thread, kind, 0, 0, 0, 0, request);
}

static inline void record_send(Thread *thread, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    const CommEntry *entry = dest == MPI_PROC_NULL ? NULL : comm_find(thread, comm);
    if (!entry)
        return;
    record_blocking(thread, RECORD_SEND, entry->number, dest, tag, bytes_of(count, datatype));
    record_send_event(thread);
}

static inline void record_recv(Thread *thread, int source, MPI_Comm comm, const MPI_Status *status)
{
    const CommEntry *entry = source == MPI_PROC_NULL ? NULL : comm_find(thread, comm);
    if (entry)
        record_blocking(thread, RECORD_RECV, entry->number, status->MPI_SOURCE, status->MPI_TAG,
                        bytes_received(status));
}

/* A send and a receive that complete together. */
typedef struct CombinedArguments {
    MPI_Count count, recvcount;
    MPI_Datatype datatype, recvtype;
    int dest, tag, source, recvtag;
} CombinedArguments;

void record_isendrecv(Thread *thread, const CombinedArguments *arguments, MPI_Comm comm, uint64_t handle);

static inline void record_isend(Thread *thread, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                                MPI_Comm comm, uint64_t handle)
{
    const CommEntry *entry = dest == MPI_PROC_NULL ? NULL : comm_find(thread, comm);
    const uint64_t id = requests_add(handle, &(Request){.kind = entry ? REQUEST_SEND : REQUEST_NOTHING});
    if (!entry)
        return;
    record_message(thread, RECORD_SEND, entry->number, dest, tag, bytes_of(count, datatype), id);
    record_send_event(thread);
}

static inline void record_irecv(Thread *thread, int source, MPI_Comm comm, uint64_t handle)
{
    const CommEntry *entry = source == MPI_PROC_NULL ? NULL : comm_find(thread, comm);
    const Request request = {.kind = entry ? REQUEST_RECV : REQUEST_NOTHING, .comm = entry ? entry->number : 0};
    const uint64_t id = requests_add(handle, &request);
    if (entry)
        record_request(thread, RECORD_RECV_POST, id);
}

/* Persistent requests: nothing happens before they are started. NO_COUNT: a receive whose status
 * tells its size. The status of a partitioned receive doesn't, but its source and tag are known
 * beforehand. */
#define NO_COUNT (-1)
void record_message_init(RequestKind kind, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                         const CommEntry *comm, uint64_t handle);
void record_start(Thread *thread, int n, const MPI_Request *requests);

/* The number of send-like events that starting these requests will make. */
uint64_t events_of_start(int n, const MPI_Request *requests);

/* Matched probes: the probe takes the message from the queue. The message arrives at MPI_Mrecv, or
 * when MPI_Imrecv completes. */
void record_matched_probe(Thread *thread, MPI_Comm comm, uint64_t message);
void record_mrecv(Thread *thread, uint64_t message, const MPI_Status *status);
void record_imrecv(uint64_t message, uint64_t handle);

/* Copies of handles before a call that overwrites them. Valid until the thread's next MPI call.
 * NULL: out of memory. */
const uint64_t *handles_save(Thread *thread, int n, const MPI_Request *requests);

/* The program's statuses, or buffers of the recorder if the program ignores statuses. */
MPI_Status *statuses_wanted(Thread *thread, int n, MPI_Status *statuses);

/* Completion of one request; of the one with an index (*_at; MPI_UNDEFINED: none); of several. */
void record_completion(Thread *thread, uint64_t handle, const MPI_Status *status);
void record_completion_at(Thread *thread, int index, const uint64_t *handles, const MPI_Status *status);
void record_completions(Thread *thread, int n, const uint64_t *handles, const MPI_Status *statuses);
void record_completions_at(Thread *thread, int n, const int *indices, const uint64_t *handles,
                           const MPI_Status *statuses);

/* After a failed call: records the requests whose status has no error. If `indices` is NULL, the
 * call concerns all requests. */
void record_completions_in_status(Thread *thread, int rc, int n, const int *indices, const uint64_t *handles,
                                  const MPI_Status *statuses);

static inline int error_class(int code)
{
    int class = MPI_ERR_UNKNOWN;
    if (code == MPI_SUCCESS)
        return MPI_SUCCESS;
    mpi.Error_class(code, &class);
    return class;
}

/* True if a message was longer than its buffer. It has arrived all the same, and takes part in the
 * matching of later messages. So its receive is an event, although the call failed. */
static inline bool is_truncation(int rc)
{
    return error_class(rc) == MPI_ERR_TRUNCATE;
}

/* After a failed receive: records an event if the message was too long. */
void record_long_recv(Thread *thread, int rc, MPI_Comm comm, const MPI_Status *status);
void record_long_mrecv(Thread *thread, int rc, uint64_t message, const MPI_Status *status);

/* A request completed with an error. `freed` says that the request doesn't exist any more. */
void record_failure(Thread *thread, int rc, uint64_t handle, bool freed, const MPI_Status *status);

/* One of several requests completed with an error: the one that is MPI_REQUEST_NULL now. */
void record_failure_among(Thread *thread, int rc, int n, const uint64_t *handles, const MPI_Request *requests,
                          const MPI_Status *status);

void record_request_free(Thread *thread, uint16_t call, uint64_t handle);

/* Counts for each process, as int, or as MPI_Count in large-count calls. */
typedef struct CountArray {
    const void *values;
    size_t value_bytes;
} CountArray;

/* What a collective sends or receives: the same amount for each process, or amounts by counts, or
 * by counts and types. */
typedef struct CollectiveSide {
    MPI_Count count;
    MPI_Datatype type;
    CountArray counts;
    const MPI_Datatype *types;
} CollectiveSide;

/* The parameters of a collective by role. Parameters that the collective doesn't have are zero. */
typedef struct CollectiveArguments {
    const void *sendbuf, *recvbuf; /* only compared with MPI_IN_PLACE */
    CollectiveSide send, recv;
    bool is_rooted;
    int root;
} CollectiveArguments;

/* `handle` is a nonblocking collective's request. NO_HANDLE: the collective is blocking. */
void record_collective(Thread *thread, Collective collective, MPI_Comm comm, const CollectiveArguments *arguments,
                       uint64_t handle);

/* A persistent collective was created, for MPI_Start. `handle` is its request. */
void record_collective_init(Thread *thread, Collective collective, MPI_Comm comm, const CollectiveArguments *arguments,
                            uint64_t handle);

/* A collective without data, on a communicator or window. `comm` may be NULL. */
void record_synchronisation(Thread *thread, Collective collective, const CommEntry *comm, uint64_t handle);

/* The parameters of a one-sided operation by role. */
typedef struct OneSidedArguments {
    MPI_Count count, resultcount;
    MPI_Datatype datatype, resulttype;
    MPI_Op op; /* MPI_NO_OP: the operation only reads */
} OneSidedArguments;

/* `handle` is the operation's request. NO_HANDLE: the window's synchronisation completes the
 * operation. */
void record_one_sided(Thread *thread, OneSided kind, MPI_Win window, int target, const OneSidedArguments *arguments,
                      uint64_t handle);

void record_win_create(Thread *thread, MPI_Win made);
void record_fence(Thread *thread, MPI_Win window);

/* The process's operations on a target, or on all, are complete. */
#define EVERY_TARGET (-1)
void record_flush(Thread *thread, MPI_Win window, int target);

/* Notifies or awaits the members of a group. */
void record_window_group(Thread *thread, MPI_Win window, WindowSync sync, MPI_Group group);
void record_win_complete(Thread *thread, MPI_Win window);
void record_win_wait(Thread *thread, MPI_Win window);

void record_comm_create(Thread *thread, MPI_Comm comm, MPI_Comm made);
void record_comm_create_over_new(Thread *thread, MPI_Comm made);
void record_comm_idup(Thread *thread, MPI_Comm comm, MPI_Comm made, uint64_t handle);
void record_comm_free(Thread *thread, const CommEntry *freed);
