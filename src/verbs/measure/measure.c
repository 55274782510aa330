/* SPDX-License-Identifier: BSD-3-Clause */
/* firma measure: executes a signature on this machine. */
#include "base/files.h"
#include "cli/cli.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "signature/states/states.h"
#include "trace/archive_names.h"
#include "verbs/measure/bind.h"
#include "verbs/measure/mappings.h"
#include "verbs/measure/prefix.h"
#include "verbs/measure/states.h"
#include <errno.h>
#include <string.h>

enum { REPEATS_LIMIT = 1000 };

static char *output = "times.json", *machine_path, *rankfiles;
static Choice mode = {.names = (const char *const[]){"prefix", "checkpoint", NULL}};
static CheckedWords binds = {.check = bind_check};
static CheckedText policies = {.check = policies_check};
static int repeats; /* 0: not given */
static int accept_differences, keep_recording, verify;

static const struct poptOption options[] = {
    {"output", 'o', OPTION_JSON, &output, 0, "where to write the phase times; by default times.json", "FILE"},
    {"mode", '\0', OPTION_CHOICE, &mode, 0,
     "how to execute the signature: prefix (start the program and stop it early) or checkpoint (restore saved states); "
     "by default what the argument requires",
     "NAME"},
    {"repeat", 'r', OPTION_COUNT, &repeats, 0,
     "how many times to start the program and stop it, or to restore each saved state; by default 1. The same time in "
     "several short runs tells more than in one: runs differ",
     "N"},
    {"policies", '\0', OPTION_CHECKED, &policies, 0,
     "measure the signature under several mappings, and compare the predictions: " POLICIES
     "; FILE.json becomes FILE.POLICY.json for each",
     "LIST"},
    {"mappings", '\0', POPT_ARG_STRING, &rankfiles, 0,
     "the same for rankfiles, separated by commas, as `firma map -o PREFIX` and Open MPI's users write them", "FILES"},
    {"verify", 'v', POPT_ARG_NONE, &verify, 0,
     "run the program in full once more under each of several mappings, and compare; with saved states, by the command "
     "behind --. The traces of these runs are kept in FILE.NAME.trace",
     NULL},
    {"bind", '\0', OPTION_CHECKED_WORDS, &binds, 0,
     "with saved states: the processors of each rank, for example 0,1 or 0:3 for four ranks; A-B lets one rank use all "
     "processors from A to B, for example 0-3,4-7; one entry is for all ranks; by default as when the states were "
     "saved. Ranks that share a processor are slow, unless the launcher knew this when they were saved. If "
     "repeated, the states are measured with each, and the predictions compared",
     "LIST"},
    {"machine", 'm', OPTION_JSON, &machine_path, 0,
     "the machine model with the noise of this machine (`firma machine noise`): intervals are computed from it; by default "
     "from the noise of the traced machine",
     "FILE"},
    SHARED_OPTIONS(force_option_table),
    SHARED_OPTIONS(plan_option_table),
    {"accept-differences", 0, POPT_ARG_NONE, &accept_differences, 0,
     "go on even if program or arguments differ from the signature's", NULL},
    {"keep-recording", 0, POPT_ARG_NONE, &keep_recording, 0,
     "keep the recording and its archive in FILE.recording; of several runs, the last one's", NULL},
    SHARED_OPTIONS(mpi_option_table),
    POPT_TABLEEND};

/* A given option that is for a prefix only; NULL: none. */
static const char *prefix_option(void)
{
    return plan_options_given() ? plan_options_given()
           : accept_differences ? "--accept-differences"
           : keep_recording     ? "--keep-recording"
           : policies.given     ? "--policies"
           : rankfiles          ? "--mappings"
                                : NULL;
}

/* A given option that is for states only; NULL: none. */
static const char *states_option(void)
{
    return binds.given ? "--bind" : NULL;
}

static bool is_trace(const char *directory, Arena *arena)
{
    return files_exist(arena_printf(arena, "%s/" ARCHIVE_NAME ".otf2", directory));
}

/* A directory holds states, which need no command; a file is a signature, which needs one. */
static bool check_mode(int n, const char *const *words, char *const *command, Arena *arena, Err *err)
{
    bool states = n == 1 && states_are_at(words[0]);
    if (states && is_trace(words[0], arena))
        return err_set(err, ERR_INPUT, "%s: is a trace; expected a signature", words[0]) ||
               err_hint(err, "`firma phases TRACE -o app.firma` writes the signature of a trace");
    if (states && command && !files_exist(arena_printf(arena, "%s/states.json", words[0])))
        return err_set(err, ERR_INPUT, "%s: is a directory; expected a signature", words[0]) ||
               err_hint(err, "a signature is a file, such as app.firma, that `firma phases -o` or `firma study` wrote");
    if (n == 1 && !command && !files_exist(words[0]))
        return files_has_suffix(words[0], ".states")
                   ? err_set(err, ERR_INPUT, "%s: %s", words[0], strerror(ENOENT))
                   : err_set(err, ERR_USAGE,
                             "%s: no such file or directory (and a signature needs a command behind --)", words[0]);
    if (n == 1 && command && !files_exist(words[0]))
        return err_set(err, ERR_INPUT, "%s: %s", words[0], strerror(ENOENT)) ||
               err_hint(err, "`firma phases TRACE -o app.firma` writes the signature of a trace");
    if (n != 1 || (!states && !command))
        return err_set(err, ERR_USAGE,
                       "expected a signature, and the command that starts the program behind --; or a directory of "
                       "states") ||
               err_hint(err, "firma measure app.firma -- mpirun -n 4 ./app, or: firma measure app.firma.states");
    if (states && command && !verify)
        return err_set(err, ERR_USAGE, "%s: firma restores saved states, and needs no command to start them",
                       words[0]) ||
               err_hint(err, "leave out what is behind --");
    bool has_several = states ? binds.given && binds.given[1] : policies.given || rankfiles;
    if (verify && !(has_several && command))
        return err_set(err, ERR_USAGE, "--verify goes with several mappings, and with a command behind --") ||
               err_hint(
                   err,
                   states
                       ? "repeat --bind"
                       : "name them by --policies or --mappings; `firma study --verify` verifies a single prediction");
    const char *foreign = states ? prefix_option() : states_option();
    if (foreign)
        return err_set(err, ERR_USAGE, "%s goes with %s, and %s %s", foreign, states ? "a signature" : "saved states",
                       words[0], states ? "holds saved states" : "is a signature") ||
               err_hint(err, "leave it out%s",
                        states ? "; --windows and --budget of `firma checkpoint` plan states" : "");
    if (mode.given && strcmp(mode.given, states ? "checkpoint" : "prefix") != 0)
        return err_set(err, ERR_USAGE, "--mode %s: %s is %s", mode.given, words[0],
                       states ? "a directory of saved states" : "a signature without states") ||
               err_hint(err, states ? "name the signature (app.firma) and a command"
                                    : "firma checkpoint makes states of it");
    return true;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    if (!check_mode(n, words, command, cli->arena, err))
        return false;
    if (repeats > REPEATS_LIMIT)
        return err_set(err, ERR_USAGE, "--repeat: %d is more than %d", repeats, REPEATS_LIMIT);
    if (states_are_at(words[0])) {
        const MeasureStatesOptions states = {
            words[0], output, repeats ? repeats : 1, (const char *const *)binds.given, machine_path, command};
        return measure_states(cli, &states, err);
    }
    const MeasurePrefixOptions prefix = {.signature = words[0],
                                         .output = output,
                                         .machine = machine_path,
                                         .policies = policies.given,
                                         .rankfiles = rankfiles,
                                         .verify = verify,
                                         .plan = plan_options(),
                                         .measure = {.repeats = repeats ? (uint32_t)repeats : 1,
                                                     .accept_differences = accept_differences,
                                                     .keep_recording = keep_recording,
                                                     .flavour = mpi_option()}};
    return measure_signature(cli, &prefix, command, err);
}

const Verb verb_measure = {
    .name = "measure",
    .question = QUESTION_TIME,
    .summary = "execute a signature on this machine and time its phases",
    .synopsis = "[-o TIMES] SIGNATURE|STUDY -- LAUNCHER …, or: [-o TIMES] STATES",
    .description =
        "With a signature: starts the program under the recorder, and lets it run through a warm-up. Measures its "
        "phases as long as necessary, then stops the program. Writes the time of each phase in each process. The "
        "program's output goes to TIMES.log.\n\n"
        "firma recognises phases by their communication. It refuses another program, other arguments, or another "
        "number of processes than the signature's. If the program was rebuilt, or uses another MPI library, firma "
        "says so, and measures as long as the communication is the same.\n\n"
        "The program is stopped in the middle of its run, and leaves its files as they are at that moment. Run it "
        "where this does no harm.\n\n"
        "With a directory of states, which `firma checkpoint` saved: restores each state, lets it run through its "
        "warm-up and its window, and ends it. No file of the user is changed. The program and its libraries must be "
        "those with which the states were saved, at the same paths.",
    .examples =
        "firma measure app.firma -- mpirun -n 4 ./app              # writes times.json\n"
        "firma measure app.firma -o b.json -- srun -p big ./app    # on other nodes\n"
        "firma measure app.firma.states                            # states that `firma checkpoint` saved\n"
        "firma measure app.firma --budget 10 -- mpirun -n 4 ./app  # a longer part of the run, for a narrower interval",
    .files = "firma",
    .of_study = STUDY_SIGNATURE,
    .options = options,
    .takes_command = true,
    .run = run,
};
