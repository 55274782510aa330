/* SPDX-License-Identifier: BSD-3-Clause */
/* See answering.h. */
#include "comm/answering.h"

#include "base/monotonic.h"
#include "base/process.h"
#include "base/words.h"
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static bool start(const Hosts *hosts, uint32_t at, Arena *arena, Process **process, Err *err)
{
    const char *const question[] = {hosts->items[at].name, "true", NULL};
    const char *const *words = words_join((const char *const *const[]){hosts->agent, question, NULL}, arena);
    const ProcessOptions how = {.words = words, .dies_with_us = SIGTERM, .sweeps = true};
    return process_start(&how, arena, process, err);
}

static const char *ask(Process *process, const char *name, double until_s, double limit_s, Arena *arena)
{
    bool has_ended = process_wait(process, (int)fmax(0, 1e3 * (until_s - monotonic_s())));
    int status = process_stop(process);
    if (!has_ended)
        return arena_printf(arena, "%s doesn't answer within %.3g s", name, limit_s);
    return status == 0 ? NULL
                       : arena_printf(arena, "%s can't be reached: the agent ended with status %s", name,
                                      process_status_text(status, arena));
}

Hosts answering_hosts(const Hosts *hosts, double limit_s, Arena *arena, const char **silent)
{
    Process **processes = arena_new_array(arena, Process *, hosts->n);
    Host *items = arena_new_array(arena, Host, hosts->n);
    Hosts answering = {.items = items, .agent = hosts->agent};
    char own[HOST_NAME_MAX + 1] = "";
    gethostname(own, HOST_NAME_MAX);
    const double until_s = monotonic_s() + limit_s;
    for (uint32_t i = 1; i < hosts->n; i++) {
        Err err = {0};
        silent[i] = NULL;
        if (strcmp(hosts->items[i].name, own) != 0 && !start(hosts, i, arena, &processes[i], &err))
            silent[i] = arena_printf(arena, "%s can't be reached: %s", hosts->items[i].name, err.message);
    }
    silent[0] = NULL;
    for (uint32_t i = 0; i < hosts->n; i++) {
        if (processes[i])
            silent[i] = ask(processes[i], hosts->items[i].name, until_s, limit_s, arena);
        if (!silent[i])
            items[answering.n++] = hosts->items[i];
    }
    return answering;
}
