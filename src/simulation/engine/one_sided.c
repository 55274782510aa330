/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts, gets and accumulates: bytes that an actor of their own moves, until the window's next collective
 * waits for them. */
#include "simulation/engine/engine.h"

#include <stdlib.h>

static sg_host_t host_of(const Replay *replay, uint32_t process)
{
    return sg_host_by_name(replay->job.processes[process].host);
}

static void move(int argc, char **argv)
{
    const Event *event = sg_actor_self_get_data();
    sg_host_t here = sg_host_self(), there = sg_host_by_name(argv[argc - 1]);
    if (event->bytes || !event->bytes_received)
        sg_host_sendto(here, there, (double)event->bytes);
    if (event->bytes_received) {
        sg_host_sendto(here, there, 0);
        sg_host_sendto(there, here, (double)event->bytes_received);
    }
}

void one_sided_start(Rank *rank, const Event *event)
{
    const char *const words[] = {"put", rank->replay->job.processes[event->peer].host};
    if (rank->n_puts == rank->puts_capacity) {
        rank->puts_capacity = 2 * rank->puts_capacity + 16;
        rank->puts = realloc(rank->puts, rank->puts_capacity * sizeof *rank->puts);
        if (!rank->puts)
            abort();
    }
    sg_actor_t actor = sg_actor_init("put", host_of(rank->replay, rank->number));
    sg_actor_ref(actor);
    sg_actor_set_data(actor, (void *)event);
    sg_actor_start_(actor, move, 2, words);
    rank->puts[rank->n_puts++] = actor;
}

void one_sided_finish(Rank *rank)
{
    for (size_t i = 0; i < rank->n_puts; i++) {
        sg_actor_join(rank->puts[i], -1);
        sg_actor_unref(rank->puts[i]);
    }
    rank->n_puts = 0;
}
