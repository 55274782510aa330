#include "cli/scale_modes.h"
static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)cli;
    (void)n;
    (void)words;
    (void)command;
    return err_set(err, ERR_USAGE, "not there yet");
}
const ScaleMode scale_runs = {.name = "run times", .synopsis = "RUNS.csv", .takes = 15, .run = run};
bool scale_runs_check(Cli *cli, Err *err);
bool scale_runs_check(Cli *cli, Err *err)
{
    (void)cli;
    (void)err;
    return true;
}
bool scale_runs_show(Cli *cli, const Runs *runs, const char *directory, Err *err)
{
    (void)cli;
    (void)runs;
    (void)directory;
    (void)err;
    return true;
}
