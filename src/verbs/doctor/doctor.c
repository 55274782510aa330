/* SPDX-License-Identifier: BSD-3-Clause */
/* firma doctor: which of the README's questions firma can answer on this machine, and what the others lack. */
#include "cli/cli.h"
#include "config.h"
#include "verbs/doctor/checklist.h"

#include <stdio.h>

static void check_firma(Checklist *list)
{
    checklist_add(list, (Check){.name = "firma",
                                .version = FIRMA_VERSION,
                                .detail = "with OTF2 " OTF2_BUILT_WITH ", Jansson " JANSSON_VERSION
                                          ", GSL " GSL_BUILT_WITH ", hwloc " HWLOC_BUILT_WITH});
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    if (n > 0)
        return err_set(err, ERR_USAGE, "%s: unexpected; doctor takes only options", words[0]);
    Checklist list = {.arena = cli->arena};
    check_firma(&list);
    bool works = check_trials(&list);
    check_tools(&list);
    DoctorReport report = checklist_report(&list, works);
    if (cli->json)
        cli_print_json(cli, fields_to_json(&doctor_fields, &report, 0));
    else if (!cli->quiet)
        cli_print(cli, "%s", doctor_text(&report, cli->color, cli->arena));
    if (works)
        return true;
    err_set(err, ERR_NEGATIVE, "no program can be traced here: no MPI works with firma");
    return err_hint(err, "`firma doctor` without -q shows what each MPI lacks, and what to do");
}

const Verb verb_doctor = {
    .name = "doctor",
    .question = QUESTION_SETUP,
    .summary = "say what firma can answer on this machine, and what to install",
    .synopsis = "[--json]",
    .description =
        "Prints two tables. The first lists the questions that firma answers. For each question it says whether firma "
        "can answer that question on this machine: yes, partly or no. Partly means that the lines below the question "
        "can't be done. Each of these lines has the command that installs what is missing; packages are Debian's.\n\n"
        "The second table lists what doctor looked at, with versions:\n\n"
        "Each MPI: its launcher and firma's recorder for it. doctor traces a program of two processes under each MPI. "
        "One working MPI is enough.\n\n"
        "CRIU and DMTCP, which save running programs. doctor saves and restores a program with each of them under each "
        "MPI. It finds CRIU by FIRMA_CRIU, where `make criu` or tools/criu.sh puts it, or on PATH; and DMTCP by "
        "FIRMA_DMTCP, where `make dmtcp` or tools/dmtcp.sh puts it, or on PATH.\n\n"
        "Libraries and programs that some verbs use, and the free space of the current directory.\n\n"
        "A finding is ok; missing, if it should work here and doesn't; absent, if firma works without it; not writable "
        "or scarce, if the current directory has no room for traces. The exit status is 0 if programs can be traced, "
        "else 1.",
    .examples = "firma doctor                       # both tables\n"
                "firma doctor -q && echo ready      # only the exit status: 0 if programs can be traced\n"
                "firma doctor --json | jq '.questions[] | select(.answer != \"yes\")'   # what is missing, for scripts",
    .run = run,
};
