/* SPDX-License-Identifier: BSD-3-Clause */
/* See map_runs.h. */
#include "cli/map_runs.h"

#include "base/files.h"
#include "base/interrupts.h"
#include "base/monotonic.h"
#include "comm/process.h"
#include "trace/launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_MS = 200, LAST_LINE_ROOM = 300 };

bool map_runs_find_launcher(char *const *command, Arena *arena, LauncherKind *kind, Err *err)
{
    MpiFlavour flavour;
    const char *reason;
    if (strcmp(files_base_name(command[0]), "srun") == 0) {
        *kind = LAUNCHER_SLURM;
        return true;
    }
    if (!launch_find_flavour(command, arena, &flavour, &reason, err))
        return false;
    if (flavour != MPI_FLAVOUR_OPENMPI && flavour != MPI_FLAVOUR_MPICH)
        return err_set(err, ERR_USAGE,
                       "--run: %s: mappings can be told to mpirun of Open MPI and of MPICH, and to srun", command[0]);
    *kind = flavour == MPI_FLAVOUR_OPENMPI ? LAUNCHER_OPENMPI : LAUNCHER_MPICH;
    return true;
}

/* Options by which the user's command would say where ranks run; beside ours, MPICH refuses them. */
static bool check_options(char *const *command, int program, Err *err)
{
    static const char *const taken[] = {"-f",           "-hosts",        "--hosts",  "-hostfile", "--hostfile",
                                        "-machinefile", "--machinefile", "-bind-to", "-rankfile", "--rankfile"};
    for (int i = 1; i < program; i++)
        for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
            if (strcmp(command[i], taken[k]) == 0)
                return err_set(err, ERR_USAGE, "--run: %s: where ranks run is what the mapping says", command[i]) ||
                       err_hint(err, "leave it out; --hosts of `firma map` chooses among the machine's hosts");
    return true;
}

/* Passes the program's lines on to the log until it ends; false: firma was interrupted. */
static bool follow(Process *process, FILE *log, char last[LAST_LINE_ROOM])
{
    const char *line;
    for (;;) {
        switch (process_read(process, LOOK_MS, &line)) {
        case PROCESS_LINE:
            fprintf(log, "%s\n", line);
            if (line[strspn(line, "-=* ")]) /* launchers draw lines around what they say */
                snprintf(last, LAST_LINE_ROOM, "%s", line);
            break;
        case PROCESS_ENDED:
            return true;
        case PROCESS_QUIET:
            break;
        }
        if (interrupts_take())
            return false;
    }
}

static bool run_once(const char *const *command, FILE *log, Arena *arena, double *time_s, Err *err)
{
    Process *process;
    char last[LAST_LINE_ROOM] = "";
    double start_s = monotonic_s();
    if (!process_start(command, arena, &process, err))
        return false;
    bool ended = follow(process, log, last);
    *time_s = monotonic_s() - start_s;
    int status = process_stop(process);
    if (!ended)
        return err_set(err, ERR_NEGATIVE, "--run: interrupted");
    if (status != 0)
        return err_set(err, ERR_ENVIRONMENT, "--run: `%s` ended with status %d%s%s", arena_join(arena, command, 1),
                       status, last[0] ? "; its last words: " : "", last);
    return true;
}

static size_t count_words(char *const *words)
{
    size_t n = 0;
    while (words[n])
        n++;
    return n;
}

/* Every other pair begins with the mapped run, so that a drift of the machine favours neither. */
static bool run_pairs(Cli *cli, const LaunchWay *way, char *const *commands[2], uint32_t repeats, FILE *log,
                      double *times_s[2], Err *err)
{
    static const char *const titles[] = {"as given", "mapped"};
    for (uint32_t i = 0; i < 2 * repeats; i++) {
        int which = (int)((i + i / 2) % 2);
        fprintf(log, "# run %u, %s: %s\n", i / 2 + 1, titles[which],
                arena_join(cli->arena, (const char *const *)commands[which], count_words(commands[which])));
        if (way->variable && which == 1)
            setenv(way->variable, way->file, 1);
        else if (way->variable)
            unsetenv(way->variable);
        if (!run_once((const char *const *)commands[which], log, cli->arena, &times_s[which][i / 2], err))
            return err_prefix(err, "run %u, %s", i / 2 + 1, titles[which]);
        fflush(log);
    }
    return true;
}

bool map_runs_measure(Cli *cli, const LaunchFiles *files, LauncherKind kind, char *const *command, uint32_t repeats,
                      const char *log, double *times_s[2], Err *err)
{
    const LaunchWay *way = &files->ways[kind];
    int program = launch_find_program(command, cli->arena);
    sigset_t before;
    if (program < 0)
        return err_set(err, ERR_USAGE, "--run: can't tell which word of the command is the program");
    if (!check_options(command, program, err))
        return false;
    FILE *stream = fopen(log, "w");
    if (!stream)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", log, strerror(errno));
    char *const *commands[2] = {command, launch_files_command(files, kind, command, program, cli->arena)};
    interrupts_hold(&before);
    bool ok = run_pairs(cli, way, commands, repeats, stream, times_s, err);
    interrupts_let(&before);
    if (fclose(stream) != 0 && ok)
        ok = err_set(err, ERR_ENVIRONMENT, "%s: %s", log, strerror(errno));
    return ok || err_hint(err, "all that the runs said is in %s", log);
}
