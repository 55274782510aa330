/* SPDX-License-Identifier: BSD-3-Clause */
/* Records RMA windows and one-sided operations. Creating, freeing and fencing a window are
 * collectives of all its members, and are recorded as such. Unlocking, flushing, post and start
 * synchronise only some members, so they have no place in an order by collectives. One-sided
 * operations have no receive, so only their volume and their target are recorded. */
#include "trace/recorder/families.h"

static CommEntry *window_find(Thread *thread, MPI_Win window)
{
    CommEntry *entry = comm_known(thread, HANDLE(window));
    return entry ? entry : window_find_slowly(thread, window);
}

void record_win_create(Thread *thread, MPI_Win made)
{
    comm_forget_old(thread, HANDLE(made));
    record_synchronisation(thread, COLLECTIVE_CREATE_HANDLE, window_find_slowly(thread, made), NO_HANDLE);
}

void record_fence(Thread *thread, MPI_Win window)
{
    record_synchronisation(thread, COLLECTIVE_BARRIER, window_find(thread, window), NO_HANDLE);
}

static void record_sync(Thread *thread, const CommEntry *window, WindowSync sync, int32_t target)
{
    if (window)
        record_collective_as(thread, RECORD_WINDOW_SYNC, (uint8_t)sync, window->number, target, 0, 0, 0);
}

void record_flush(Thread *thread, MPI_Win window, int target)
{
    if (target != MPI_PROC_NULL)
        record_sync(thread, window_find(thread, window), WINDOW_SYNC_COMPLETE, target);
}

void record_window_group(Thread *thread, MPI_Win window, WindowSync sync, MPI_Group group)
{
    const CommEntry *entry = window_find(thread, window);
    int n = 0;
    if (!entry)
        return;
    mpi.Group_size(group, &n);
    MPI_Group members;
    mpi.Win_get_group(window, &members);
    for (int i = 0; i < n; i++) {
        int target = MPI_UNDEFINED;
        mpi.Group_translate_ranks(group, 1, &i, members, &target);
        if (target != MPI_UNDEFINED)
            record_sync(thread, entry, sync, target);
    }
    mpi.Group_free(&members);
}

void record_win_complete(Thread *thread, MPI_Win window)
{
    const CommEntry *entry = window_find(thread, window);
    record_sync(thread, entry, WINDOW_SYNC_COMPLETE, EVERY_TARGET);
    record_sync(thread, entry, WINDOW_SYNC_NOTIFY, EVERY_TARGET);
}

void record_win_wait(Thread *thread, MPI_Win window)
{
    record_sync(thread, window_find(thread, window), WINDOW_SYNC_AWAIT, EVERY_TARGET);
}

/* Bytes that go to the target. If the operation only reads, MPI doesn't read its operand's
 * parameters. */
static uint64_t bytes_sent(OneSided kind, const OneSidedArguments *a)
{
    switch (kind) {
    case ONE_SIDED_PUT:
    case ONE_SIDED_ACCUMULATE:
        return bytes_of(a->count, a->datatype);
    case ONE_SIDED_GET_ACCUMULATE:
        return a->op == mpi.no_op ? 0 : bytes_of(a->count, a->datatype);
    case ONE_SIDED_FETCH_AND_OP:
        return a->op == mpi.no_op ? 0 : bytes_of(1, a->datatype);
    case ONE_SIDED_COMPARE_AND_SWAP:
        return 2 * bytes_of(1, a->datatype); /* the value to compare, and the value to store */
    default:
        return 0;
    }
}

static uint64_t bytes_fetched(OneSided kind, const OneSidedArguments *a)
{
    switch (kind) {
    case ONE_SIDED_GET:
        return bytes_of(a->count, a->datatype);
    case ONE_SIDED_GET_ACCUMULATE:
        return bytes_of(a->resultcount, a->resulttype);
    case ONE_SIDED_FETCH_AND_OP:
    case ONE_SIDED_COMPARE_AND_SWAP:
        return bytes_of(1, a->datatype);
    default:
        return 0;
    }
}

void record_one_sided(Thread *thread, OneSided kind, MPI_Win window, int target, const OneSidedArguments *arguments,
                      uint64_t handle)
{
    const CommEntry *entry = target == MPI_PROC_NULL ? NULL : window_find(thread, window);
    uint64_t id = 0;
    if (handle != NO_HANDLE)
        id = requests_add(handle, &(Request){.kind = entry ? REQUEST_ONE_SIDED : REQUEST_NOTHING,
                                             .collective = (uint8_t)kind,
                                             .comm = entry ? entry->number : 0,
                                             .peer = target});
    if (!entry)
        return;
    const uint64_t sent = bytes_sent(kind, arguments), fetched = bytes_fetched(kind, arguments);
    if (id || !call_put_event(thread, RECORD_CALL_ONE_SIDED, (uint8_t)kind, entry->number, target, sent, fetched))
        record_collective_as(thread, RECORD_ONE_SIDED, (uint8_t)kind, entry->number, target, id, sent, fetched);
    record_send_event(thread);
}
