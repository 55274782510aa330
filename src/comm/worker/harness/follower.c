/* SPDX-License-Identifier: BSD-3-Clause */
/* See follower.h. */
#include "comm/worker/harness/follower.h"

#include "base/vec.h"
#include "comm/worker/harness/clocks.h"

typedef struct Follower {
    Worker *worker;
    VEC(double) samples;
    VEC(Stamp) stamps;
} Follower;

static bool exchange(Follower *follower, const Command *command, Err *err)
{
    Transport *transport = follower->worker->transport;
    vec_reserve(&follower->samples, command->samples);
    double *samples_s = follower->samples.items;
    return chunk_exchange(follower->worker, command, samples_s, err) &&
           (command->from != transport->rank ||
            transport->kind->send(transport, 0, samples_s, command->samples * sizeof *samples_s, err));
}

static bool collective(Follower *follower, const Command *command, Err *err)
{
    Transport *transport = follower->worker->transport;
    vec_reserve(&follower->stamps, command->samples);
    Stamp *stamps = follower->stamps.items;
    bool by_windows = command->action == ACTION_WINDOWS;
    return (by_windows ? chunk_windows : chunk_barriers)(follower->worker, command, stamps, err) &&
           transport->kind->send(transport, 0, stamps, command->samples * sizeof *stamps, err);
}

static bool execute_command(Follower *follower, const Command *command, Err *err)
{
    switch ((Action)command->action) {
    case ACTION_EXCHANGE:
        return exchange(follower, command, err);
    case ACTION_WINDOWS:
    case ACTION_BARRIERS:
        return collective(follower, command, err);
    case ACTION_CLOCK:
        return clocks_answer(follower->worker, err);
    case ACTION_END:
        return true;
    }
    return err_set(err, ERR_BUG, "rank 0 sent the unknown command %u", command->action);
}

bool follower_execute(Worker *worker, Err *err)
{
    Follower follower = {.worker = worker};
    Command command = {0};
    bool ok = true;
    while (ok && command.action != ACTION_END)
        ok = message_receive_command(worker->transport, &command, err) && execute_command(&follower, &command, err);
    vec_free(&follower.samples);
    vec_free(&follower.stamps);
    return ok;
}
