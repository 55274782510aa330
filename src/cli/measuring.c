/* SPDX-License-Identifier: BSD-3-Clause */
/* See measuring.h. The lock is a file in XDG_RUNTIME_DIR, or else in TMPDIR. The variable
 * FIRMA_MEASURING tells programs below the holder not to wait for it. */
#include "cli/measuring.h"

#include "base/caretaker.h"
#include "base/files.h"
#include "base/lock.h"
#include "trace/launch.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MEASURING_VARIABLE "FIRMA_MEASURING"

static Lock *measuring;

static const char *lock_path(Arena *arena)
{
    char host[256] = "";
    const char *folder = getenv("XDG_RUNTIME_DIR"), *temporary = getenv("TMPDIR");
    gethostname(host, sizeof host - 1);
    if (folder && *folder)
        return arena_printf(arena, "%s/firma-measuring-%s.lock", folder, host);
    return arena_printf(arena, "%s/firma-measuring-%d-%s.lock", temporary && *temporary ? temporary : "/tmp",
                        (int)geteuid(), host);
}

/* False for jobs of a batch system that have different processors of a host. */
static bool shares_processors(pid_t pid)
{
    cpu_set_t own, other, both;
    if (!pid || sched_getaffinity(0, sizeof own, &own) != 0 || sched_getaffinity(pid, sizeof other, &other) != 0)
        return true;
    CPU_AND(&both, &own, &other);
    return CPU_COUNT(&both) > 0;
}

static bool runs_elsewhere(char *const *command, Arena *arena)
{
    int launcher = command ? launch_find_launcher(command, arena) : -1;
    return launcher >= 0 && strcmp(files_base_name(command[launcher]), "srun") == 0;
}

void measuring_begin(const Cli *cli, char *const *command)
{
    const char *path = lock_path(cli->arena), *own = cli_own_command(cli);
    LockHolder holder;
    if (measuring || getenv(MEASURING_VARIABLE) || runs_elsewhere(command, cli->arena))
        return;
    LockState state = lock_try(path, own, cli->arena, &measuring, &holder);
    if (state == LOCK_HELD && shares_processors(holder.pid)) {
        cli_note(cli, "waits, because another measurement would disturb this one: %s", holder.text);
        lock_wait(path, own, cli->arena, &measuring);
    }
    if (measuring)
        caretaker_note(CARETAKER_LOCK, path);
    if (measuring)
        setenv(MEASURING_VARIABLE, "1", true);
}

void measuring_end(void)
{
    if (!measuring)
        return;
    lock_release(measuring);
    measuring = NULL;
    unsetenv(MEASURING_VARIABLE);
}
