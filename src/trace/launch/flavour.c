/* SPDX-License-Identifier: BSD-3-Clause */
/* Detects the MPI that a launcher's command line uses. The dynamic loader lists the libraries of
 * the program. For scripts and static programs, the launcher's --version tells its MPI. */
#include "base/files.h"
#include "base/process.h"
#include "trace/launch.h"
#include "trace/launch/executable.h"
#include "trace/launch/program.h"

#include <stdlib.h>
#include <string.h>

#define ASKING_TIMEOUT_MS 10000

const char *mpi_flavour_name(MpiFlavour flavour)
{
    return flavour == MPI_FLAVOUR_OPENMPI ? "Open MPI"
           : flavour == MPI_FLAVOUR_MPICH ? "MPICH"
           : flavour == MPI_FLAVOUR_SMPI  ? "SMPI"
           : flavour == MPI_FLAVOUR_PVM   ? "PVM"
                                          : "unknown MPI";
}

/* What an MPI's launcher says about its version; NULL: the word is no such launcher. */
static const char *version_of(const char *word, Arena *arena)
{
    const char *const ask[] = {word, "--version", NULL};
    char *text;
    int status;
    return launch_is_launcher(word) && launch_find_executable(word, arena) &&
                   process_capture(&(ProcessOptions){.words = ask}, ASKING_TIMEOUT_MS, arena, &text, &status)
               ? text
               : NULL;
}

static MpiFlavour flavour_of_launcher(const char *word, Arena *arena)
{
    if (strcmp(files_base_name(word), "smpirun") == 0)
        return MPI_FLAVOUR_SMPI;
    const char *text = version_of(word, arena);
    if (!text)
        return MPI_FLAVOUR_NONE;
    if (strstr(text, "Open MPI") || strstr(text, "OpenRTE") || strstr(text, "PRRTE"))
        return MPI_FLAVOUR_OPENMPI;
    if (strstr(text, "HYDRA") || strcasestr(text, "mpich") || strstr(text, "Intel(R) MPI"))
        return MPI_FLAVOUR_MPICH;
    return MPI_FLAVOUR_NONE;
}

bool launch_is_prrte(const char *launcher, Arena *arena)
{
    static const char name[] = "(Open MPI) ";
    const char *text = version_of(launcher, arena), *version = text ? strstr(text, name) : NULL;
    return (text && strstr(text, "PRRTE")) || (version && atoi(version + strlen(name)) >= 5);
}

static MpiFlavour asked_launcher(char *const argv[], Arena *arena, const char **launcher)
{
    for (int i = 0; argv[i]; i++) {
        MpiFlavour flavour = flavour_of_launcher(argv[i], arena);
        if (flavour != MPI_FLAVOUR_NONE) {
            *launcher = argv[i];
            return flavour;
        }
    }
    return MPI_FLAVOUR_NONE;
}

bool launch_find_flavour(char *const argv[], Arena *arena, MpiFlavour *flavour, const char **reason, Err *err)
{
    MpiFlavour by_program, by_launcher;
    const char *library = "", *launcher = "";
    int program = launch_find_linked(argv, arena, &by_program, &library);
    by_launcher = asked_launcher(argv, arena, &launcher);
    if (program >= 0 && by_launcher != MPI_FLAVOUR_NONE && by_launcher != by_program) {
        err_set(err, ERR_ENVIRONMENT,
                "%s is linked with %s (%s), but %s belongs to %s: each process would believe that it runs alone",
                argv[program], library, mpi_flavour_name(by_program), launcher, mpi_flavour_name(by_launcher));
        return err_hint(err, "start it with %s; if you mean it so, give --mpi openmpi or --mpi mpich",
                        by_program == MPI_FLAVOUR_MPICH ? "MPICH's mpirun (Debian: mpirun.mpich)"
                                                        : "Open MPI's mpirun (Debian: mpirun.openmpi)");
    }
    if (program >= 0) {
        *flavour = by_program;
        *reason = arena_printf(arena, "%s is linked with %s", argv[program], library);
        return true;
    }
    if (by_launcher != MPI_FLAVOUR_NONE) {
        *flavour = by_launcher;
        *reason = by_launcher == MPI_FLAVOUR_SMPI
                      ? arena_printf(arena, "%s is the launcher of SimGrid's SMPI", launcher)
                      : arena_printf(arena, "%s --version says %s", launcher, mpi_flavour_name(by_launcher));
        return true;
    }
    const char *path = launch_find_executable(argv[0], arena);
    if (path && executable_static_pvm(path, arena) == STATIC_PVM_ALONE) {
        err_set(err, ERR_ENVIRONMENT, "%s holds PVM's static library, so firma's recorder can't be loaded into it",
                argv[0]);
        return err_hint(err, LAUNCH_STATIC_PVM_HINT);
    }
    if (!argv[1] && path && executable_linkage(path, arena) == LINKAGE_WITHOUT_MPI)
        return err_set(err, ERR_ENVIRONMENT, "%s makes no MPI calls: it is not linked with an MPI library", argv[0]) ||
               err_hint(err, LAUNCH_WITHOUT_MPI_HINT);
    err_set(err, ERR_ENVIRONMENT,
            "%s …: cannot tell which MPI this command uses: no word is an executable linked with an MPI "
            "library that firma knows, and no word is a launcher whose --version names its MPI",
            argv[0]);
    return err_hint(err, "give --mpi openmpi, mpich or smpi; check the program's name");
}
