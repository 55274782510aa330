/* SPDX-License-Identifier: BSD-3-Clause */
/* See agents.h. */
#include "comm/worker/sockets/agents.h"

#include "base/vec.h"
#include "comm/word.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { TIMEOUT_MS = 2000 }; /* then the process is killed */

typedef VEC(const char *) Words;

static bool command_words(const json_t *peer, const json_t *request, Arena *arena, Words *words, Err *err)
{
    char self[PATH_MAX] = "";
    const json_t *start = json_object_get(peer, "start");
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return err_set(err, ERR_ENVIRONMENT, "/proc/self/exe: %s", strerror(errno));
    for (size_t i = 0; i < json_array_size(start); i++) {
        const char *word = json_string_value(json_array_get(start, i));
        if (!word)
            return err_set(err, ERR_INPUT, "the request: peers: start[%zu] isn't a string", i);
        *vec_push(words) = word;
    }
    *vec_push(words) = arena_strdup(arena, self);
    *vec_push(words) = word_pack(request, arena);
    *vec_push(words) = NULL;
    return true;
}

/* Stdout is reserved for rank 0's records. The process ends when this process does. */
bool agents_start(Agents *agents, const json_t *peer, const json_t *request, Arena *arena, Err *err)
{
    Words words = {0};
    const char *host = json_string_value(json_object_get(peer, "host"));
    host = host ? host : "this host";
    bool ok = command_words(peer, request, arena, &words, err);
    const ProcessOptions how = {
        .words = words.items, .output = STDERR_FILENO, .group = PROCESS_OUR_GROUP, .dies_with_us = SIGTERM};
    if (ok && !process_start(&how, arena, &agents->processes[agents->count], err))
        ok = err_prefix(err, "%s", host);
    if (ok)
        agents->hosts[agents->count++] = host;
    vec_free(&words);
    return ok;
}

bool agents_are_alive(Agents *agents, Err *err)
{
    for (size_t i = 0; i < agents->count; i++) {
        Process *process = agents->processes[i];
        if (!process_wait(process, 0))
            continue;
        if (process_signal(process))
            return err_set(err, ERR_ENVIRONMENT, "%s: rank %zu was killed by signal %d before it connected",
                           agents->hosts[i], i + 1, process_signal(process));
        err_set(err, ERR_ENVIRONMENT, "%s: the command that starts rank %zu ended with status %d", agents->hosts[i],
                i + 1, process_status(process));
        return err_hint(err, "this command must work without a password");
    }
    return true;
}

void agents_end(Agents *agents)
{
    for (size_t i = 0; i < agents->count; i++) {
        if (process_wait(agents->processes[i], TIMEOUT_MS))
            continue;
        process_kill(agents->processes[i], SIGKILL);
        process_wait(agents->processes[i], -1);
    }
    agents->count = 0;
}
