/* SPDX-License-Identifier: BSD-3-Clause */
/* See preload.h. */
#include "trace/launch/preload.h"

#include "base/libraries.h"
#include <stdlib.h>
#include <string.h>

bool launch_find_recorder(MpiFlavour flavour, Arena *arena, const char **path, Err *err)
{
    const char *name = flavour == MPI_FLAVOUR_MPICH ? "libfirma-mpich.so" : "libfirma-openmpi.so";
    const char *found = libraries_find(name, "trace/recorder", arena);
    if (found && strpbrk(found, " :")) {
        err_set(err, ERR_ENVIRONMENT, "%s: a blank or colon in the path, which LD_PRELOAD can't carry", found);
        return err_hint(err, "copy the library to a directory without, and set FIRMA_LIBDIR to that directory");
    }
    if (found) {
        *path = found;
        return true;
    }
    err_set(err, ERR_ENVIRONMENT, "%s: the recorder for %s is not there", name, mpi_flavour_name(flavour));
    return err_hint(err,
                    "build firma where %s's headers are installed (Debian: %s); FIRMA_LIBDIR names another directory",
                    mpi_flavour_name(flavour), flavour == MPI_FLAVOUR_MPICH ? "libmpich-dev" : "libopenmpi-dev");
}

bool preload_is_set(char *const argv[], int program)
{
    for (int i = 0; i < program; i++) {
        bool names_variable = strcmp(argv[i], "-env") == 0 || strcmp(argv[i], "-genv") == 0;
        if (names_variable && i + 1 < program && strcmp(argv[i + 1], "LD_PRELOAD") == 0)
            return true;
        if (strcmp(argv[i], "-x") == 0 && i + 1 < program && strncmp(argv[i + 1], "LD_PRELOAD=", 11) == 0)
            return true;
        if (strncmp(argv[i], "LD_PRELOAD=", 11) == 0)
            return true;
    }
    return false;
}

#define HANDED_ON "LD_PRELOAD;" RECORD_DIRECTORY_VARIABLE

/* Open MPI starts remote daemons by ssh, which carry no environment: it must be told which variables to hand on. The
 * variable does it without touching the command line; but where the user says -x, Open MPI takes -x only, and a list on
 * the command line overrides ours. So these two are continued as the user began them. */
static char *const *hand_on_by_openmpi(char *const argv[], int program, Arena *arena)
{
    int n = 0, first_x = -1, list = -1;
    for (; argv[n]; n++) {
        if (n < program && first_x < 0 && strcmp(argv[n], "-x") == 0)
            first_x = n;
        if (n + 1 < program && strcmp(argv[n], "mca_base_env_list") == 0)
            list = n + 1;
    }
    char **changed = arena_new_array(arena, char *, (size_t)n + 5);
    int used = 0;
    for (int i = 0; i < n; i++) {
        if (i == first_x) {
            static char option[] = "-x", preload[] = "LD_PRELOAD", directory[] = RECORD_DIRECTORY_VARIABLE;
            changed[used++] = option;
            changed[used++] = preload;
            changed[used++] = option;
            changed[used++] = directory;
        }
        changed[used++] = i == list ? arena_printf(arena, "%s;%s", argv[i], HANDED_ON) : argv[i];
    }
    if (first_x < 0 && list < 0) {
        const char *users = getenv("OMPI_MCA_mca_base_env_list");
        setenv("OMPI_MCA_mca_base_env_list",
               users && *users ? arena_printf(arena, "%s;%s", users, HANDED_ON) : HANDED_ON, 1);
    }
    return changed;
}

bool preload_prepare(const char *recorder, const char *recording, MpiFlavour flavour, int program, char *const **argv,
                     Arena *arena)
{
    if (!recorder)
        return setenv(RECORD_DIRECTORY_VARIABLE, recording, 1) == 0;
    const char *users = getenv("LD_PRELOAD");
    const char *preload = users && *users ? arena_printf(arena, "%s:%s", recorder, users) : recorder;
    if (flavour == MPI_FLAVOUR_OPENMPI)
        *argv = hand_on_by_openmpi(*argv, program, arena);
    return setenv("LD_PRELOAD", preload, 1) == 0 && setenv(RECORD_DIRECTORY_VARIABLE, recording, 1) == 0;
}
