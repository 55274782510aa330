/* SPDX-License-Identifier: BSD-3-Clause */
/* See chunk.h. The timed loops. */
#include "comm/worker/harness/chunk.h"

#include "comm/protocol.h"
#include "comm/worker/harness/clock.h"
#include "comm/worker/harness/exchanges.h"
#include "comm/worker/harness/geometry.h"
#include <assert.h>
#include <sched.h>
#include <string.h>

/* Closer than NEAR_NS to an instant, a process only reads the clock. PUNCTUAL_NS: how much later
 * than its window a punctual repetition may begin. */
enum { NEAR_NS = 50 * 1000, PUNCTUAL_NS = 500 };

/* ---- exchanges ------------------------------------------------------------------------------- */

static bool begin_exchanges(Worker *worker, const Exchange *exchange, const ExchangeCall *call, const Command *command,
                            double *samples_s, Err *err)
{
    /* One exchange more than the warm-up: then the peer has surely begun when the first sample
     * does. */
    for (uint64_t i = 0; i <= command->warmup; i++)
        if (!exchange->begin(worker->transport, call, err))
            return false;
    const double each = 1e-9 / command->batch / exchange->messages;
    for (uint32_t i = 0; i < command->samples; i++) {
        int64_t start_ns = clock_now_ns();
        for (uint32_t k = 0; k < command->batch; k++)
            if (!exchange->begin(worker->transport, call, err))
                return false;
        samples_s[i] = (double)(clock_now_ns() - start_ns) * each;
    }
    return true;
}

static bool answer_exchanges(Worker *worker, const Exchange *exchange, const ExchangeCall *call, uint64_t count,
                             Err *err)
{
    for (uint64_t i = 0; exchange->answer && i < count; i++)
        if (!exchange->answer(worker->transport, call, err))
            return false;
    return true;
}

bool chunk_exchange(Worker *worker, const Command *command, double *samples_s, Err *err)
{
    Transport *transport = worker->transport;
    const Exchange *exchange = exchanges_at(transport, command->exchange);
    const Geometry geometry = geometry_of(exchange->name, command->bytes, transport->kind->least_bytes, 0, 2);
    const bool begins = transport->rank == command->from;
    const ExchangeCall call = {begins ? command->to : command->from, begins, &worker->sending, &worker->receiving,
                               geometry.moved_bytes};
    uint64_t count = 1 + (uint64_t)command->warmup + (uint64_t)command->samples * command->batch;
    worker->payload_bytes += count * exchange->messages * geometry.moved_bytes;
    return (!exchange->open || exchange->open(transport, &call, err)) &&
           (begins ? begin_exchanges(worker, exchange, &call, command, samples_s, err)
                   : answer_exchanges(worker, exchange, &call, count, err)) &&
           (!exchange->close || exchange->close(transport, &call, err));
}

/* ---- collectives ----------------------------------------------------------------------------- */

typedef struct CollectiveChunk {
    const Collective *collective;
    Geometry geometry;
} CollectiveChunk;

static CollectiveChunk begin_collective(Worker *worker, const Command *command)
{
    const Transport *transport = worker->transport;
    const Collective *collective = &transport->kind->collectives[command->collective];
    assert(transport->kind->collectives && collective->name);
    CollectiveChunk chunk = {collective,
                             geometry_of(collective->name, command->bytes, transport->kind->least_vector_bytes,
                                         transport->rank, transport->n_ranks)};
    uint64_t count = 1 + (uint64_t)command->warmup + command->samples;
    if (strcmp(collective->name, "pairs") == 0)
        count *= command->batch * COMM_WINDOW / 2; /* each rank either sends or receives */
    worker->payload_bytes += count * (chunk.geometry.send_bytes + chunk.geometry.receive_bytes);
    return chunk;
}

static CollectiveCall next_call(Worker *worker, const Geometry *geometry, const Command *command)
{
    return (CollectiveCall){.send = pool_next(&worker->sending, geometry->send_bytes),
                            .receive = pool_next(&worker->receiving, geometry->receive_bytes),
                            .windows = command->batch,
                            .sending = &worker->sending,
                            .receiving = &worker->receiving,
                            .block = geometry->block,
                            .compute_ns = command->compute_ns};
}

/* Yields only if the machine is crowded: a processor given to another program comes back
 * milliseconds later. */
static void wait_until(Worker *worker, int64_t instant_ns, bool is_crowded)
{
    const TransportKind *kind = worker->transport->kind;
    const int64_t near_ns = is_crowded ? 0 : NEAR_NS;
    while (clock_now_ns() < instant_ns - near_ns) {
        if (kind->progress)
            kind->progress(worker->transport);
        if (is_crowded)
            sched_yield();
    }
    while (clock_now_ns() < instant_ns)
        continue;
}

bool chunk_windows(Worker *worker, const Command *command, Stamp *stamps, Err *err)
{
    const CollectiveChunk chunk = begin_collective(worker, command);
    const int64_t unrecorded = (int64_t)command->warmup + 1;
    const bool was_chunk_late = clock_now_ns() > command->begins_ns;
    for (int64_t i = 0; i < unrecorded + command->samples; i++) {
        Stamp stamp = {.was_chunk_late = was_chunk_late};
        CollectiveCall call = next_call(worker, &chunk.geometry, command);
        int64_t begins_ns = command->begins_ns + (int64_t)((double)i * command->spacing_ns);
        stamp.was_late = clock_now_ns() > begins_ns;
        wait_until(worker, begins_ns, command->is_crowded);
        stamp.start_ns = clock_now_ns();
        /* Late, too, if the process lost its processor while waiting. With fewer processors than
         * processes, that is normal. */
        stamp.was_late |= !command->is_crowded && stamp.start_ns > begins_ns + PUNCTUAL_NS;
        if (!chunk.collective->execute(worker->transport, &call, err))
            return false;
        stamp.end_ns = clock_now_ns();
        if (i >= unrecorded)
            stamps[i - unrecorded] = stamp;
    }
    return true;
}

/* For a transport without a barrier: all ranks tell rank 0, which then tells all. */
static bool barrier_of_messages(Transport *transport, Err *err)
{
    const TransportKind *kind = transport->kind;
    char token = 0;
    if (transport->rank > 0)
        return kind->send(transport, 0, &token, 1, err) && kind->receive(transport, 0, &token, 1, err);
    for (int rank = 1; rank < transport->n_ranks; rank++)
        if (!kind->receive(transport, rank, &token, 1, err))
            return false;
    for (int rank = 1; rank < transport->n_ranks; rank++)
        if (!kind->send(transport, rank, &token, 1, err))
            return false;
    return true;
}

static bool barrier(Worker *worker, Err *err)
{
    const CollectiveCall nothing = {.send = worker->sending.memory, .receive = worker->receiving.memory};
    return worker->barrier ? worker->barrier->execute(worker->transport, &nothing, err)
                           : barrier_of_messages(worker->transport, err);
}

bool chunk_barriers(Worker *worker, const Command *command, Stamp *stamps, Err *err)
{
    const CollectiveChunk chunk = begin_collective(worker, command);
    const int64_t unrecorded = (int64_t)command->warmup + 1;
    for (int64_t i = 0; i < unrecorded + command->samples; i++) {
        Stamp stamp = {0};
        CollectiveCall call = next_call(worker, &chunk.geometry, command);
        if (!barrier(worker, err))
            return false;
        stamp.start_ns = clock_now_ns();
        if (!chunk.collective->execute(worker->transport, &call, err))
            return false;
        stamp.end_ns = clock_now_ns();
        if (i >= unrecorded)
            stamps[i - unrecorded] = stamp;
    }
    return true;
}
