/* SPDX-License-Identifier: BSD-3-Clause */
/* See clocks.h. */
#include "comm/worker/harness/clocks.h"

#include "comm/worker/harness/clock.h"

enum { EXCHANGES = 60, EXCHANGES_AT_LEAST = 8, EXCHANGES_NS = 20 * 1000 * 1000, SLOPE_NS = 1000 * 1000 * 1000 };

typedef struct Offset {
    int64_t at_ns;     /* on rank 0's clock */
    int64_t offset_ns; /* the rank's clock - rank 0's */
    int64_t round_trip_ns;
} Offset;

typedef struct RankClock {
    bool is_same;
    unsigned n_offsets;
    Offset first, previous, last;
} RankClock;

struct Clocks {
    Worker *worker;
    int n_ranks;
    RankClock *ranks;
};

Clocks *clocks_new(Worker *worker, const bool *is_same)
{
    Clocks *clocks = arena_new_array(worker->arena, Clocks, 1);
    clocks->worker = worker;
    clocks->n_ranks = worker->transport->n_ranks;
    clocks->ranks = arena_new_array(worker->arena, RankClock, (size_t)clocks->n_ranks);
    for (int rank = 0; rank < clocks->n_ranks; rank++)
        clocks->ranks[rank].is_same = rank == 0 || is_same[rank];
    return clocks;
}

bool clocks_are_one(const Clocks *clocks)
{
    for (int rank = 0; rank < clocks->n_ranks; rank++)
        if (!clocks->ranks[rank].is_same)
            return false;
    return true;
}

bool clocks_answer(Worker *worker, Err *err)
{
    Transport *transport = worker->transport;
    for (uint32_t go_on = 1; go_on;) {
        if (!transport->kind->receive(transport, 0, &go_on, sizeof go_on, err))
            return false;
        int64_t now_ns = clock_now_ns();
        if (!transport->kind->send(transport, 0, &now_ns, sizeof now_ns, err))
            return false;
    }
    return true;
}

static bool exchange(Transport *transport, int rank, uint32_t go_on, Offset *offset, Err *err)
{
    int64_t theirs_ns = 0, start_ns = clock_now_ns();
    if (!transport->kind->send(transport, rank, &go_on, sizeof go_on, err) ||
        !transport->kind->receive(transport, rank, &theirs_ns, sizeof theirs_ns, err))
        return false;
    int64_t end_ns = clock_now_ns(), middle_ns = start_ns + (end_ns - start_ns) / 2;
    *offset = (Offset){middle_ns, theirs_ns - middle_ns, end_ns - start_ns};
    return true;
}

static bool synchronise_rank(Worker *worker, int rank, RankClock *clock, Err *err)
{
    const Command command = {.action = ACTION_CLOCK};
    Offset best = {.round_trip_ns = INT64_MAX}, offset;
    int64_t start_ns = clock_now_ns();
    if (!message_send_command(worker->transport, rank, &command, err))
        return false;
    for (uint32_t i = 1, go_on = 1; go_on; i++) {
        go_on = i < EXCHANGES && (i < EXCHANGES_AT_LEAST || clock_now_ns() - start_ns < EXCHANGES_NS);
        if (!exchange(worker->transport, rank, go_on, &offset, err))
            return false;
        if (offset.round_trip_ns < best.round_trip_ns)
            best = offset;
    }
    if (clock->n_offsets++ == 0)
        clock->first = clock->last = best;
    clock->previous = clock->last;
    clock->last = best;
    return true;
}

bool clocks_synchronise(Clocks *clocks, Err *err)
{
    for (int rank = 1; rank < clocks->n_ranks; rank++)
        if (!clocks->ranks[rank].is_same && !synchronise_rank(clocks->worker, rank, &clocks->ranks[rank], err))
            return false;
    return true;
}

static double slope(const Offset *from, const Offset *to)
{
    return to->at_ns > from->at_ns ? (double)(to->offset_ns - from->offset_ns) / (double)(to->at_ns - from->at_ns) : 0;
}

/* The drift since the first synchronisation. 0 over less than a second, where the offsets' errors
 * exceed the drift. */
static double drift(const RankClock *clock)
{
    return clock->last.at_ns - clock->first.at_ns >= SLOPE_NS ? slope(&clock->first, &clock->last) : 0;
}

int64_t clocks_of_rank(const Clocks *clocks, int rank, int64_t instant_ns, double *rate)
{
    const RankClock *clock = &clocks->ranks[rank];
    double drifts = clock->is_same ? 0 : drift(clock);
    *rate = 1 + drifts;
    return instant_ns + clock->last.offset_ns + (int64_t)(drifts * (double)(instant_ns - clock->last.at_ns));
}

double clocks_of_root(const Clocks *clocks, int rank, int64_t instant_ns, int64_t base_ns)
{
    const RankClock *clock = &clocks->ranks[rank];
    if (clock->is_same)
        return 1e-9 * (double)(instant_ns - base_ns);
    int64_t nearly_ns = instant_ns - clock->last.offset_ns;
    double correction = slope(&clock->previous, &clock->last) * (double)(nearly_ns - clock->last.at_ns);
    return 1e-9 * ((double)(nearly_ns - base_ns) - correction);
}

json_t *clocks_describe(const Clocks *clocks, int rank)
{
    const RankClock *clock = &clocks->ranks[rank];
    return json_pack("{s:i, s:f, s:f, s:f}", "rank", rank, "offset_s", 1e-9 * (double)clock->last.offset_ns, "error_s",
                     0.5e-9 * (double)clock->last.round_trip_ns, "drift", clock->is_same ? 0 : drift(clock));
}
