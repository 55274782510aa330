/* SPDX-License-Identifier: BSD-3-Clause */
/* A process's part in a collective as messages, by the algorithm that an MPI library takes
 * (placement/graph/rules.h). SMPI has such rules of older libraries alone. */
#include "simulation/engine/engine.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

typedef struct Messages {
    MessageSink sink;
    const Replay *replay;
    MPI_Comm comm;
    int tag;
    MPI_Request *open;
    int n_open, capacity;
} Messages;

static MPI_Request *add_open(Messages *messages)
{
    if (messages->n_open == messages->capacity) {
        messages->capacity = 2 * messages->capacity + 8;
        messages->open = realloc(messages->open, (size_t)messages->capacity * sizeof(MPI_Request));
        if (!messages->open)
            abort();
    }
    return &messages->open[messages->n_open++];
}

static void finish_open(Messages *messages)
{
    MPI_Waitall(messages->n_open, messages->open, MPI_STATUSES_IGNORE);
    messages->n_open = 0;
}

/* A receive that blocks ends an exchange, so it also waits for the sends before it. Receivers take what comes: where
 * members' parts differ, they may not know its size. */
static void put_message(MessageSink *sink, StepKind kind, uint32_t place, double bytes, bool blocks)
{
    Messages *messages = (Messages *)sink;
    int size = (int)bytes, peer = (int)place;
    if (kind == STEP_SEND && blocks)
        MPI_Send(messages->replay->out, size, MPI_BYTE, peer, messages->tag, messages->comm);
    else if (kind == STEP_SEND)
        MPI_Isend(messages->replay->out, size, MPI_BYTE, peer, messages->tag, messages->comm, add_open(messages));
    else
        MPI_Irecv(messages->replay->in, INT_MAX, MPI_BYTE, peer, messages->tag, messages->comm, add_open(messages));
    if (kind == STEP_RECV && blocks)
        finish_open(messages);
}

bool messages_run(const Replay *replay, MPI_Comm comm, Collective collective, const CollectivePart *part,
                  uint64_t number)
{
    enum { TAGS = 1 << 15 };
    const CollectiveAlgorithm *algorithm = collective_algorithm(part->library, collective, part->n, part->own);
    Messages messages = {.sink = {put_message}, .replay = replay, .comm = comm, .tag = (int)(number % TAGS)};
    if (!algorithm)
        return false;
    assert(part->place < part->n);
    algorithm->put_messages(part, &messages.sink);
    finish_open(&messages);
    free(messages.open);
    return true;
}
