/* SPDX-License-Identifier: BSD-3-Clause */
/* firma check: whether firma can record a program, found out from its file without running it. */
#include "base/files.h"
#include "cli/cli.h"
#include "trace/binary/binary.h"
#include "trace/launch.h"
#include "verbs/check/text.h"

static int all;

static const struct poptOption options[] = {
    {"all", 'a', POPT_ARG_NONE, &all, 0, "show every call, not only those that firma doesn't record", NULL},
    POPT_TABLEEND};

/* Other programs load shared libraries, so these needn't be executable. */
static bool can_be_started(const char *path, Err *err)
{
    return strstr(files_base_name(path), ".so") || files_is_executable(path) ||
           err_set(err, ERR_NEGATIVE, "%s: can't be started, because the file isn't executable", path) ||
           err_hint(err, "make it executable: chmod +x %s", path);
}

/* The answer no is an error. */
static bool judge(const Binary *binary, const BinaryView *view, const Err *no_recorder, Err *err)
{
    uint32_t unsupported = binary_count_calls(binary, CLASS_UNKNOWN) + binary_count_calls(binary, CLASS_COUNTED);
    if (view->holds_recorder)
        return true;
    switch (binary->linkage) {
    case BINARY_WITHOUT_MPI:
        err_set(err, ERR_NEGATIVE, "%s: is not linked with MPI, nor with PVM", binary->path);
        return err_hint(err, "if it is a launcher, name the program that it starts; for Python, name the module that "
                             "loads MPI (mpi4py/MPI.….so)");
    case BINARY_STATIC_MPI:
    case BINARY_STATIC_STRIPPED:
        err_set(err, ERR_NEGATIVE, "%s: is statically linked, so a preloaded recorder can't see its calls",
                binary->path);
        return err_hint(err, "link it with the shared MPI library (without -static); a program of PVM with libpvm3.so "
                             "or, for libpvm3.a, with `pkg-config --libs firma-pvm` before -lpvm3");
    case BINARY_SHARED_MPI:
        break;
    }
    if (unsupported)
        return err_set(err, ERR_NEGATIVE, "%s: %u of the calls that it can make %s not recorded", binary->path,
                       unsupported, unsupported == 1 ? "is" : "are") ||
               err_hint(err, "%s",
                        "C++ programs import calls that they never make; `firma trace` names those that were "
                        "made and not recorded");
    if (view->recorder)
        return can_be_started(binary->path, err);
    err_set(err, ERR_NEGATIVE, "%s: there is no recorder for %s", binary->path,
            view->mpi_name[0] ? view->mpi_name : binary->mpi_library);
    return no_recorder->hint[0] ? err_hint(err, "%s", no_recorder->hint) : false;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    if (n != 1)
        return err_set(err, ERR_USAGE, n ? "expected one program, found %d" : "no program is named", n);
    const char *path = launch_find_executable(words[0], cli->arena);
    Binary binary;
    if (!binary_read(path ? path : words[0], cli->arena, &binary, err))
        return false;
    BinaryView view = {.mpi_name = binary.flavour == MPI_FLAVOUR_NONE ? "" : mpi_flavour_name(binary.flavour),
                       .holds_recorder = launch_holds_recorder(binary.path, cli->arena),
                       .all = all,
                       .color = cli->color};
    Err no_recorder = {0};
    if (binary.flavour != MPI_FLAVOUR_NONE &&
        !launch_find_recorder(binary.flavour, cli->arena, &view.recorder, &no_recorder))
        view.recorder = NULL;
    if (cli->json)
        cli_print_json(cli, binary_json(&binary, &view));
    else if (!cli->quiet)
        cli_print(cli, "%s", binary_text(&binary, &view, cli->arena));
    return judge(&binary, &view, &no_recorder, err);
}

const Verb verb_check = {
    .name = "check",
    .question = QUESTION_CONTENT,
    .summary = "check whether firma records all calls that a program can make",
    .synopsis = "[--all] PROGRAM",
    .description =
        "Reads the symbols of an executable, and of the libraries that are loaded with it. Lists the MPI calls that "
        "these import, in C and Fortran. There are five kinds: calls that are recorded; file operations, which count "
        "as computation; calls that firma only counts by name; calls that firma doesn't know; and calls that don't "
        "communicate and needn't be recorded.\n\n"
        "Nothing of the program is run. firma also tells with which MPI the program is linked, and whether firma's "
        "recorder for this MPI is built.\n\n"
        "The exit status is 0 if the program can be recorded with all its calls. It is 1 if a call isn't recorded, "
        "if MPI is linked statically, or if there is no MPI.\n\n"
        "Imports tell what a program can call, not what it does call. A C++ program with MPI's C++ bindings imports "
        "over a hundred calls that it never makes. `firma trace` names the calls that were made and not recorded.",
    .examples = "firma check ./app      # what isn't recorded\n"
                "firma check --all lmp  # all calls of a program on PATH\n"
                "firma check --json ./app | jq '.calls[] | select(.class == \"counted\").call'  # for scripts",
    .files = "*",
    .options = options,
    .run = run,
};
