/* SPDX-License-Identifier: BSD-3-Clause */
/* Records persistent requests, matched probes, and the completion of all nonblocking operations. */
#include "trace/recorder/aside.h"
#include "trace/recorder/families.h"
#include <errno.h>
#include <stdlib.h>

void record_trial_messages(Thread *thread)
{
    record_send(thread, 1, mpi.byte, 0, 0, mpi.comm_world);
    record_send(thread, 1, mpi.byte, 0, 0, mpi.comm_world);
}

void record_message_init(RequestKind kind, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                         const CommEntry *comm, uint64_t handle)
{
    Request request = {.kind = REQUEST_NOTHING, .persistent = true};
    if (comm && peer != MPI_PROC_NULL)
        request = (Request){.kind = (uint8_t)kind,
                            .persistent = true,
                            .no_status = kind == REQUEST_RECV && count != NO_COUNT,
                            .comm = comm->number,
                            .peer = peer,
                            .tag = tag,
                            .bytes = bytes_of(count, datatype)};
    requests_add(handle, &request);
}

void record_isendrecv(Thread *thread, const CombinedArguments *a, MPI_Comm comm, uint64_t handle)
{
    const int dest = a->dest, source = a->source;
    const CommEntry *entry = comm_find(thread, comm);
    const bool sends = entry && dest != MPI_PROC_NULL, receives = entry && source != MPI_PROC_NULL;
    const Request request = {.kind = receives ? REQUEST_RECV
                                     : sends  ? REQUEST_SEND
                                              : REQUEST_NOTHING,
                             .combined = true,
                             .comm = entry ? entry->number : 0,
                             .n_peers = !entry         ? 0
                                        : entry->inter ? entry->n_remote
                                                       : entry->n_local,
                             .peer = source,
                             .tag = a->recvtag,
                             .bytes = receives ? bytes_of(a->recvcount, a->recvtype) : 0,
                             .send_id = sends && receives ? requests_new_id() : 0};
    const uint64_t id = requests_add(handle, &request);
    if (sends) {
        record_message(thread, RECORD_SEND, entry->number, dest, a->tag, bytes_of(a->count, a->datatype),
                       receives ? request.send_id : id);
        record_send_event(thread);
    }
    if (receives)
        record_request(thread, RECORD_RECV_POST, id);
}

void record_start(Thread *thread, int n, const MPI_Request *requests)
{
    for (int i = 0; i < n; i++) {
        Request request;
        if (!requests_start(HANDLE(requests[i]), &request))
            continue;
        if (request.kind == REQUEST_SEND) {
            record_message(thread, RECORD_SEND, request.comm, request.peer, request.tag, request.bytes, request.id);
            record_send_event(thread);
        } else if (request.kind == REQUEST_RECV) {
            record_request(thread, RECORD_RECV_POST, request.id);
        } else if (request.kind == REQUEST_COLLECTIVE) {
            record_collective_as(thread, RECORD_COLLECTIVE, request.collective, request.comm, request.peer, request.id,
                                 request.bytes, request.bytes_received);
            record_send_event(thread);
        }
    }
}

uint64_t events_of_start(int n, const MPI_Request *requests)
{
    uint64_t n_events = 0;
    for (int i = 0; i < n; i++) {
        Request request;
        if (requests_find(HANDLE(requests[i]), &request))
            n_events += request.kind == REQUEST_SEND || request.kind == REQUEST_COLLECTIVE;
    }
    return n_events;
}

static bool is_message(uint64_t message)
{
    return message != NO_HANDLE && message != HANDLE(mpi.message_null) && message != HANDLE(mpi.message_no_process);
}

void record_matched_probe(Thread *thread, MPI_Comm comm, uint64_t message)
{
    const CommEntry *entry = is_message(message) ? comm_find(thread, comm) : NULL;
    if (!entry)
        return;
    const Request request = {.kind = REQUEST_RECV, .comm = entry->number};
    record_request(thread, RECORD_RECV_POST, requests_add(message_handle(message), &request));
}

/* True if the status has the source and tag of a combined request. (MPICH 4.0 leaves such a status
 * unchanged.) */
static bool status_tells(const Request *request, const MPI_Status *status)
{
    return !request->combined || ((request->peer == MPI_ANY_SOURCE || request->peer == status->MPI_SOURCE) &&
                                  (request->tag == MPI_ANY_TAG || request->tag == status->MPI_TAG) &&
                                  (uint32_t)status->MPI_SOURCE < request->n_peers && status->MPI_TAG >= 0);
}

static void record_received(Thread *thread, const Request *request, const MPI_Status *status)
{
    if (request->send_id)
        record_request(thread, RECORD_SEND_DONE, request->send_id);
    const bool told = !request->no_status && status_tells(request, status);
    if (!told && (request->peer == MPI_ANY_SOURCE || request->tag == MPI_ANY_TAG))
        record_request(thread, RECORD_CANCEL, request->id); /* the sender of the message isn't known */
    else if (!told)
        record_message(thread, RECORD_RECV, request->comm, request->peer, request->tag, request->bytes, request->id);
    else
        record_message(thread, RECORD_RECV, request->comm, status->MPI_SOURCE, status->MPI_TAG, bytes_received(status),
                       request->id);
}

void record_mrecv(Thread *thread, uint64_t message, const MPI_Status *status)
{
    Request request;
    if (is_message(message) && requests_remove(message_handle(message), &request))
        record_received(thread, &request, status);
}

/* Records a matched message that can't be received any more. Its post must not stay open. */
static void record_failed_receive(Thread *thread, int rc, const Request *request, const MPI_Status *status)
{
    if (is_truncation(rc) && status->MPI_SOURCE >= 0 && status->MPI_TAG >= 0)
        record_received(thread, request, status);
    else
        record_request(thread, RECORD_CANCEL, request->id);
}

void record_long_recv(Thread *thread, int rc, MPI_Comm comm, const MPI_Status *status)
{
    if (is_truncation(rc) && status->MPI_SOURCE >= 0 && status->MPI_TAG >= 0)
        record_recv(thread, status->MPI_SOURCE, comm, status);
}

void record_long_mrecv(Thread *thread, int rc, uint64_t message, const MPI_Status *status)
{
    Request request;
    if (is_truncation(rc) && is_message(message) && requests_remove(message_handle(message), &request))
        record_failed_receive(thread, rc, &request, status);
}

void record_imrecv(uint64_t message, uint64_t handle)
{
    Request request = {.kind = REQUEST_NOTHING};
    if (is_message(message))
        requests_remove(message_handle(message), &request);
    requests_add(handle, &request);
}

/* Makes room for this many bytes in a buffer of the thread. False: out of memory; recording
 * stops. */
static bool make_room(void **buffer, size_t *size_bytes, size_t needed_bytes)
{
    if (*size_bytes >= needed_bytes)
        return true;
    ASIDE;
    const int saved = errno;
    void *grown = realloc(*buffer, needed_bytes * 2);
    errno = saved;
    if (grown) {
        *buffer = grown;
        *size_bytes = needed_bytes * 2;
    } else {
        recorder_stop(RECORDING_FAILED, ENOMEM);
    }
    return grown;
}

const uint64_t *handles_save(Thread *thread, int n, const MPI_Request *requests)
{
    if (n <= 0 || !requests || !make_room(&thread->handles, &thread->handles_bytes, (size_t)n * sizeof(uint64_t)))
        return NULL;
    uint64_t *handles = thread->handles;
    for (int i = 0; i < n; i++)
        handles[i] = HANDLE(requests[i]);
    return handles;
}

MPI_Status *statuses_wanted(Thread *thread, int n, MPI_Status *statuses)
{
    if (statuses != MPI_STATUSES_IGNORE || n <= 0 ||
        !make_room(&thread->statuses, &thread->statuses_bytes, (size_t)n * sizeof *statuses))
        return statuses;
    return thread->statuses;
}

static bool was_cancelled(const Request *request, const MPI_Status *status)
{
    int cancelled = 0;
    if (request->cancelling)
        mpi.Test_cancelled(status, &cancelled);
    return cancelled;
}

void record_completion(Thread *thread, uint64_t handle, const MPI_Status *status)
{
    Request request;
    if (handle == HANDLE(mpi.request_null) || handle == NO_HANDLE || !requests_complete(handle, &request))
        return;
    switch ((RequestKind)request.kind) {
    case REQUEST_NOTHING:
        break;
    case REQUEST_SEND:
        record_request(thread, was_cancelled(&request, status) ? RECORD_CANCEL : RECORD_SEND_DONE, request.id);
        break;
    case REQUEST_RECV:
        if (was_cancelled(&request, status))
            record_request(thread, RECORD_CANCEL, request.id);
        else
            record_received(thread, &request, status);
        break;
    case REQUEST_COLLECTIVE:
        record_collective_as(thread, RECORD_COLLECTIVE_DONE, request.collective, request.comm, request.peer, request.id,
                             request.bytes, request.bytes_received);
        break;
    case REQUEST_ONE_SIDED:
        record_collective_as(thread, RECORD_ONE_SIDED_DONE, request.collective, request.comm, request.peer, request.id,
                             0, 0);
        break;
    }
}

void record_completion_at(Thread *thread, int index, const uint64_t *handles, const MPI_Status *status)
{
    if (handles && index != MPI_UNDEFINED)
        record_completion(thread, handles[index], status);
}

void record_completions(Thread *thread, int n, const uint64_t *handles, const MPI_Status *statuses)
{
    if (!handles || statuses == MPI_STATUSES_IGNORE)
        return;
    for (int i = 0; i < n; i++)
        record_completion(thread, handles[i], &statuses[i]);
}

void record_completions_at(Thread *thread, int n, const int *indices, const uint64_t *handles,
                           const MPI_Status *statuses)
{
    if (!handles || n == MPI_UNDEFINED || statuses == MPI_STATUSES_IGNORE)
        return;
    for (int i = 0; i < n; i++)
        record_completion(thread, handles[indices[i]], &statuses[i]);
}

void record_completions_in_status(Thread *thread, int rc, int n, const int *indices, const uint64_t *handles,
                                  const MPI_Status *statuses)
{
    if (!handles || statuses == MPI_STATUSES_IGNORE || error_class(rc) != MPI_ERR_IN_STATUS || n == MPI_UNDEFINED)
        return;
    for (int i = 0; i < n; i++) {
        const uint64_t handle = handles[indices ? indices[i] : i];
        const int error = error_class(statuses[i].MPI_ERROR);
        if (error == MPI_SUCCESS)
            record_completion(thread, handle, &statuses[i]);
        else if (error != MPI_ERR_PENDING)
            record_failure(thread, statuses[i].MPI_ERROR, handle, true, &statuses[i]);
    }
}

void record_failure(Thread *thread, int rc, uint64_t handle, bool freed, const MPI_Status *status)
{
    Request request;
    if (handle == HANDLE(mpi.request_null) || handle == NO_HANDLE || !(freed || is_truncation(rc)) ||
        !requests_complete(handle, &request))
        return;
    if (request.kind == REQUEST_RECV)
        record_failed_receive(thread, rc, &request, status);
}

void record_failure_among(Thread *thread, int rc, int n, const uint64_t *handles, const MPI_Request *requests,
                          const MPI_Status *status)
{
    for (int i = 0; handles && i < n; i++)
        if (HANDLE(requests[i]) == HANDLE(mpi.request_null))
            record_failure(thread, rc, handles[i], true, status);
}

/* An active receive that is freed will complete unseen. The recording says that it never completes,
 * and counts the call. */
void record_request_free(Thread *thread, uint16_t call, uint64_t handle)
{
    Request request;
    if (!requests_remove(handle, &request) || request.kind != REQUEST_RECV || !request.id)
        return;
    record_request(thread, RECORD_CANCEL, request.id);
    process_count(call);
}
