/* SPDX-License-Identifier: BSD-3-Clause */
/* Restores a job (checkpoint.h). The first process of a room sets up the room, and lets the back
 * end restore the job as its own child. It binds the threads, reports the result, and waits for the
 * launcher to end. Then it ends, and with it the room and all processes in it. */
#include "base/monotonic.h"
#include "signature/checkpoint/back_end.h"
#include "signature/checkpoint/cpus.h"
#include "signature/checkpoint/room.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RESTORE_TIMEOUT_MS = 120000 };

struct Restored {
    Process *room;
    double time_s;
};

/* ---- Inside the room ---- */

static bool bind_process(const JobProcess *process, const CheckpointRestore *restore, Err *err)
{
    const char *other = restore->cpus_of_rank && process->rank >= 0 && process->rank < restore->n_ranks
                            ? restore->cpus_of_rank[process->rank]
                            : NULL;
    for (size_t i = 0; i < process->threads.count; i++) {
        const JobThread *thread = &process->threads.items[i];
        const char *cpus = other ? other : thread->cpus;
        if (cpus_bind_thread((pid_t)thread->id, cpus) || errno == ESRCH)
            continue;
        err_set(err, ERR_ENVIRONMENT, "rank %lld cannot be bound to CPUs %s: %s", (long long)process->rank, cpus,
                errno == EINVAL ? "this machine has none of them" : strerror(errno));
        return err_hint(err, "bind it to CPUs that this machine has");
    }
    return true;
}

/* Finds the threads of a process that has a new id. firma can't tell which new thread was which. So
 * all are bound like the first one. If the process has ended, there are none. */
static void find_threads(JobProcess *process, pid_t id, Arena *arena)
{
    Job now = {0};
    Err ended;
    const char *cpus = process->threads.count ? process->threads.items[0].cpus : CPUS_ALL;
    process->threads.count = 0;
    if (!job_find_processes(id, arena, &now, &ended))
        return;
    for (size_t i = 0; i < now.processes.items[0].threads.count; i++)
        *vec_push(&process->threads) = (JobThread){now.processes.items[0].threads.items[i].id, cpus};
    job_free(&now);
}

static bool bring_back(const CheckpointTool *tool, State *state, const CheckpointRestore *restore, pid_t *launcher,
                       Arena *arena, Err *err)
{
    Room room;
    pid_t *ids = arena_new_array(arena, pid_t, state->job.processes.count + 1);
    if (!room_furnish(state, restore, arena, &room, err) ||
        !tool->back_end->restore(tool, room.images, room.work, &state->job, ids, arena, err))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < state->job.processes.count; i++) {
        JobProcess *process = &state->job.processes.items[i];
        if (tool->back_end->virtual_ids)
            find_threads(process, ids[i], arena);
        ok = bind_process(process, restore, err);
    }
    *launcher = ids[0];
    return ok;
}

/* Collects processes that end, until the launcher ends. */
static int await_launcher(pid_t launcher)
{
    for (;;) {
        int status;
        pid_t ended = waitpid(-1, &status, 0);
        if (ended == launcher)
            return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        if (ended < 0 && errno != EINTR)
            return 128 + SIGKILL;
    }
}

typedef struct Life {
    const CheckpointTool *tool;
    State *state;
    const CheckpointRestore *restore;
    int report; /* an Err is written here */
    Arena *arena;
} Life;

static int live_in_room(void *self)
{
    const Life *life = self;
    Err err = {0};
    pid_t launcher = 0;
    bool ok = bring_back(life->tool, life->state, life->restore, &launcher, life->arena, &err);
    bool told = write(life->report, &err, sizeof err) == (ssize_t)sizeof err;
    close(life->report);
    return ok && told ? await_launcher(launcher) : 1;
}

/* ---- Outside the room ---- */

static bool read_report(int report, int timeout_ms, Err *told)
{
    size_t got = 0;
    double end_s = monotonic_s() + timeout_ms * 1e-3;
    while (got < sizeof *told) {
        struct pollfd wait = {.fd = report, .events = POLLIN};
        double left_s = end_s - monotonic_s();
        int ready = left_s > 0 ? poll(&wait, 1, (int)(left_s * 1e3) + 1) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        ssize_t count = ready > 0 ? read(report, (char *)told + got, sizeof *told - got) : 0;
        if (count <= 0)
            return err_set(told, ERR_ENVIRONMENT,
                           ready > 0 ? "the room's first process ended while the job was restored"
                                     : "restoring took more than %d s",
                           timeout_ms / 1000);
        got += (size_t)count;
    }
    return told->kind == ERR_NONE;
}

static bool enter_room(const CheckpointTool *tool, State *state, const CheckpointRestore *restore, Arena *arena,
                       Restored *restored, Err *err)
{
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0)
        return err_set(err, ERR_ENVIRONMENT, "cannot make a pipe: %s", strerror(errno));
    Life life = {tool, state, restore, report[1], arena};
    bool is_there = room_start(live_in_room, &life, arena, &restored->room);
    int failure = errno;
    close(report[1]);
    if (!is_there) {
        close(report[0]);
        err_set(err, ERR_ENVIRONMENT, "cannot make namespaces for a restored job: %s", strerror(failure));
        return err_hint(err, "restoring needs root, or a user namespace with all capabilities");
    }
    Err told = {0};
    bool ok = read_report(report[0], restore->timeout_ms ? restore->timeout_ms : RESTORE_TIMEOUT_MS, &told);
    close(report[0]);
    if (!ok) {
        *err = told;
        restored_end(restored);
    }
    return ok;
}

bool checkpoint_restore(const CheckpointTool *tool, const CheckpointRestore *restore, Arena *arena, Restored **restored,
                        Err *err)
{
    State state = {0};
    double start_s = monotonic_s();
    if (!state_read(restore->state, arena, &state, err))
        return false;
    Restored *one = arena_alloc(arena, sizeof *one);
    bool ok = strcmp(state.back_end, tool->name) == 0 ||
              err_set(err, ERR_ENVIRONMENT, "%s: was saved by %s, not %s", restore->state, state.back_end, tool->name);
    ok = ok && mapped_check(&state.mapped, err) && enter_room(tool, &state, restore, arena, one, err);
    state_free(&state);
    if (!ok)
        return false;
    one->time_s = monotonic_s() - start_s;
    *restored = one;
    return true;
}

bool restored_wait(Restored *restored, int timeout_ms)
{
    return process_wait(restored->room, timeout_ms);
}

int restored_status(const Restored *restored)
{
    return process_status(restored->room);
}

pid_t restored_pid(const Restored *restored)
{
    return process_id(restored->room);
}

double restored_time_s(const Restored *restored)
{
    return restored->time_s;
}

void restored_end(Restored *restored)
{
    if (!restored)
        return;
    process_kill(restored->room, SIGKILL);
    process_wait(restored->room, -1);
}
