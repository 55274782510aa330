/* SPDX-License-Identifier: BSD-3-Clause */
/* See marked.h. Environments are read from /proc/PID/environ. */
#include "base/marked.h"

#include "base/arena.h"
#include "base/monotonic.h"
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ENVIRON_LIMIT_BYTES (2u << 20)

enum { ROUND_MS = 50, KILLING_ROUNDS = 20 };

static bool has_word(const char *environment, size_t used, const char *word, bool as_beginning)
{
    size_t length = strlen(word);
    for (size_t at = 0; at < used;) {
        size_t own = strnlen(environment + at, used - at);
        bool is_whole = at + own < used;
        if (is_whole && (as_beginning ? own >= length : own == length) && memcmp(environment + at, word, length) == 0)
            return true;
        at += own + 1;
    }
    return false;
}

bool marked_has(pid_t pid, const char *word, bool as_beginning)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    char *text = memory_resize(NULL, ENVIRON_LIMIT_BYTES);
    size_t used = 0;
    for (ssize_t got; used < ENVIRON_LIMIT_BYTES && (got = read(file, text + used, ENVIRON_LIMIT_BYTES - used)) > 0;)
        used += (size_t)got;
    close(file);
    bool found = has_word(text, used, word, as_beginning);
    free(text);
    return found;
}

size_t marked_signal(const char *word, bool as_beginning, int number)
{
    assert(strchr(word, '=')); /* a name alone would also match the beginning of other names */
    DIR *processes = opendir("/proc");
    size_t count = 0;
    for (struct dirent *entry; processes && (entry = readdir(processes));) {
        char *end;
        long pid = strtol(entry->d_name, &end, 10);
        if (*end || pid <= 1 || pid == getpid() || !marked_has((pid_t)pid, word, as_beginning))
            continue;
        count++;
        if (number)
            kill((pid_t)pid, number);
    }
    if (processes)
        closedir(processes);
    return count;
}

void marked_sweep(const char *word, bool as_beginning, int patience_ms)
{
    const struct timespec round = {0, ROUND_MS * 1000000L};
    /* by the clock: on a busy machine, a look at all processes may take longer than a round */
    double deadline_s = monotonic_s() + 1e-3 * patience_ms;
    while (marked_signal(word, as_beginning, 0) && monotonic_s() < deadline_s)
        nanosleep(&round, NULL);
    for (int i = 0; i < KILLING_ROUNDS && marked_signal(word, as_beginning, SIGKILL); i++)
        nanosleep(&round, NULL);
}
