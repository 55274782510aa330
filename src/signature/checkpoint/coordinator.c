/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs dmtcp_command and reads its answers (coordinator.h). */
#include "signature/checkpoint/coordinator.h"

#include "base/process.h"
#include <stdio.h>
#include <string.h>

enum { ASK_TIMEOUT_MS = 10000 };

bool coordinator_port(const char *path, char port[8])
{
    FILE *file = fopen(path, "r");
    bool ok = file && fscanf(file, "%7[0-9]", port) == 1;
    if (file)
        fclose(file);
    return ok;
}

/* Reads lines such as "2, app[41000:19197]@host, 98ff-41000-c0a2, WorkerState::RUNNING, ". */
void peers_parse(const char *list, Peers *peers, Arena *arena)
{
    for (const char *line = list; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n')) {
        const char *text = arena_strndup(arena, line, strcspn(line, "\n")), *at = strstr(text, "]@");
        int id;
        char unique[128], state[64] = "";
        while (at && at > text && *at != '[')
            at--;
        if (at && sscanf(at, "[%*d:%d]@%*[^,], %127[^,], %63[^,]", &id, unique, state) >= 2)
            *vec_push(peers) = (Peer){id, arena_strdup(arena, unique), strstr(state, "::RUNNING") != NULL};
    }
}

bool coordinator_list(const char *command, const char *port, Arena *arena, char **list)
{
    const char *const ask[] = {command, "--coord-port", port, "--list", NULL};
    int status;
    return process_capture(&(ProcessOptions){.words = ask}, ASK_TIMEOUT_MS, arena, list, &status) && status == 0;
}

void peers_add_running(Peers *running, const Peers *peers)
{
    for (size_t i = 0; i < peers->count; i++) {
        const Peer *peer = &peers->items[i];
        bool is_known = !peer->runs;
        for (size_t j = 0; j < running->count; j++)
            is_known |= strcmp(running->items[j].unique, peer->unique) == 0;
        if (!is_known)
            *vec_push(running) = *peer;
    }
}

void peers_find_ids(const Job *job, const Peers *before, const Peers *now, pid_t ids[])
{
    for (size_t i = 0; i < job->processes.count; i++) {
        const char *unique = "";
        ids[i] = 0;
        for (size_t j = 0; j < before->count; j++) {
            if (before->items[j].id == job->processes.items[i].id)
                unique = before->items[j].unique;
        }
        for (size_t j = 0; j < now->count; j++) {
            if (strcmp(now->items[j].unique, unique) == 0)
                ids[i] = now->items[j].id;
        }
    }
}
