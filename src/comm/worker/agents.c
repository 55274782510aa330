/* SPDX-License-Identifier: BSD-3-Clause */
/* See agents.h. */
#include "comm/worker/agents.h"

#include "base/vec.h"
#include "comm/word.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CANNOT_EXECUTE = 127, LOOKS = 2000, LOOK_NS = 1000 * 1000 }; /* two seconds to end by themselves */

typedef VEC(const char *) Words;

static bool words_of(const json_t *peer, const json_t *request, Arena *arena, Words *words, Err *err)
{
    char self[PATH_MAX] = "";
    const json_t *start = json_object_get(peer, "start");
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return err_set(err, ERR_ENVIRONMENT, "/proc/self/exe: %s", strerror(errno));
    for (size_t i = 0; i < json_array_size(start); i++) {
        const char *word = json_string_value(json_array_get(start, i));
        if (!word)
            return err_set(err, ERR_INPUT, "the request: peers: start[%zu] is not a text", i);
        *vec_push(words) = word;
    }
    *vec_push(words) = arena_strdup(arena, self);
    *vec_push(words) = word_pack(request, arena);
    *vec_push(words) = NULL;
    return true;
}

/* Stdout belongs to the records of rank 0. The agent doesn't outlive who started it. */
static _Noreturn void become(const char *const words[], pid_t parent)
{
    int in = open("/dev/null", O_RDONLY);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (in < 0 || dup2(in, 0) != 0 || dup2(2, 1) != 1 || getppid() != parent)
        _exit(CANNOT_EXECUTE);
    execvp(words[0], (char *const *)words);
    fprintf(stderr, "%s: %s\n", words[0], strerror(errno));
    _exit(CANNOT_EXECUTE);
}

bool agents_start(Agents *agents, const json_t *peer, const json_t *request, Arena *arena, Err *err)
{
    Words words = {0};
    const char *host = json_string_value(json_object_get(peer, "host"));
    pid_t self = getpid(), process = -1;
    bool ok = words_of(peer, request, arena, &words, err);
    if (ok && (process = fork()) == 0)
        become(words.items, self);
    if (ok && process < 0)
        ok = err_set(err, ERR_ENVIRONMENT, "%s: cannot be started: %s", words.items[0], strerror(errno));
    if (ok) {
        agents->processes[agents->count] = process;
        agents->hosts[agents->count++] = host ? host : "this host";
    }
    vec_free(&words);
    return ok;
}

bool agents_are_alive(Agents *agents, Err *err)
{
    for (size_t i = 0; i < agents->count; i++) {
        int status;
        if (agents->processes[i] == 0 || waitpid(agents->processes[i], &status, WNOHANG) != agents->processes[i])
            continue;
        agents->processes[i] = 0;
        if (WIFSIGNALED(status))
            return err_set(err, ERR_ENVIRONMENT, "%s: rank %zu was ended by signal %d before it had connected",
                           agents->hosts[i], i + 1, WTERMSIG(status));
        err_set(err, ERR_ENVIRONMENT, "%s: what should start rank %zu ended with status %d", agents->hosts[i], i + 1,
                WEXITSTATUS(status));
        return err_hint(err, "the words that start a process there must work by themselves, without a password");
    }
    return true;
}

static bool has_ended(pid_t process)
{
    for (int look = 0; look < LOOKS; look++) {
        if (waitpid(process, NULL, WNOHANG) != 0)
            return true;
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
    return false;
}

void agents_end(Agents *agents)
{
    for (size_t i = 0; i < agents->count; i++) {
        if (agents->processes[i] == 0 || has_ended(agents->processes[i]))
            continue;
        kill(agents->processes[i], SIGKILL);
        waitpid(agents->processes[i], NULL, 0);
    }
    agents->count = 0;
}
