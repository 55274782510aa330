/* SPDX-License-Identifier: BSD-3-Clause */
/* See runs.h. */
#include "verbs/map/runs.h"

#include "base/files.h"
#include "base/interrupts.h"
#include "base/words.h"
#include "cli/timed_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool run_once(const char *const *command, FILE *log, Arena *arena, double *time_s, Err *err)
{
    TimedRun run;
    if (!timed_run(command, log, arena, &run, err))
        return false;
    *time_s = run.time_s;
    if (run.interrupted)
        return err_set(err, ERR_NEGATIVE, "--run: interrupted");
    if (run.status != 0)
        return launcher_complaint_explain(&run.complaint, (char *const *)command, run.status, arena, err);
    return true;
}

/* Mapped runs have the variable that names the way's file; others have the user's value, if any. */
static void set_variable(const LaunchWay *way, const char *users, bool is_mapped)
{
    const char *value = is_mapped ? way->file : users;
    if (way->variable && value)
        setenv(way->variable, value, 1);
    else if (way->variable)
        unsetenv(way->variable);
}

typedef struct Runs {
    Cli *cli;
    const LaunchWay *way;
    char *const *commands[2]; /* as given, mapped */
    const char *users;        /* value of the way's variable */
    const char *path;         /* the log's */
    FILE *log;
    bool began; /* a launcher has started the program */
} Runs;

/* Every other pair begins with the mapped run, so that a drift of the machine favours neither. */
static bool run_pairs(Runs *runs, uint32_t repeats, double *times_s[2], Err *err)
{
    static const char *const titles[] = {"as given", "mapped"};
    for (uint32_t i = 0; i < 2 * repeats; i++) {
        int which = (int)((i + i / 2) % 2);
        const char *const *words = (const char *const *)runs->commands[which];
        progress_report(&runs->cli->progress, "running", i, 2 * (uint64_t)repeats);
        fprintf(runs->log, "# run %u, %s: %s\n", i / 2 + 1, titles[which],
                arena_join(runs->cli->arena, words, words_count(words)));
        set_variable(runs->way, runs->users, which == 1);
        bool ran = run_once(words, runs->log, runs->cli->arena, &times_s[which][i / 2], err);
        runs->began = runs->began || ran || err->kind != ERR_ENVIRONMENT;
        if (!ran)
            return err_prefix(err, "run %u, %s", i / 2 + 1, titles[which]);
        if (!timed_run_check_log(runs->log, runs->path, err))
            return false;
    }
    return true;
}

bool map_runs_measure(Cli *cli, const LaunchFiles *files, const MapCommand *command, uint32_t repeats, const char *log,
                      double *times_s[2], Err *err)
{
    const LaunchWay *way = &files->ways[command->kind];
    const char *users = way->variable ? getenv(way->variable) : NULL;
    Runs runs = {.cli = cli, .way = way, .path = log, .log = fopen(log, "w")};
    const MapCommand placed = map_command_without_hosts(command, cli->arena);
    sigset_t before;
    if (!runs.log)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", log, strerror(errno));
    runs.users = users ? arena_strdup(cli->arena, users) : NULL;
    runs.commands[0] = command->words;
    runs.commands[1] = launch_files_command(files, placed.kind, placed.is_newer, placed.words, placed.launcher,
                                            placed.program, cli->arena);
    interrupts_hold(&before);
    bool ok = run_pairs(&runs, repeats, times_s, err);
    interrupts_release(&before);
    set_variable(way, runs.users, false);
    cli_progress_end(cli);
    if (fclose(runs.log) != 0 && ok)
        ok = err_set(err, ERR_ENVIRONMENT, "%s: cannot be written: %s", log, strerror(errno));
    if (!runs.began && !files_is_device(log))
        unlink(log); /* the error says what the launcher said */
    if (!ok && !err->hint[0])
        err_hint(err, "the runs' output is in %s", log);
    return ok;
}
